import { column, defineQuery, type Queryable } from "@workspace/db";
import type { PartyKind } from "./filtered-task.ts";
import type { Named } from "./filter-names.ts";

const MAX_PARTIES = 1_000;

const projectNames = defineQuery({
  name: "select-filtered-projects",
  row: { id: column.uuid, name: column.text },
  text: "SELECT id, name FROM projects",
});

/** The names of all projects, also of deleted ones, whose tasks still exist. */
export function selectProjectNames(db: Queryable): Promise<Named[]> {
  return projectNames.all(db);
}

const PARTY = {
  kind: column.text.as<PartyKind>().neverNull,
  id: column.uuid.neverNull,
  name: column.text.neverNull,
};

const PARTIES = `
  SELECT 'person' AS kind, id, name FROM users
  UNION ALL SELECT 'agent', id, name FROM agents
  UNION ALL SELECT 'key', id, name FROM api_keys
    WHERE 'tasks:write' = ANY(scopes) AND (expires_at IS NULL OR expires_at > now())`;

const parties = defineQuery({
  name: "select-task-parties",
  row: PARTY,
  text: `SELECT kind, id, name FROM (${PARTIES}) AS parties ORDER BY kind DESC, lower(name), id LIMIT ${MAX_PARTIES}`,
});

/** Everybody and everything that tasks can be handed to: people, then programs, then agents, each by name. */
export function selectParties(db: Queryable): Promise<(Named & { kind: PartyKind })[]> {
  return parties.all(db);
}

const partyById = defineQuery({
  name: "select-task-party",
  row: PARTY,
  text: `SELECT kind, id, name FROM (${PARTIES}) AS parties WHERE kind = $1 AND id = $2`,
});

/** One of them; null if there is none. */
export function selectParty(
  db: Queryable,
  { kind, id }: { kind: PartyKind; id: string },
): Promise<(Named & { kind: PartyKind }) | null> {
  return partyById.first(db, [kind, id]);
}
