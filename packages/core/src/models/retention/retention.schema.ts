import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";
import { forEachKind, MAX_RETENTION_DAYS, RETENTION_KINDS, RETENTION_RULES } from "./retention-kinds.ts";

const kind = z.enum(RETENTION_KINDS);
const days = z.int().min(0).max(MAX_RETENTION_DAYS).nullable();
const count = z.number().int();
const bytes = count.meta({ description: "In bytes" });

export const retentionSettingsSchema = z
  .object({
    kinds: z.array(
      z.object({
        kind,
        days: days.meta({ description: "For how many days it is kept; null for ever" }),
        defaultDays: days.meta({ description: "For how many days it is kept if nobody has chosen" }),
        leastDays: count.meta({ description: "The fewest days that can be chosen" }),
        chosenDays: days.optional().meta({ description: "What was chosen in the settings; absent for the default" }),
        variable: z.string().meta({ description: "The environment variable for it" }),
        isFromEnvironment: z.boolean().meta({ description: "Whether it is set there, which has precedence" }),
      }),
    ),
    ...versionFields,
  })
  .meta({ id: "RetentionSettings" });
export type RetentionSettings = z.infer<typeof retentionSettingsSchema>;

export const setRetentionSettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  days: z
    .strictObject(
      forEachKind((name) => {
        const { least } = RETENTION_RULES[name];
        return z.int().min(least, `must be at least ${least}`).max(MAX_RETENTION_DAYS).nullable().optional();
      }),
    )
    .meta({
      description: "For how many days each kind is kept, null for ever; a kind that is absent gets its default",
    }),
});
export type SetRetentionSettings = z.output<typeof setRetentionSettingsInput>;

const removedSchema = z.array(z.object({ kind, rows: count })).meta({ description: "How much of what was removed" });

export const retentionStatusSchema = z
  .object({
    isRunning: z.boolean().meta({ description: "Whether old data is being removed, by any process" }),
    lastRun: z
      .object({
        startedAt: timestamp,
        completedAt: timestamp.nullable().meta({ description: "null if it was ended before, or is running" }),
        removed: removedSchema,
      })
      .nullable(),
    nextRunAt: timestamp.nullable().meta({ description: "When it is next due; null before the server has looked" }),
  })
  .meta({ id: "RetentionStatus" });
export type RetentionStatus = z.infer<typeof retentionStatusSchema>;

export const retentionPreviewSchema = z
  .array(
    z.object({
      kind,
      days,
      rows: count.meta({ description: "How many there are, about" }),
      bytes,
      oldRows: count.meta({ description: "How many would be removed now" }),
      oldBytes: bytes.meta({ description: "About how many bytes these take" }),
      oldestAt: timestamp.nullable(),
      oldestKeptAt: timestamp.nullable().meta({ description: "The oldest that is not old enough to be removed" }),
    }),
  )
  .meta({ id: "RetentionPreview" });
export type RetentionPreview = z.infer<typeof retentionPreviewSchema>;
