import * as z from "zod";
import { ACTIONS } from "../events.ts";
import { timestamp } from "../procedures/response.ts";
import { RESOURCE_KINDS } from "../resources.ts";

/** With more changed resources than this, reading all of them is as cheap. */
export const MAX_CHANGED = 500;

const position = z
  .string()
  .regex(/^\d{1,15}(?:-\d{1,15})?$/, "expected a position of an earlier response, or the number of a change");

export const changesSinceInput = z.object({
  after: position.optional().meta({
    description:
      "The `position` of an earlier response, or the number of a change, as in the header X-Last-Change; without it, only the present position is returned",
  }),
  resources: z.array(z.enum(RESOURCE_KINDS)).min(1).max(RESOURCE_KINDS.length).meta({ description: "Of these kinds" }),
});
export type ChangesSince = z.infer<typeof changesSinceInput>;

export const changedResourcesSchema = z
  .object({
    position: z.string().meta({ description: "Up to where this response reaches, for the next request" }),
    changed: z
      .array(z.object({ resource: z.enum(RESOURCE_KINDS), resourceId: z.string() }))
      .nullable()
      .meta({
        description: `What has changed, each once and at most ${MAX_CHANGED}; the id * stands for many. null if that is not known or there are more: then everything is to be read`,
      }),
  })
  .meta({ id: "ChangedResources" });
export type ChangedResources = z.infer<typeof changedResourcesSchema>;

const MAX_LISTED = 1000;
/** Longer than any. */
const MAX_POSITION = 200;

export const listChangesInput = z.object({
  after: z.string().min(1).max(MAX_POSITION).optional().meta({
    description: "The `position` of an earlier response; without it, only the present position is returned",
  }),
  resources: z
    .array(z.enum(RESOURCE_KINDS))
    .min(1)
    .max(RESOURCE_KINDS.length)
    .optional()
    .meta({ description: "Only of these kinds" }),
  limit: z.number().int().min(1).max(MAX_LISTED).default(100),
});
export type ListChanges = z.infer<typeof listChangesInput>;

export const listedChangesSchema = z
  .object({
    data: z
      .array(
        z.object({
          resource: z.enum(RESOURCE_KINDS),
          action: z.enum(ACTIONS),
          resourceId: z.string().meta({ description: "The id * stands for many at once: read the list again" }),
          resourceName: z.string().nullable(),
          timestamp,
        }),
      )
      .meta({ description: "The changes of what the key may read, the oldest first" }),
    position: z.string().meta({ description: "Up to where this response reaches: `after` of the next request" }),
    hasMore: z.boolean().meta({ description: "Whether there are more changes already" }),
  })
  .meta({ id: "ListedChanges" });
export type ListedChanges = z.infer<typeof listedChangesSchema>;
