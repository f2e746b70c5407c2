import type { Queryable } from "@workspace/db";
import { selectVersionedSetting } from "../../platform/versioned-setting.queries.ts";

export const CALENDAR_SETTING = "calendar";

/** With which day weeks begin, 0 being Sunday, where a request does not say so; undefined if nobody has chosen one. */
export async function chosenFirstWeekday(db: Queryable): Promise<number | undefined> {
  const stored = await selectVersionedSetting<{ readonly firstWeekday: number | null }>(db, CALENDAR_SETTING);
  return stored?.value.firstWeekday ?? undefined;
}
