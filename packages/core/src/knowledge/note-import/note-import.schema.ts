import * as z from "zod";

export const NOTE_FORMATS = ["auto", "obsidian", "notion", "bear", "basic-memory", "markdown", "workspace"] as const;
export type NoteFormat = (typeof NOTE_FORMATS)[number];

export const importNotesQuery = z.object({
  format: z.enum(NOTE_FORMATS).default("auto").meta({
    description:
      "What the archive is: an Obsidian vault, an export of Notion (Markdown & CSV, or HTML), of Bear (a backup or TextBundles), of basic-memory, a folder of Markdown files, or an export of a workspace; by default it is recognised",
  }),
  folder: z
    .string()
    .max(1_000, "must be at most 1,000 characters")
    .default("")
    .meta({ description: "The folder of the vault that everything goes into; the root by default" }),
  dryRun: z.boolean().default(true).meta({ description: "Only says what would be imported" }),
});
export type ImportNotes = z.infer<typeof importNotesQuery>;

const STATES = ["new", "known", "exists"] as const;

export const noteImportSchema = z
  .object({
    isDryRun: z.boolean(),
    format: z.enum(NOTE_FORMATS).meta({ description: "As which it was read" }),
    createdCount: z.number().int().meta({ description: "How many files were written, or would be" }),
    noteCount: z.number().int().meta({ description: "How many of them are notes" }),
    createdBytes: z.number().meta({ description: "How large they are in the archive" }),
    knownCount: z
      .number()
      .int()
      .meta({ description: "How many were imported before; whatever has become of them, they stay so" }),
    existingCount: z.number().int().meta({ description: "At how many paths there is something else, which stays" }),
    skippedCount: z.number().int().meta({ description: "How many files of the archive are left out" }),
    files: z
      .array(
        z.object({
          source: z.string().meta({ description: "Its path in the archive" }),
          path: z.string().meta({ description: "Its path in the vault" }),
          isNote: z.boolean(),
          sizeBytes: z.number(),
          state: z.enum(STATES).meta({
            description:
              "new: it is written; known: it was imported before, and may have been changed, moved or deleted since; exists: there is another file at the path",
          }),
        }),
      )
      .meta({ description: "The first two hundred, new ones first" }),
    skipped: z
      .array(z.object({ place: z.string(), reason: z.string() }))
      .meta({ description: "The first two hundred files that are left out" }),
  })
  .meta({ id: "NoteImport" });
export type NoteImport = z.infer<typeof noteImportSchema>;
export type ImportedState = NoteImport["files"][number]["state"];
