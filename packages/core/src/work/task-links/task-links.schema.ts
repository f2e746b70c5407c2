import * as z from "zod";
import { checklistItemSchema } from "../task-checklist/task-checklist.schema.ts";
import { taskRefSchema } from "../tasks/task.schema.ts";

const MAX_AT_ONCE = 50;
const targetId = z.string().min(1).max(4000);

export const LINK_TARGETS = ["note", "session", "conversation"] as const;
export const LINK_KINDS = ["blockedBy", "blocks", "relatesTo", ...LINK_TARGETS] as const;

const link = z.object({
  kind: z.enum(LINK_KINDS).meta({
    description:
      "blockedBy, blocks, relatesTo: another task; note: a document; session: of an assistant; conversation: a chat",
  }),
  id: targetId.meta({
    description: "Of the other task, the document, the session or the conversation; or a note's path",
  }),
});
export type NewLink = z.infer<typeof link>;
const links = z.array(link).max(MAX_AT_ONCE, `must contain at most ${MAX_AT_ONCE} links`).optional();

export const changeLinksInput = z
  .object({ id: z.string(), add: links, remove: links })
  .refine(({ add, remove }) => (add ?? remove) !== undefined, {
    path: ["add"],
    message: "give what to add or remove",
  });
export type ChangeLinks = z.infer<typeof changeLinksInput>;

const target = {
  id: z.string(),
  title: z.string().meta({ description: "As it is called now, or was called last" }),
  isGone: z.boolean().meta({ description: "Whether it has been deleted" }),
};

export const taskDetailsSchema = z
  .object({
    parents: z.array(taskRefSchema).meta({ description: "What it is a subtask of, from the top" }),
    subtasks: z.array(taskRefSchema).meta({ description: "In their order" }),
    checklist: z.array(checklistItemSchema),
    blockedBy: z.array(taskRefSchema).meta({ description: "What has to be done first, oldest first" }),
    blocks: z.array(taskRefSchema).meta({ description: "What can begin when this is done, oldest first" }),
    relatesTo: z.array(taskRefSchema).meta({ description: "What concerns it, oldest first" }),
    notes: z
      .array(
        z.object({
          ...target,
          path: z.string().nullable().meta({ description: "null if it is gone for good" }),
          isNamed: z.boolean().meta({ description: "Whether the description names it, as in [[note]]" }),
        }),
      )
      .meta({ description: "Of a key, only those that it may read" }),
    conversations: z.array(z.object(target)).meta({ description: "None for a key" }),
  })
  .meta({ id: "TaskDetails" });
export type TaskDetails = z.infer<typeof taskDetailsSchema>;

export const linkedTasksInput = z.object({
  kind: z.enum(LINK_TARGETS),
  targetId: targetId.meta({ description: "The id of the document, session or conversation; or a note's path" }),
});
export type LinkedTasks = z.infer<typeof linkedTasksInput>;
