import { column, defineQuery } from "@workspace/db";
import type { ReadSearchedRows } from "../../platform/search/searched-row.ts";

const searchedSecrets = defineQuery({
  name: "select-searched-secrets",
  row: { id: column.uuid, title: column.text, text: column.text.neverNull, occurredAt: column.timestamp },
  text: `
    SELECT id, key AS title, coalesce(description, '') AS text, updated_at AS "occurredAt"
    FROM secrets WHERE id = ANY($1::uuid[])`,
});

/** Secrets for the search over everything: their names and descriptions. */
export const readSearchedSecrets: ReadSearchedRows = async (db, ids) =>
  (await searchedSecrets.all(db, [ids])).map((secret) => ({ ...secret, shownId: secret.id }));
