import { column, defineQuery, type Queryable } from "@workspace/db";

const SETTING = { value: column.json.as<Record<string, unknown> & { version: number }>(), updatedAt: column.timestamp };

/** A setting with the number of its changes. */
export interface VersionedSetting<Document> {
  readonly value: Document & { readonly version: number };
  readonly updatedAt: string;
}

const storedSetting = defineQuery({
  name: "select-versioned-setting",
  row: SETTING,
  text: `SELECT value, updated_at AS "updatedAt" FROM settings WHERE key = $1`,
});

/** The setting, of a type that only `setVersionedSetting` has stored under this key; null if it was never set. */
export async function selectVersionedSetting<Document extends object>(
  db: Queryable,
  key: string,
): Promise<VersionedSetting<Document> | null> {
  const row = await storedSetting.first(db, [key]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return row as VersionedSetting<Document> | null;
}

const changedSetting = defineQuery({
  name: "set-versioned-setting",
  row: SETTING,
  text: `
    INSERT INTO settings AS stored (key, value, updated_at)
    SELECT $4, $1::jsonb || '{"version": 1}', $2
    WHERE COALESCE($3, 0) = 0 OR EXISTS (SELECT FROM settings WHERE key = $4)
    ON CONFLICT (key) DO UPDATE SET updated_at = $2,
        value = $1::jsonb || jsonb_build_object('version', (stored.value ->> 'version')::integer + 1)
      WHERE $3::integer IS NULL OR (stored.value ->> 'version')::integer = $3
    RETURNING value, updated_at AS "updatedAt"`,
});

/** Replaces the setting. Returns null if a version is expected and it has another one. */
export async function setVersionedSetting<Document extends object>(
  db: Queryable,
  key: string,
  document: Document,
  { expectedVersion, now }: { readonly expectedVersion: number | undefined; readonly now: Date },
): Promise<VersionedSetting<Document> | null> {
  const row = await changedSetting.first(db, [JSON.stringify(document), now, expectedVersion ?? null, key]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is the document, as it was just stored.
  return row as VersionedSetting<Document> | null;
}
