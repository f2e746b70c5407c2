import * as z from "zod";
import { selectMemoryInput } from "./memory.schema.ts";

export const reviewMemoryInput = selectMemoryInput.extend({
  isKept: z.boolean().default(true).meta({ description: "false: it awaits review again, if it was extracted" }),
});
export type ReviewMemory = z.infer<typeof reviewMemoryInput>;

export const setReviewSettingsInput = z.object({
  keepAfterDays: z
    .number()
    .int()
    .min(0, "must not be negative")
    .max(365, "must be at most 365")
    .nullable()
    .meta({ description: "After so many days an extracted memory is kept without review; 0: at once, null: never" }),
});
export type ReviewSettings = z.infer<typeof setReviewSettingsInput>;

export const reviewSettingsSchema = setReviewSettingsInput.meta({ id: "MemoryReviewSettings" });
