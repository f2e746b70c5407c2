import { trpc } from "../../api/trpc.ts";
import { newLocalId } from "../../api/local-id.ts";
import type { Client } from "../../client/client.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { undoStack } from "../../undo/undo-stack.ts";
import { sendReview, showingFailure } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import type { Memory } from "./memory.ts";

/** After how many days a memory is kept without review; null for never. */
export type ReviewPeriod = number | null;

export interface ReviewPeriodChange {
  readonly from: ReviewPeriod;
  readonly to: ReviewPeriod;
  /** What leaves the queue because of it. */
  readonly kept: readonly Memory[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The memories that have awaited review for longer than a period. */
export function memoriesKeptBy(memories: Iterable<Memory>, period: ReviewPeriod, now: number): Memory[] {
  if (period === null) return [];
  const latest = now - period * DAY_MS;
  return [...memories].filter(({ awaitsReview, createdAt }) => awaitsReview && Date.parse(createdAt) <= latest);
}

/** Sets the period. Undoable, which also returns to the queue what it has kept. Rejects with a RequestError. */
export async function setReviewPeriod(client: Client, { from, to, kept }: ReviewPeriodChange): Promise<void> {
  await sendReviewPeriod(client, to);
  const collection = memoryCollection(client);
  collection.put(kept.map((memory) => ({ ...(collection.get(memory.id) ?? memory), awaitsReview: false })));
  const what = pluralize(kept.length, "memory", "memories");
  const undo = async () => {
    // With the new period, they would be kept again.
    await sendReviewPeriod(client, from);
    await sendReview(client, kept, false);
  };
  undoStack(client).offer(
    {
      id: newLocalId(),
      label: kept.length === 0 ? "Changed the setting" : `Kept ${what} without review`,
      undo: () => void showingFailure(client, "undo the setting", undo()),
    },
    { isQuiet: kept.length === 0 },
  );
}

async function sendReviewPeriod(client: Client, keepAfterDays: ReviewPeriod): Promise<void> {
  const response = await client.api.memory.setReviewSettings.mutate({ keepAfterDays });
  client.queries.setQueryData(trpc(client).memory.getReviewSettings.queryKey(), response);
  void client.queries.invalidateQueries({ queryKey: ["memory"] });
}
