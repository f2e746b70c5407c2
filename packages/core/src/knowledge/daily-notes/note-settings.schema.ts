import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";
import { namesEachDay } from "./day-name.ts";

const MAX_FOLDERS = 50;
const path = z.string().trim().max(1_000, "must be at most 1,000 characters");
const template = path.min(1, "must not be empty").meta({ description: "The path of a Markdown file" });

const settings = z.object({
  dailyFolder: path.meta({ description: "The folder of the daily notes; empty for the root of the vault" }),
  dailyName: z
    .string()
    .trim()
    .max(100, "must be at most 100 characters")
    .refine(
      namesEachDay,
      "must give each day a name of its own, with YYYY, a month (MM, M, MMM, MMMM) and a day (DD, D)",
    )
    .meta({
      description:
        "The name of a daily note without .md, and folders for it: YYYY, MMMM, MMM, MM, M, DD, D, dddd and ddd stand for parts of the day, and [text] for the text",
      example: "YYYY/MM/YYYY-MM-DD",
    }),
  dailyTemplate: template.nullable().meta({ description: "The template of a daily note; null for an empty one" }),
  templateFolder: path.min(1, "must not be empty").meta({ description: "The folder of the templates" }),
  folderTemplates: z
    .array(z.object({ folder: path, template }))
    .max(MAX_FOLDERS, `must hold at most ${MAX_FOLDERS} folders`)
    .meta({ description: "Templates for new notes in a folder and below it; the nearest folder counts" }),
});
export type NoteSettingsDocument = z.infer<typeof settings>;

export const setNoteSettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  ...settings.shape,
});
export type SetNoteSettings = z.infer<typeof setNoteSettingsInput>;

export const noteSettingsSchema = settings.extend(versionFields).meta({ id: "NoteSettings" });
export type NoteSettings = z.infer<typeof noteSettingsSchema>;
