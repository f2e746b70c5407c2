import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";

const MAX_PROJECTS = 500;
const tokens = z.number().int().min(0).max(2500, "must be at most 2,500");

/** The most tokens of memories that sessions are given; 0: none. */
const memoryLimits = z.object({
  sessionStart: tokens.meta({ description: "At the start of a session" }),
  prompt: tokens.meta({ description: "With a prompt" }),
  file: tokens.meta({ description: "When a file is about to be read or changed" }),
});
export type MemoryLimits = z.infer<typeof memoryLimits>;

const settings = z.object({
  standard: memoryLimits.meta({ description: "For every project without limits of its own" }),
  projects: z
    .array(memoryLimits.extend({ project: z.string().trim().min(1, "must not be empty").max(1000) }))
    .max(MAX_PROJECTS, `must hold at most ${MAX_PROJECTS} projects`)
    .refine((rows) => new Set(rows.map(({ project }) => project)).size === rows.length, "must name each project once")
    .meta({ description: "Projects by their git remote, such as github.com/ada/app, or their folder" }),
});
export type MemorySettingsDocument = z.infer<typeof settings>;

export const setMemorySettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  ...settings.shape,
});
export type SetMemorySettings = z.infer<typeof setMemorySettingsInput>;

export const memorySettingsSchema = settings.extend(versionFields).meta({ id: "MemorySettings" });
export type MemorySettings = z.infer<typeof memorySettingsSchema>;
