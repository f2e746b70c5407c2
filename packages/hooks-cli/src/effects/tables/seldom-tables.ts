import { CLOUD_EFFECTS } from "./cloud.ts";
import { DATABASES_EFFECTS } from "./databases.ts";
import { DISKS_EFFECTS } from "./disks.ts";
import { INFRASTRUCTURE_EFFECTS } from "./infrastructure.ts";
import { SERVICES_EFFECTS } from "./services.ts";

/** The tables of programs that hooks seldom see, by pack. They are loaded when one of these programs is started. */
export function seldomTables(): readonly (readonly [string, string])[] {
  return [
    ["cloud", CLOUD_EFFECTS],
    ["databases", DATABASES_EFFECTS],
    ["disks", DISKS_EFFECTS],
    ["infrastructure", INFRASTRUCTURE_EFFECTS],
    ["services", SERVICES_EFFECTS],
  ];
}
