import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";

const settingByKey = defineQuery({
  name: "select-setting",
  row: { value: column.json },
  text: "SELECT value FROM settings WHERE key = $1",
});

/** A setting of this installation; undefined if it is not set. */
export async function selectSetting(db: Queryable, key: string): Promise<unknown> {
  return (await settingByKey.first(db, [key]))?.value;
}

const firstSetting = defineCommand({
  name: "insert-setting",
  text: "INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
});

/** Stores a setting unless it is already set. */
export async function insertSetting(
  db: Queryable,
  { key, value, now }: { key: string; value: object; now: Date },
): Promise<void> {
  await firstSetting.run(db, [key, JSON.stringify(value), now]);
}

const newSetting = defineCommand({
  name: "put-setting",
  text: `
    INSERT INTO settings (key, value, updated_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
});

/** Stores a setting, replacing the previous value. */
export async function putSetting(
  db: Queryable,
  { key, value, now }: { key: string; value: object; now: Date },
): Promise<void> {
  await newSetting.run(db, [key, JSON.stringify(value), now]);
}

const deletedSetting = defineCommand({ name: "delete-setting", text: "DELETE FROM settings WHERE key = $1" });

/** Deletes a setting; returns whether it was set. */
export async function deleteSetting(db: Queryable, key: string): Promise<boolean> {
  return (await deletedSetting.run(db, [key])) === 1;
}
