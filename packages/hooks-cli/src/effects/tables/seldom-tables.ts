import { CLOUD_EFFECTS } from "./cloud.ts";
import { SERVICES_EFFECTS } from "./services.ts";

/** The tables of programs that hooks seldom see, by pack. They are loaded when one of these programs is started. */
export function seldomTables(): readonly (readonly [string, string])[] {
  return [
    ["cloud", CLOUD_EFFECTS],
    ["services", SERVICES_EFFECTS],
  ];
}
