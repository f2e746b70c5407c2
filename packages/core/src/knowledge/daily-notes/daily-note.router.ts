import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  appendedToDaySchema,
  appendToDayInput,
  createdDailyNoteSchema,
  dailyNoteInput,
  dailyNoteSchema,
  filledTemplateSchema,
  fillTemplateInput,
} from "./daily-note.schema.ts";
import type { DailyNoteService } from "./daily-note.service.ts";
import { noteSettingsSchema, setNoteSettingsInput } from "./note-settings.schema.ts";
import type { NoteSettingsService } from "./note-settings.service.ts";
import type { NoteTemplates } from "./note-templates.ts";

interface DailyNoteServices {
  readonly dailyNotes: DailyNoteService;
  readonly noteSettings: NoteSettingsService;
  readonly noteTemplates: NoteTemplates;
}

const procedure = userProcedure<DailyNoteServices>().tagged("Notes");

/** Notes of days, templates, and where both are. */
export const dailyNoteRouter = {
  daily: procedure
    .rest("GET /notes/daily", "Get the note of a day, or what it would begin with, and the daily notes around it")
    .input(dailyNoteInput)
    .output(dataOf(dailyNoteSchema))
    .query(({ ctx, input }) => asData(ctx.services.dailyNotes.get(input, authorOf(ctx)))),

  createDaily: procedure
    .rest("POST /notes/daily", "Create the note of a day from its template, unless there is one", {
      errorStatuses: [403, 404, 409, 413, 507],
    })
    .input(dailyNoteInput)
    .output(dataOf(createdDailyNoteSchema))
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.dailyNotes.create(input, ctx.principal, authorOf(ctx))),
    ),

  appendToday: procedure
    .rest("POST /notes/daily/append", "Add text at the end of the note of a day, which is created if there is none", {
      errorStatuses: [403, 404, 409, 413, 507],
      bodyLimit: "content",
    })
    .input(appendToDayInput)
    .output(dataOf(appendedToDaySchema))
    .v1("knowledge:write")
    .tool(
      "Add text at the end of today's daily note, on lines of its own; the note is created if there is none. With a key of your own, a repeated call adds nothing.",
      { name: "notes_today", allows: "Add text at the end of daily notes.", echoes: true },
    )
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.dailyNotes.append(input, ctx.principal, authorOf(ctx))),
    ),

  fillTemplate: procedure
    .rest("POST /notes/templates/fill", "Fill in the variables of a template", { errorStatuses: [403, 404, 413] })
    .input(fillTemplateInput)
    .output(dataOf(filledTemplateSchema))
    .query(({ ctx, input }) => asData(ctx.services.noteTemplates.fill(input, authorOf(ctx)))),

  settings: procedure
    .rest("GET /notes/settings", "Get where daily notes and templates are")
    .output(dataOf(noteSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.noteSettings.get())),

  setSettings: procedure
    .rest("PUT /notes/settings", "Set where daily notes and templates are", { errorStatuses: [403, 412] })
    .input(setNoteSettingsInput)
    .output(dataOf(noteSettingsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.noteSettings.set(input))),
};
