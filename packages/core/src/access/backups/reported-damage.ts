import type { Queryable } from "@workspace/db";
import * as z from "zod";
import { putSetting, selectSetting } from "../../platform/setting.queries.ts";

const KEY = "backup.damaged";

const reported = z.object({ ids: z.array(z.string()) });

/** The ids of the backups that the last one has reported as damaged. */
export async function selectDamagedBackups(db: Queryable): Promise<readonly string[]> {
  return reported.safeParse(await selectSetting(db, KEY)).data?.ids ?? [];
}

export async function putDamagedBackups(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await putSetting(db, { key: KEY, value: { ids }, now });
}
