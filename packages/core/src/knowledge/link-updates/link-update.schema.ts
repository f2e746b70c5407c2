import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { isTagName, MAX_TAG_LENGTH } from "../markdown/tag-form.ts";

/** What renaming or moving something changed in the links to it. */
export const linkCountsSchema = z
  .object({
    id: z.string().meta({ description: "By which it can be undone" }),
    links: z.number().meta({ description: "How many links were changed" }),
    notes: z.number().meta({ description: "In how many notes" }),
  })
  .meta({ id: "LinkCounts" });
export type LinkCounts = z.infer<typeof linkCountsSchema>;

const tagName = z
  .string()
  .trim()
  .transform((name) => name.replace(/^#/, ""));

export const renameTagInput = z.object({
  from: tagName
    .pipe(z.string().min(1, "is required").max(MAX_TAG_LENGTH, "must be at most 100 characters"))
    .meta({ description: "The tag, with or without #. Those nested in it keep the rest of their names" }),
  to: tagName
    .pipe(z.string().refine(isTagName, "must be letters, digits, _, - and / and neither a number nor a colour"))
    .meta({ description: "Its new name" }),
});
export type RenameTag = z.infer<typeof renameTagInput>;

const pathChange = z.object({ from: z.string(), to: z.string() });
const changedNote = z.object({ id: z.string(), path: z.string() });

export const linkUpdateSchema = linkCountsSchema
  .extend({
    origin: z.enum(["request", "outside", "undo"]).meta({
      description: "Who moved the files: a request, another program on the disk, or the undoing of an update",
    }),
    tagRename: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .meta({ description: "Set if a tag was renamed, which changes tags in place of links" }),
    moves: z.array(pathChange).meta({ description: "The old and new paths; at most 100 of them" }),
    isDone: z.boolean(),
    undoneById: z.string().nullable().meta({ description: "The update by which this one was undone" }),
    createdAt: timestamp,
  })
  .meta({ id: "LinkUpdate" });
export type LinkUpdate = z.infer<typeof linkUpdateSchema>;

export const undoneUpdateSchema = linkUpdateSchema
  .extend({
    refused: z.array(changedNote).meta({
      description: "Notes that have been changed since: only their links were changed back",
    }),
  })
  .meta({ id: "UndoneLinkUpdate" });
export type UndoneLinkUpdate = z.infer<typeof undoneUpdateSchema>;
