import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { selectTask } from "../../work/tasks/task.queries.ts";
import { committedSubject } from "./committed-subject.ts";
import { selectTaskSessions, type TaskSessionRow } from "./task-sessions.queries.ts";
import type { TaskSession } from "./task-sessions.schema.ts";

export type TaskSessionService = ReturnType<typeof createTaskSessionService>;

/** What assistants' sessions did for tasks. A session belongs to the tasks that its prompts or the input of its tools name. */
export function createTaskSessionService({ db }: Deps<"db">) {
  return {
    /** The latest first, at most twenty. Throws {@link NotFoundError}. */
    async list(taskId: string): Promise<TaskSession[]> {
      if (!isUuid(taskId) || (await selectTask(db.pool, taskId)) === null)
        throw new NotFoundError("There is no such task.");
      return (await selectTaskSessions(db.pool, taskId)).map(toSession);
    },
  };
}

function toSession({ commits, costUsd, totalTokens, ...session }: TaskSessionRow): TaskSession {
  return {
    ...session,
    costUsd,
    totalTokens,
    commits: commits.flatMap(({ command, committedAt }) => {
      const subject = committedSubject(command);
      return subject === undefined ? [] : [{ subject, committedAt: new Date(committedAt).toISOString() }];
    }),
    link: `/hooks/sessions/${encodeURIComponent(session.sessionId)}`,
  };
}
