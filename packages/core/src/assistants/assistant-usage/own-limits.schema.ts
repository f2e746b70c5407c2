import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";
import { ownLimit, USAGE_ASSISTANTS } from "./assistant-usage.schema.ts";

const ownLimits = z.object({
  assistants: z
    .array(
      z.object({
        assistant: z.enum(USAGE_ASSISTANTS),
        fiveHours: ownLimit.nullable(),
        sevenDays: ownLimit.nullable(),
      }),
    )
    .max(USAGE_ASSISTANTS.length, `must hold at most ${USAGE_ASSISTANTS.length} assistants`)
    .refine((rows) => new Set(rows.map(({ assistant }) => assistant)).size === rows.length, "must name each once")
    .meta({ description: "Those with limits of your own" }),
});
export type OwnLimitsDocument = z.infer<typeof ownLimits>;

export const setOwnLimitsInput = z.object({ expectedVersion: expectedVersion("the limits have"), ...ownLimits.shape });
export type SetOwnLimits = z.infer<typeof setOwnLimitsInput>;

export const ownLimitsSchema = ownLimits.extend(versionFields).meta({ id: "OwnAssistantLimits" });
export type OwnLimits = z.infer<typeof ownLimitsSchema>;
