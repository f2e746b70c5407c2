import { instantInput } from "./instant.ts";

/** When something happened, by the clock of the reporting machine. */
export const occurredAtInput = instantInput.refine((text) => Date.parse(text) >= 0, "must not be before 1970");

/** The time to store: as reported, but never in the future, since the reporting clock may be ahead; now if not reported. */
export function toCreatedAt(occurredAt: string | undefined, now: Date): string {
  const nowMs = now.getTime();
  return new Date(occurredAt === undefined ? nowMs : Math.min(Date.parse(occurredAt), nowMs)).toISOString();
}
