import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";

/** What renaming or moving something changed in the links to it. */
export const linkCountsSchema = z
  .object({
    id: z.string().meta({ description: "By which it can be undone" }),
    links: z.number().meta({ description: "How many links were changed" }),
    notes: z.number().meta({ description: "In how many notes" }),
  })
  .meta({ id: "LinkCounts" });
export type LinkCounts = z.infer<typeof linkCountsSchema>;

const pathChange = z.object({ from: z.string(), to: z.string() });
const changedNote = z.object({ id: z.string(), path: z.string() });

export const linkUpdateSchema = linkCountsSchema
  .extend({
    origin: z.enum(["request", "outside", "undo"]).meta({
      description: "Who moved the files: a request, another program on the disk, or the undoing of an update",
    }),
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
