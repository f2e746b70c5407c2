import * as z from "zod";
import { taskSchema } from "../tasks/task.schema.ts";
import { MAX_CHECKLIST, MAX_ITEM_LENGTH } from "../tasks/checklist.ts";

const MANY = `must contain at most ${MAX_CHECKLIST} items`;
const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_ITEM_LENGTH, `must be at most ${MAX_ITEM_LENGTH} characters`);
const itemIds = z.array(z.string()).max(MAX_CHECKLIST, MANY);
const afterId = z.string().nullable().meta({ description: "The item that they come after; null for the beginning" });

const newItem = z.object({
  id: z
    .uuid("must be a UUID")
    .optional()
    .meta({ description: "An id of the caller's own, so that the item can be changed before the response has come" }),
  text,
  isDone: z.boolean().optional(),
});

export const checklistItemSchema = z
  .object({ id: z.string(), text: z.string(), isDone: z.boolean() })
  .meta({ id: "ChecklistItem" });

export const changeChecklistInput = z
  .object({
    id: z.string(),
    add: z
      .array(z.union([text, newItem]))
      .max(MAX_CHECKLIST, MANY)
      .optional()
      .meta({ description: "New items, or their texts alone" }),
    afterId: afterId.optional().meta({ description: "Where new items are added; by default at the end" }),
    set: z
      .array(z.object({ id: z.string(), text: text.optional(), isDone: z.boolean().optional() }))
      .max(MAX_CHECKLIST, MANY)
      .optional()
      .meta({ description: "Items with a new text, or ticked or not" }),
    move: z
      .object({ id: z.string(), afterId })
      .optional()
      .meta({ description: "An item that moves after another one, or to the beginning" }),
    remove: itemIds.optional().meta({ description: "The ids of items that are deleted" }),
  })
  .refine(({ add, set, move, remove }) => (add ?? set ?? move ?? remove) !== undefined, {
    path: ["add"],
    message: "give what to add, set, move or remove",
  });
export type ChangeChecklist = z.infer<typeof changeChecklistInput>;

export const convertChecklistInput = z
  .object({
    id: z.string(),
    itemIds: itemIds.min(1).optional().meta({ description: "The items that become subtasks" }),
    subtaskIds: itemIds.min(1).optional().meta({
      description: "The subtasks, without subtasks of their own, that become items. They are deleted as tasks",
    }),
  })
  .refine((given) => (given.itemIds === undefined) !== (given.subtaskIds === undefined), {
    path: ["itemIds"],
    message: "give either items or subtasks",
  });
export type ConvertChecklist = z.infer<typeof convertChecklistInput>;

export const convertedSchema = z
  .object({
    checklist: z.array(checklistItemSchema),
    created: z.array(taskSchema).meta({ description: "The subtasks that items became" }),
  })
  .meta({ id: "ConvertedChecklist" });
export type ConvertedChecklist = z.infer<typeof convertedSchema>;
