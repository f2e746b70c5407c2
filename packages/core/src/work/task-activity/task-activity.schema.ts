import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { authorSchema } from "../../platform/procedures/author.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { CHANGED_FIELDS } from "../tasks/task-change.ts";
import { partySchema } from "../tasks/task.schema.ts";

const MAX_COMMENT_CHARACTERS = 10_000;

const fieldValue = z.union([
  z.string(),
  z.number(),
  z.array(z.string()),
  z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      isDone: z.boolean().optional().meta({ description: "Of an item of the checklist" }),
      afterId: z.string().nullish().meta({ description: "Of an item of the checklist: the one before it" }),
    }),
  ),
  partySchema,
  z.null(),
]);

const fieldChange = z
  .object({ field: z.enum(CHANGED_FIELDS), before: fieldValue, after: fieldValue })
  .meta({ id: "TaskFieldChange", description: "A field and its values; of a description the first 500 characters" });

const common = { id: z.string(), author: authorSchema, createdAt: timestamp };

export const taskChangeSchema = z
  .object({
    kind: z.literal("change"),
    ...common,
    changes: z.array(fieldChange),
    undoesId: z.string().nullable().meta({ description: "The change that this one undoes" }),
  })
  .meta({ id: "TaskChange" });
export type TaskChange = z.infer<typeof taskChangeSchema>;

export const mentionableSchema = z
  .object({ kind: z.enum(["user", "agent"]), id: z.string(), name: z.string() })
  .meta({ id: "Mentionable" });

export const taskCommentSchema = z
  .object({
    kind: z.literal("comment"),
    ...common,
    text: z.string().meta({ description: "Markdown" }),
    mentions: z.array(mentionableSchema).meta({ description: "The users and agents whose names it mentions" }),
    editedAt: timestamp.nullable(),
  })
  .meta({ id: "TaskComment" });
export type TaskComment = z.infer<typeof taskCommentSchema>;

const taskCreationSchema = z
  .object({
    kind: z.literal("creation"),
    ...common,
    author: authorSchema.nullable().meta({ description: "null if the task is older than the history of tasks" }),
  })
  .meta({ id: "TaskCreation" });

export const activityEntrySchema = z.discriminatedUnion("kind", [
  taskChangeSchema,
  taskCommentSchema,
  taskCreationSchema,
]);
export type ActivityEntry = z.infer<typeof activityEntrySchema>;

export const listActivityInput = z.object({
  id: z.string(),
  only: z.enum(["changes", "comments"]).optional().meta({ description: "Everything by default" }),
  limit: z.number().int().min(1).max(100).default(50),
  cursor: cursorInput,
});
export type ListActivity = z.infer<typeof listActivityInput>;

export const changeByIdInput = z.object({ id: z.string(), changeId: z.string() });
export type ChangeById = z.infer<typeof changeByIdInput>;

/** The whole description, if it was changed. */
export const changeDetailSchema = taskChangeSchema
  .extend({
    descriptionBefore: z.string().nullable().meta({ description: "The whole description; null if there was none" }),
    descriptionAfter: z.string().nullable(),
  })
  .meta({ id: "TaskChangeDetail" });
export type ChangeDetail = z.infer<typeof changeDetailSchema>;

const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_COMMENT_CHARACTERS, "must be at most 10,000 characters")
  .meta({ description: "Markdown. `@name` mentions a user, who is notified, or an agent" });

export const addCommentInput = z.object({
  id: z.string(),
  commentId: z.uuid("must be a UUID").optional().meta({
    description:
      "Chosen by the caller, so that a request without a response can be repeated: if the caller has written a comment with this id on this task, that one is returned as it is now",
  }),
  text,
});
export type AddComment = z.infer<typeof addCommentInput>;
export const commentByIdInput = z.object({ id: z.string(), commentId: z.string() });
export type CommentById = z.infer<typeof commentByIdInput>;
export const editCommentInput = commentByIdInput.extend({ text });
export type EditComment = z.infer<typeof editCommentInput>;
