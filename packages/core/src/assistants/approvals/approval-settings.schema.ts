import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";

const MAX_PROJECTS = 500;
/** Hooks are installed with a limit that lets them wait this long. */
export const MAX_WAIT_S = 120;

const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_S, `must be at most ${MAX_WAIT_S}`)
  .meta({ description: "How long a hook waits for a decision in the dashboard; 0: the assistant asks at once" });

const settings = z.object({
  waitSeconds,
  projects: z
    .array(z.object({ project: z.string().trim().min(1, "must not be empty").max(1000), waitSeconds }))
    .max(MAX_PROJECTS, `must hold at most ${MAX_PROJECTS} projects`)
    .refine((rows) => new Set(rows.map(({ project }) => project)).size === rows.length, "must name each project once")
    .meta({ description: "Projects with a time of their own, by their git remote or their folder" }),
});
export type ApprovalSettingsDocument = z.infer<typeof settings>;

export const setApprovalSettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  ...settings.shape,
});
export type SetApprovalSettings = z.infer<typeof setApprovalSettingsInput>;

export const approvalSettingsSchema = settings.extend(versionFields).meta({ id: "ApprovalSettings" });
export type ApprovalSettings = z.infer<typeof approvalSettingsSchema>;

/** What hooks fetch and keep. */
export const hookApprovalSettingsSchema = settings
  .extend({
    allowances: z
      .array(z.object({ project: z.string(), digest: z.string() }))
      .meta({ description: "Calls that are allowed in a project although a rule asks about them" }),
  })
  .meta({ id: "HookApprovalSettings" });
export type HookApprovalSettings = z.infer<typeof hookApprovalSettingsSchema>;
