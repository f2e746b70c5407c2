import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { expectedHash } from "../file-system/vault.schema.ts";
import { linkCountsSchema } from "../link-updates/link-update.schema.ts";

const MAX_EDITS = 50;
const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_LINES = 2_000;

const path = z
  .string()
  .min(1, "is required")
  .meta({ description: "Relative to the root of the vault", example: "journal/2026-03-01.md" });
const text = z.string().max(MAX_TEXT_CHARACTERS, "must be at most 1,000,000 characters");
const contentHash = z.string().meta({ description: "Identifies the content; send it as expectedHash with a change" });

export const readNoteInput = z.object({
  path,
  fromLine: z.number().int().min(1).max(100_000_000).default(1).meta({ description: "The first line, from 1" }),
  lineCount: z.number().int().min(1).max(MAX_LINES).default(500).meta({ description: "How many lines at most" }),
});
export type ReadNote = z.infer<typeof readNoteInput>;

export const notePartSchema = z
  .object({
    path: z.string(),
    content: z.string().meta({ description: "Whole lines, at most 40,000 characters" }),
    fromLine: z.number().int(),
    toLine: z.number().int().meta({ description: "The last line contained; fromLine - 1 if there is none" }),
    totalLines: z.number().int(),
    nextLine: z.number().int().nullable().meta({ description: "Where to read on; null at the end of the note" }),
    isCut: z.boolean().meta({ description: "Whether the last line is longer than 40,000 characters and was cut" }),
    contentHash,
    modifiedAt: timestamp,
  })
  .meta({ id: "NotePart" });
export type NotePart = z.infer<typeof notePartSchema>;

export const createNoteInput = z.object({
  id: z.uuid("must be a UUID").optional().meta({
    description:
      "The id of its document, chosen by the caller, so that a request without a response can be repeated: if there is a document with this id, nothing is created, and that one is returned as it is now, wherever it is",
  }),
  path,
  content: text,
});
export type CreateNote = z.infer<typeof createNoteInput>;

export const editNoteInput = z.object({
  path,
  edits: z
    .array(
      z.object({
        oldText: text.min(1, "must not be empty").meta({
          description: "The text to replace, exactly as it is in the note. It must occur once, unless all is set",
        }),
        newText: text.meta({ description: "What takes its place; empty to remove it" }),
        all: z.boolean().optional().meta({ description: "Replace every occurrence" }),
      }),
    )
    .min(1, "must contain at least one edit")
    .max(MAX_EDITS, `must contain at most ${MAX_EDITS} edits`)
    .meta({ description: "Made in this order, all or none" }),
  expectedHash,
});
export type EditNote = z.infer<typeof editNoteInput>;

export const appendToNoteInput = z.object({
  path,
  text: text.min(1, "must not be empty").meta({ description: "Added at the end, on lines of its own" }),
});
export type AppendToNote = z.infer<typeof appendToNoteInput>;

export const moveNoteInput = z.object({
  path,
  newPath: path.meta({ description: "Missing folders are created. Nothing is ever replaced" }),
});
export type MoveNote = z.infer<typeof moveNoteInput>;

export const changedNoteSchema = z
  .object({ path: z.string(), contentHash, modifiedAt: timestamp })
  .meta({ id: "ChangedNote" });
export type ChangedNote = z.infer<typeof changedNoteSchema>;

export const movedNoteSchema = z.object({
  path: z.string(),
  newPath: z.string(),
  linkUpdate: linkCountsSchema.optional().meta({ description: "What was changed in links, if anything was" }),
});
export type MovedNote = z.infer<typeof movedNoteSchema>;
