import { column, defineQuery, type Queryable } from "@workspace/db";
import type { VersionedSetting } from "../../platform/versioned-setting.queries.ts";
import type { ModelSettingsDocument } from "./model-settings.schema.ts";

export const MODEL_SETTINGS_KEY = "models";
/** What the names of the secrets begin with that hold the endpoints' API keys. */
export const API_KEY_SECRET_PREFIX = "MODEL_API_KEY_";

const storedSettings = defineQuery({
  name: "select-model-settings",
  row: {
    value: column.json.as<VersionedSetting<ModelSettingsDocument>["value"]>(),
    updatedAt: column.timestamp,
    keys: column.text.neverNull,
  },
  isPrepared: true,
  text: `
    SELECT value, updated_at AS "updatedAt", COALESCE(
      (SELECT string_agg(key || ' ' || updated_at, ',' ORDER BY key) FROM secrets
       WHERE starts_with(key, '${API_KEY_SECRET_PREFIX}')), '') AS keys
    FROM settings WHERE key = '${MODEL_SETTINGS_KEY}'`,
});

export interface StoredModelSettings extends VersionedSetting<ModelSettingsDocument> {
  /** Changes whenever the settings or one of their keys does. */
  readonly revision: string;
}

/** The settings as a person has stored them; null if nobody has. */
export async function selectModelSettings(db: Queryable): Promise<StoredModelSettings | null> {
  const row = await storedSettings.first(db, []);
  if (row === null) return null;
  const { value, updatedAt, keys } = row;
  return { value, updatedAt, revision: `${value.version} ${keys}` };
}
