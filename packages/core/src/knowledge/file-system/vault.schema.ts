import * as z from "zod";
import { pagingInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { linkCountsSchema } from "../link-updates/link-update.schema.ts";

const MAX_CONTENT_CHARACTERS = 64 * 1024 * 1024;

const path = z.string().min(1, "is required").meta({
  description: "Relative to the vault's root, with or without a leading slash",
  example: "/notes/today.md",
});

/** The precondition of a write: an ETag without quotes, several separated by commas, or `*` for any. */
export const expectedHash = z.string().max(1_000).optional().meta({
  description: "The contentHash that the change is based on; 412 if it has changed since. Same as `If-Match`.",
});

const contentHash = z
  .string()
  .meta({ description: "SHA-256 of the file in lower-case hex; for very large files, of samples" });

export interface FileEntry {
  name: string;
  path: string;
  type: "file" | "directory";
  size?: number | undefined;
  modifiedAt: string;
  children?: FileEntry[] | undefined;
}

export const fileEntrySchema: z.ZodType<FileEntry> = z
  .object({
    name: z.string(),
    path: z.string(),
    type: z.enum(["file", "directory"]),
    size: z.number().optional().meta({ description: "In bytes; files only" }),
    modifiedAt: timestamp,
    get children() {
      return z.array(fileEntrySchema).optional();
    },
  })
  .meta({ id: "FileEntry" });

export const listInput = z.object({
  path: z.string().optional(),
  recursive: z.enum(["true", "false"]).optional(),
  type: z.literal("directory").optional().meta({ description: "Leaves files out" }),
  ...pagingInput,
});

export const pathInput = z.object({ path });

export const writeInput = z.object({
  path,
  content: z.string().max(MAX_CONTENT_CHARACTERS),
  expectedHash,
  createOnly: z.boolean().optional().meta({ description: "409 if the file exists already" }),
});

export const deleteInput = z.object({ path, expectedHash });
export const renameInput = z.object({ oldPath: path, newPath: path });
export const moveInput = z.object({ sourcePath: path, destinationPath: path });

export const readOutput = z.object({ path: z.string(), content: z.string(), modifiedAt: timestamp, contentHash });
export const writeOutput = z.object({ path: z.string(), created: z.boolean(), contentHash, modifiedAt: timestamp });
export const createdOutput = z.object({ path: z.string(), created: z.boolean() });
export const deletedOutput = z.object({ path: z.string(), deleted: z.boolean() });
export const renamedOutput = z.object({
  oldPath: z.string(),
  newPath: z.string(),
  linkUpdate: linkCountsSchema.optional().meta({ description: "What was changed in links, if anything was" }),
});
export type RenamedEntry = z.infer<typeof renamedOutput>;
export const movedOutput = renamedOutput.extend({ moved: z.boolean() });

export type ReadFile = z.infer<typeof readOutput>;
export type WriteFileInput = z.infer<typeof writeInput>;
export type WriteFileOutput = z.infer<typeof writeOutput>;
