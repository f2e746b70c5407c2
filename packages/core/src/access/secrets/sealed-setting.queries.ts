import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";

/** What the keys of sealed settings begin with. */
const PREFIX = "sealed.";

const SEALED_SETTING = { name: column.text.neverNull, envelope: column.text.neverNull };
const COLUMNS = `substr(key, ${PREFIX.length + 1}) AS name, value ->> 'envelope' AS envelope`;

const sealedSetting = defineQuery({
  name: "select-sealed-setting",
  row: SEALED_SETTING,
  text: `SELECT ${COLUMNS} FROM settings WHERE key = $1`,
});

/** The envelope of a value that only the server itself uses; null if there is none. */
export async function selectSealedSetting(db: Queryable, name: string): Promise<string | null> {
  return (await sealedSetting.first(db, [PREFIX + name]))?.envelope ?? null;
}

const lockedSealedSettings = defineQuery({
  name: "select-sealed-settings-for-update",
  row: SEALED_SETTING,
  text: `SELECT ${COLUMNS} FROM settings WHERE starts_with(key, '${PREFIX}') ORDER BY key FOR UPDATE`,
});

export function selectSealedSettingsForUpdate(db: PoolClient): Promise<{ name: string; envelope: string }[]> {
  return lockedSealedSettings.all(db);
}

const newSealedSetting = defineCommand({
  name: "insert-sealed-setting",
  text: `
    INSERT INTO settings (key, value, updated_at) VALUES ($1, jsonb_build_object('envelope', $2::text), $3)
    ON CONFLICT (key) DO NOTHING`,
});

/** Stores the first value. Returns false if another process was first. */
export async function insertSealedSetting(
  db: Queryable,
  { name, envelope, now }: { readonly name: string; readonly envelope: string; readonly now: Date },
): Promise<boolean> {
  return (await newSealedSetting.run(db, [PREFIX + name, envelope, now])) === 1;
}

const changedSealedSetting = defineCommand({
  name: "update-sealed-setting",
  text: `
    UPDATE settings SET value = jsonb_build_object('envelope', $3::text)
    WHERE key = $1 AND value ->> 'envelope' = $2`,
});

/** Replaces a value, unless another process has done so before. */
export async function replaceSealedSetting(
  db: Queryable,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  return (await changedSealedSetting.run(db, [PREFIX + name, from, to])) === 1;
}

const putSetting = defineCommand({
  name: "put-sealed-setting",
  text: `
    INSERT INTO settings (key, value, updated_at) VALUES ($1, jsonb_build_object('envelope', $2::text), $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
});

/** Stores a value, in place of an earlier one. */
export async function putSealedSetting(
  db: Queryable,
  { name, envelope, now }: { readonly name: string; readonly envelope: string; readonly now: Date },
): Promise<void> {
  await putSetting.run(db, [PREFIX + name, envelope, now]);
}
