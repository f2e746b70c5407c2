import * as z from "zod";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { changedNoteSchema } from "../notes/note.schema.ts";
import { isPlainDay } from "./day-name.ts";

const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_KEY_CHARACTERS = 200;

const day = {
  date: z
    .string()
    .refine(isPlainDay, "expected a day of the calendar, such as 2026-03-01")
    .optional()
    .meta({ description: "The day; today by default" }),
  timezone: timeZoneInput
    .optional()
    .meta({ description: "The time zone that decides which day is today; the server's by default" }),
};

export const dailyNoteInput = z.object(day);
export type DailyNoteInput = z.infer<typeof dailyNoteInput>;

export const appendToDayInput = z.object({
  ...day,
  text: z
    .string()
    .min(1, "must not be empty")
    .max(MAX_TEXT_CHARACTERS, "must be at most 1,000,000 characters")
    .meta({ description: "Added at the end, on lines of its own" }),
  key: z.string().trim().min(1).max(MAX_KEY_CHARACTERS, "must be at most 200 characters").optional().meta({
    description: "A key of your own for this text: a call that is repeated with it adds nothing. Kept for 30 days",
  }),
});
export type AppendToDay = z.infer<typeof appendToDayInput>;

const noteOfDay = z.object({ date: z.string(), id: z.string(), path: z.string() });
export type NoteOfDay = z.infer<typeof noteOfDay>;

export const dailyNoteSchema = z
  .object({
    date: z.string(),
    path: z.string().meta({ description: "Where the note is, or would be" }),
    id: z.string().nullable().meta({ description: "The document; null if there is none yet" }),
    begins: z
      .string()
      .nullable()
      .meta({ description: "The text that a new note begins with; null if there is a note" }),
    previous: noteOfDay.nullable().meta({ description: "The latest daily note before" }),
    next: noteOfDay.nullable().meta({ description: "The first daily note after" }),
    ofMonth: z.array(noteOfDay).meta({ description: "The daily notes of its month" }),
  })
  .meta({ id: "DailyNote" });
export type DailyNote = z.infer<typeof dailyNoteSchema>;

export const createdDailyNoteSchema = z
  .object({
    date: z.string(),
    path: z.string(),
    id: z.string(),
    isNew: z.boolean(),
    cursor: z
      .number()
      .int()
      .nullable()
      .meta({ description: "Where the template puts the caret: an offset in the body; null if it does not say" }),
  })
  .meta({ id: "CreatedDailyNote" });
export type CreatedDailyNote = z.infer<typeof createdDailyNoteSchema>;

export const appendedToDaySchema = changedNoteSchema
  .extend({
    date: z.string(),
    isRepeated: z
      .boolean()
      .meta({ description: "Whether the text had been added before, by a call with the same key" }),
  })
  .meta({ id: "AppendedToDay" });
export type AppendedToDay = z.infer<typeof appendedToDaySchema>;

export const fillTemplateInput = z.object({
  template: z.string().min(1, "is required").max(1_000).meta({ description: "The path of the template" }),
  title: z.string().max(500).default("").meta({ description: "The title of the note" }),
  folder: z.string().max(1_000).default("").meta({ description: "The folder of the note" }),
  ...day,
});
export type FillTemplate = z.infer<typeof fillTemplateInput>;

export const filledTemplateSchema = z
  .object({
    content: z.string().meta({ description: "With the frontmatter of the template" }),
    body: z.string().meta({ description: "Without it" }),
    cursor: z.number().int().nullable().meta({ description: "Where the caret belongs, as an offset in the body" }),
  })
  .meta({ id: "FilledTemplate" });
