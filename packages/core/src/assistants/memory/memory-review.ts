import type { Db, Queryable } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { isUuid } from "../../platform/ids.ts";
import { putSetting, selectSetting } from "../../platform/setting.queries.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import { keepMemoriesCreatedBefore, setAwaitsReview } from "./memory-review.queries.ts";
import { reviewSettingsSchema, type ReviewMemory, type ReviewSettings } from "./memory-review.schema.ts";

const SETTING = "memory_review";
const INITIAL: ReviewSettings = { keepAfterDays: 7 };
const DAY_MS = 24 * 60 * 60 * 1000;

export interface MemoryReviewDeps extends Deps<"db" | "clock"> {
  readonly publish: MemoryPublisher;
}

/** The queue of memories that were extracted and that nobody has looked at. */
export function createMemoryReview({ db, clock, publish }: MemoryReviewDeps) {
  return {
    /** Keeps memories, or has them await review again; returns those that changed. */
    async review({ ids, isKept }: ReviewMemory): Promise<{ changedIds: string[] }> {
      const changed = await setAwaitsReview(db.pool, ids.filter(isUuid), !isKept);
      for (const memory of changed) publish("edit", memory);
      return { changedIds: changed.map(({ id }) => id) };
    },

    getSettings: (): Promise<ReviewSettings> => selectReviewSettings(db.pool),

    /** Applies to what awaits review already. */
    async setSettings(settings: ReviewSettings): Promise<ReviewSettings> {
      await putSetting(db.pool, { key: SETTING, value: settings, now: clock.now() });
      await keepReviewedByTime(db, clock.now());
      return settings;
    },
  };
}

/** Whether what is extracted awaits review at all. */
export async function hasReview(db: Queryable): Promise<boolean> {
  return (await selectReviewSettings(db)).keepAfterDays !== 0;
}

/** Keeps the memories that have awaited review for as long as the settings say. */
export async function keepReviewedByTime(db: Db, now: Date): Promise<void> {
  const { keepAfterDays } = await selectReviewSettings(db.pool);
  if (keepAfterDays !== null)
    await keepMemoriesCreatedBefore(db.pool, new Date(now.getTime() - keepAfterDays * DAY_MS));
}

async function selectReviewSettings(db: Queryable): Promise<ReviewSettings> {
  const stored = await selectSetting(db, SETTING);
  return stored === undefined ? INITIAL : reviewSettingsSchema.parse(stored);
}
