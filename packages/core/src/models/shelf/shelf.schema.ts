import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";

/** What can be a favourite, and is remembered when it is opened. */
export const SHELF_KINDS = ["task", "document", "project", "conversation", "session", "agent", "memory"] as const;
export type ShelfKind = (typeof SHELF_KINDS)[number];

export const MAX_FAVOURITES = 100;
export const MAX_RECENT = 50;
/** So many more are remembered, so that what was opened does not become news again. */
export const MAX_REMEMBERED = 1_000;

const kind = z.enum(SHELF_KINDS);
const id = z.string().min(1, "is required").max(500, "must be at most 500 characters");

export const shelfItemInput = z.object({ kind, id });
export type ShelfItemInput = z.infer<typeof shelfItemInput>;

export const addFavouriteInput = shelfItemInput.extend({
  before: z
    .object({ kind, id })
    .optional()
    .meta({ description: "The favourite before which it is put; at the end by default. One that exists is moved" }),
});
export type AddFavourite = z.infer<typeof addFavouriteInput>;

export const shelfItemSchema = z
  .object({
    kind,
    id: z.string(),
    title: z.string(),
    path: z.string().optional().meta({ description: "Of a document" }),
    color: z.string().optional().meta({ description: "Of a project" }),
    url: z.string().meta({ description: "Its page in the dashboard, relative to the server's address" }),
    openedAt: timestamp.nullable().meta({ description: "When it was opened last, if that is known" }),
  })
  .meta({ id: "ShelfItem" });
export type ShelfItem = z.infer<typeof shelfItemSchema>;

export const shelfSchema = z
  .object({
    favourites: z.array(shelfItemSchema).meta({ description: "At most 100, in the person's order" }),
    recent: z.array(shelfItemSchema).meta({ description: "What was opened last, at most 50, newest first" }),
  })
  .meta({ id: "Shelf" });
export type Shelf = z.infer<typeof shelfSchema>;
