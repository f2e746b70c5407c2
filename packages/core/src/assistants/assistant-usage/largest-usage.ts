import { inSlices } from "../../platform/in-slices.ts";
import type { MessageUsage } from "./assistant-usage.schema.ts";

/**
 * Keeps one report per answer. While an answer streams, it is recorded several times with growing counts, so the largest report
 * is the complete one; of equal ones, the first is kept. Pauses for other work.
 */
export async function largestPerMessage(reports: readonly MessageUsage[]): Promise<MessageUsage[]> {
  const largest = new Map<string, MessageUsage>();
  await inSlices(reports, (report) => {
    const key = JSON.stringify([report.messageId, report.requestId ?? ""]);
    const known = largest.get(key);
    if (known === undefined || totalTokens(report) > totalTokens(known)) largest.set(key, report);
  });
  return [...largest.values()];
}

export function totalTokens(usage: MessageUsage): number {
  const cached = (usage.cacheCreationInputTokens ?? 0) + (usage.cacheReadInputTokens ?? 0);
  return usage.inputTokens + usage.outputTokens + cached;
}
