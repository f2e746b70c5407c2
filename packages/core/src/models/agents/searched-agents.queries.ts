import { column, defineQuery } from "@workspace/db";
import { MAX_SEARCHED_CHARACTERS, type ReadSearchedRows } from "../../platform/search/searched-row.ts";

const searchedAgents = defineQuery({
  name: "select-searched-agents",
  row: {
    id: column.uuid,
    title: column.text,
    text: column.text.neverNull,
    occurredAt: column.timestamp,
  },
  text: `
    SELECT id, name AS title, left(concat_ws(E'\\n\\n', description, prompt), ${MAX_SEARCHED_CHARACTERS}) AS text,
      updated_at AS "occurredAt"
    FROM agents WHERE id = ANY($1::uuid[])`,
});

/** Agents for the search over everything. */
export const readSearchedAgents: ReadSearchedRows = async (db, ids) =>
  (await searchedAgents.all(db, [ids])).map((agent) => ({ ...agent, shownId: agent.id }));

const searchedRuns = defineQuery({
  name: "select-searched-runs",
  row: {
    id: column.uuid,
    title: column.text,
    text: column.text.neverNull,
    occurredAt: column.timestamp,
    urlPart: column.uuid,
  },
  text: `
    SELECT r.id, a.name AS title, left(concat_ws(E'\\n\\n', r.error_message, r.output), ${MAX_SEARCHED_CHARACTERS}) AS text,
      r.started_at AS "occurredAt", a.id AS "urlPart"
    FROM agent_runs r JOIN agents a ON a.id = r.agent_id WHERE r.id = ANY($1::uuid[]) AND r.status <> 'running'`,
});

/** Runs that have ended for the search over everything. */
export const readSearchedRuns: ReadSearchedRows = async (db, ids) =>
  (await searchedRuns.all(db, [ids])).map((run) => ({ ...run, shownId: run.id }));
