import { instantInput } from "./instant.ts";

/** When something happened, as the machine says on which it did. */
export const occurredAtInput = instantInput.refine((text) => Date.parse(text) >= 0, "must not be before 1970");

/** The time to store: as reported, but a clock that is ahead must not put anything into the future. Without a report, now. */
export function toCreatedAt(occurredAt: string | undefined, now: Date): string {
  const nowMs = now.getTime();
  return new Date(occurredAt === undefined ? nowMs : Math.min(Date.parse(occurredAt), nowMs)).toISOString();
}
