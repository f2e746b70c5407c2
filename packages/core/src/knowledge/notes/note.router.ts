import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  appendToNoteInput,
  changedNoteSchema,
  createNoteInput,
  editNoteInput,
  movedNoteSchema,
  moveNoteInput,
  notePartSchema,
  readNoteInput,
} from "./note.schema.ts";
import type { NoteService } from "./note.service.ts";

const procedure = userProcedure<{ readonly notes: NoteService }>().tagged("Notes");
const entityTagAt = ["data", "contentHash"];

/** Notes as models read and change them, in parts. Programs with `fs` or `documents` handle whole files. */
export const noteRouter = {
  read: procedure
    .rest("POST /notes/read", "Read some lines of a note", { errorStatuses: [403, 404, 413], entityTagAt })
    .input(readNoteInput)
    .output(dataOf(notePartSchema))
    .v1("knowledge:read")
    .tool("Read lines of a note, with the contentHash that a change is to be based on.", {
      allows: "Read parts of notes.",
    })
    .query(({ ctx, input }) => asData(ctx.services.notes.read(input, ctx.principal))),

  create: procedure
    .rest("POST /notes/create", "Create a note; missing folders are created", {
      errorStatuses: [403, 409, 507],
      successStatus: 201,
      bodyLimit: "content",
      entityTagAt,
    })
    .input(createNoteInput)
    .output(dataOf(changedNoteSchema))
    .v1("knowledge:write")
    .tool("Create a note, usually Markdown (.md). An existing one is never replaced.", { allows: "Create notes." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.notes.create(input, ctx.principal, authorOf(ctx)))),

  edit: procedure
    .rest("POST /notes/edit", "Replace texts in a note, all or none", {
      errorStatuses: [403, 404, 409, 412, 413, 507],
      bodyLimit: "content",
      entityTagAt,
      takesIfMatch: "expectedHash",
    })
    .input(editNoteInput)
    .output(dataOf(changedNoteSchema))
    .v1("knowledge:write")
    .tool(
      "Replace exact texts in a note; everything else stays as it is, and the previous version is kept. Send the contentHash from reading it as expectedHash, so that nothing changes if the note has changed since.",
      {
        allows: "Change parts of notes. The previous version is kept.",
        inspect: ({ input }) => Promise.resolve({ effect: "destroys", subject: input.path }),
        echoes: true,
      },
    )
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.notes.edit(input, ctx.principal, authorOf(ctx)))),

  append: procedure
    .rest("POST /notes/append", "Add text at the end of a note", {
      errorStatuses: [403, 404, 409, 413, 507],
      bodyLimit: "content",
      entityTagAt,
    })
    .input(appendToNoteInput)
    .output(dataOf(changedNoteSchema))
    .v1("knowledge:write")
    .tool("Add text at the end of an existing note, on lines of its own. Safe while others write to it.", {
      allows: "Add text at the end of notes.",
      echoes: true,
    })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.notes.append(input, ctx.principal, authorOf(ctx)))),

  move: procedure
    .rest("POST /notes/move", "Rename a note, or move it to another folder", { errorStatuses: [403, 404, 409] })
    .input(moveNoteInput)
    .output(dataOf(movedNoteSchema))
    .v1("knowledge:write")
    .tool(
      "Rename a note, or move it to another folder. Nothing is ever replaced. Links to it are kept in notes that you may change.",
      {
        allows: "Rename and move notes. Links to them are kept.",
      },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.notes.move(input, ctx.principal, authorOf(ctx)))),
};
