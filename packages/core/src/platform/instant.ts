import * as z from "zod";

const FIRST_YEAR = "0001";
/** Years beyond 9999 are written with a sign and six digits. */
const FOUR_DIGIT_YEAR_LENGTH = "2026-01-31T08:30:00.000Z".length;

/** Whether a date or date-time is within the years that ISO 8601 and PostgreSQL write the same way: 0001 to 9999, in UTC. */
export function isStorableInstant(text: string): boolean {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) return false;
  const iso = instant.toISOString();
  return iso.length === FOUR_DIGIT_YEAR_LENGTH && iso >= FIRST_YEAR;
}

/** A date-time with an offset, within the range that can be stored. */
export const instantInput = z.iso
  .datetime({ offset: true, error: "expected an ISO 8601 date-time with its offset" })
  .refine(isStorableInstant, "must lie in the years 0001 to 9999");
