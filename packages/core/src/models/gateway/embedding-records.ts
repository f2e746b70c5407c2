import type { EmbeddingRequest } from "../../assistants/memory/embedding-model.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { UsageEntry } from "../usage/usage.queries.ts";

const HOUR_MS = 60 * 60 * 1000;

const NAMES: Readonly<Record<EmbeddingRequest["purpose"], string>> = {
  memories: "Vectors of memories",
  searches: "Vectors of searches",
};

interface HourlyRecord {
  readonly hour: number;
  readonly id: string;
  readonly durationMs: number;
}

/** Chooses usage records: a process's calls for one purpose within an hour are one, for there is one with each search. */
export function createEmbeddingRecords(ids: IdGenerator) {
  const current = new Map<EmbeddingRequest["purpose"], HourlyRecord>();
  return {
    /** Adds a call to the record of its hour, and returns the record. */
    add(purpose: EmbeddingRequest["purpose"], at: Date, durationMs: number) {
      const hour = Math.floor(at.getTime() / HOUR_MS);
      const previous = current.get(purpose);
      const isNew = previous?.hour !== hour;
      const record = isNew
        ? { hour, id: ids(), durationMs }
        : { ...previous, durationMs: previous.durationMs + durationMs };
      current.set(purpose, record);
      const entry: Omit<UsageEntry, "charge" | "happenedAt"> = {
        id: record.id,
        source: "memory_embedding",
        sourceId: record.id,
        sourceName: NAMES[purpose],
        durationMs: record.durationMs,
      };
      return { entry, isNew };
    },
  };
}
