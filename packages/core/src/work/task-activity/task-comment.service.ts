import { transaction, type PoolClient } from "@workspace/db";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import { MAX_PUSHED_CALL, MAX_PUSHED_TEXT, shortened } from "../../access/push/pushed-text.ts";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectTask } from "../tasks/task.queries.ts";
import { findMentions, type Mentionable } from "./mentions.ts";
import type { AddComment, CommentById, EditComment, TaskComment } from "./task-activity.schema.ts";
import {
  deleteComment,
  insertComment,
  selectCommentForUpdate,
  selectMentionable,
  updateComment,
  type StoredComment,
} from "./task-comment.queries.ts";

const PUSH_TTL_S = 24 * 60 * 60;

export interface TaskCommentServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** Keeps the values of secrets out of messages. */
  readonly redactor: Redactor;
  /** Sends a message to the devices of these users. */
  readonly notify: (message: PushMessage, userIds: readonly string[]) => void;
}

export type TaskCommentService = ReturnType<typeof createTaskCommentService>;

/** What people, agents and assistants write to each other about a task. */
export function createTaskCommentService(deps: TaskCommentServiceDeps) {
  const { db, clock, ids, events, redactor, notify } = deps;

  const publish = (taskId: string, { taskTitle }: StoredComment) =>
    events.publish({ resource: "task", action: "edit", resourceId: taskId, resourceName: taskTitle });

  const mentionsIn = async (text: string): Promise<Mentionable[]> =>
    text.includes("@") ? findMentions(text, await selectMentionable(db.pool)) : [];

  /** Sends a message to the users among the mentioned, except to one who mentions themself. */
  function notifyMentioned(
    taskId: string,
    comment: StoredComment,
    author: Author,
    mentioned: readonly Mentionable[],
  ): void {
    const isAuthor = (userId: string) => author.kind === "person" && author.userId === userId;
    const userIds = mentioned.filter(({ kind, id }) => kind === "user" && !isAuthor(id)).map(({ id }) => id);
    if (userIds.length === 0) return;
    const title = `${author.kind === "chat" ? "A chat" : author.name} mentions you: ${comment.taskTitle}`;
    const message: PushMessage = {
      title: shortened(redactor.redact(title), MAX_PUSHED_CALL),
      body: shortened(redactor.redact(comment.text), MAX_PUSHED_TEXT),
      path: `/tasks?${new URLSearchParams({ task: taskId }).toString()}`,
      tag: `comment-${comment.id}`,
      ttlS: PUSH_TTL_S,
    };
    notify(message, userIds);
  }

  return {
    /** The users and agents that a comment can mention, by name. */
    listMentionable: (): Promise<Mentionable[]> => selectMentionable(db.pool),

    /**
     * Adds a comment, only once for each id that the caller chooses. Throws {@link NotFoundError}, {@link InvalidInputError} for a deleted
     * task, and {@link ConflictError} if another comment has the id.
     */
    async add({ id, commentId = ids(), text }: AddComment, author: Author): Promise<TaskComment> {
      if (!isUuid(id)) throw noSuchTask();
      const mentions = await mentionsIn(text);
      const comment = { id: commentId, taskId: id, author, text, mentions, createdAt: clock.now() };
      const stored = await insertComment(db.pool, comment);
      if (stored === null) {
        const written = await findWritten(deps, { id, commentId }, author);
        if (written !== null) return toComment(written);
        const task = await selectTask(db.pool, id);
        if (task === null) throw noSuchTask();
        if (task.deletedAt === null) throw new ConflictError("There is another comment with this id.");
        throw new InvalidInputError("The task is deleted. Restore it before commenting on it.");
      }
      publish(id, stored);
      notifyMentioned(id, stored, author, mentions);
      return toComment(stored);
    },

    /**
     * Replaces the text of the author's own comment; who was not mentioned in it before is notified. Throws {@link NotFoundError},
     * and {@link ForbiddenError} for the comment of another author.
     */
    async edit({ id, commentId, text }: EditComment, author: Author): Promise<TaskComment> {
      const mentions = await mentionsIn(text);
      const [before, after] = await transaction(db.pool, async (client) => {
        const current = await requireComment(client, { id, commentId });
        if (!isSameAuthor(current.author, author)) throw new ForbiddenError("Only its author can edit a comment.");
        await updateComment(client, { id: commentId, text, mentions, editedAt: clock.now() });
        return [current, await requireComment(client, { id, commentId })];
      });
      publish(id, after);
      const known = new Set(before.mentions.map((mention) => mention.id));
      notifyMentioned(
        id,
        after,
        author,
        mentions.filter((mention) => !known.has(mention.id)),
      );
      return toComment(after);
    },

    /**
     * Deletes the author's own comment; a person can delete any. Throws {@link NotFoundError}, and {@link ForbiddenError} for the
     * comment of another author.
     */
    async delete({ id, commentId }: CommentById, author: Author): Promise<{ id: string; deleted: true }> {
      const comment = await transaction(db.pool, async (client) => {
        const current = await requireComment(client, { id, commentId });
        if (author.kind !== "person" && !isSameAuthor(current.author, author))
          throw new ForbiddenError("Only its author or a person can delete a comment.");
        await deleteComment(client, commentId);
        return current;
      });
      publish(id, comment);
      return { id: commentId, deleted: true };
    },
  };
}

/** The comment that the same author has written on a task with an id that they chose; null if there is none. */
async function findWritten(
  { db }: Pick<TaskCommentServiceDeps, "db">,
  { id, commentId }: CommentById,
  author: Author,
): Promise<StoredComment | null> {
  const found = await transaction(db.pool, (client) => selectCommentForUpdate(client, id, commentId));
  return found !== null && isSameAuthor(found.author, author) ? found : null;
}

async function requireComment(client: PoolClient, { id, commentId }: CommentById): Promise<StoredComment> {
  const isPossible = isUuid(id) && isUuid(commentId);
  const comment = isPossible ? await selectCommentForUpdate(client, id, commentId) : null;
  if (comment === null) throw new NotFoundError("There is no such comment on this task.");
  return comment;
}

/** Whether both are the same person, agent, conversation, key or token, in whatever session or run. */
function isSameAuthor(one: Author, other: Author): boolean {
  const identityOf = ({ kind, userId, agentId, conversationId, keyId }: Author) =>
    [kind === "person", userId, agentId, conversationId, keyId].join(" ");
  return identityOf(one) === identityOf(other);
}

function toComment({ taskTitle: _taskTitle, ...comment }: StoredComment): TaskComment {
  return { kind: "comment", ...comment };
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
