import { column, defineQuery, type Queryable } from "@workspace/db";
import type { MemorySettingsDocument } from "./memory-settings.schema.ts";

const SETTINGS = {
  value: column.json.as<MemorySettingsDocument & { version: number }>(),
  updatedAt: column.timestamp,
};

export interface StoredMemorySettings {
  readonly value: MemorySettingsDocument & { readonly version: number };
  readonly updatedAt: string;
}

const storedSettings = defineQuery({
  name: "select-memory-settings",
  row: SETTINGS,
  text: `SELECT value, updated_at AS "updatedAt" FROM settings WHERE key = 'hook_memory'`,
});

/** The settings; null if none were ever set. */
export function selectMemorySettings(db: Queryable): Promise<StoredMemorySettings | null> {
  return storedSettings.first(db);
}

const changedSettings = defineQuery({
  name: "set-memory-settings",
  row: SETTINGS,
  text: `
    INSERT INTO settings AS stored (key, value, updated_at)
    SELECT 'hook_memory', $1::jsonb || '{"version": 1}', $2
    WHERE COALESCE($3, 0) = 0 OR EXISTS (SELECT FROM settings WHERE key = 'hook_memory')
    ON CONFLICT (key) DO UPDATE SET updated_at = $2,
        value = $1::jsonb || jsonb_build_object('version', (stored.value ->> 'version')::integer + 1)
      WHERE $3::integer IS NULL OR (stored.value ->> 'version')::integer = $3
    RETURNING value, updated_at AS "updatedAt"`,
});

/** Replaces the settings. Returns null if a version is expected and they have another one. */
export function setMemorySettings(
  db: Queryable,
  document: MemorySettingsDocument,
  { expectedVersion, now }: { readonly expectedVersion: number | undefined; readonly now: Date },
): Promise<StoredMemorySettings | null> {
  return changedSettings.first(db, [JSON.stringify(document), now, expectedVersion ?? null]);
}
