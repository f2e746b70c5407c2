import type { Project, ProjectPatch } from "../projects/project.ts";
import type { Task } from "../tasks/task.ts";
import { isSame, pick, toServer, type ChangeProblem, type KeptChange } from "./kept-change.ts";

const TASK_FIELDS = [
  "title",
  "description",
  "status",
  "priority",
  "projectId",
  "parentId",
  "dueDate",
  "dueTime",
  "tags",
  "repeat",
] as const satisfies readonly (keyof Task)[];

/** What of a task must be as the user has seen it for it to be deleted. */
export function seenTask(task: Task): Partial<Task> {
  return toServer(pick(task, TASK_FIELDS));
}

/** The same of a project. */
export function seenProject({ name, color, description }: Project): ProjectPatch {
  return { name, color, description };
}

/** Why something is not deleted as it is now without asking, and the deletion of just that; null if it is as it was seen. */
export function deletionProblem(
  seen: object | undefined,
  current: object,
  again: KeptChange["change"],
): ChangeProblem | null {
  if (seen === undefined || isSame(seen, current)) return null;
  return {
    reason: "It was changed elsewhere since you saw it, so it is still there.",
    instead: { label: "Delete it anyway", otherwise: "Keep it", change: again },
  };
}

/** What was seen with what a change that was sent has made of `former`: what else others have changed by then was not seen. */
export function seenAfter<Seen extends object>(seen: Seen, former: Seen, current: Seen): Seen {
  const before = new Map<string, unknown>(Object.entries(former));
  const changed = Object.entries(current).filter(([name, value]) => !isSame(value, before.get(name)));
  return { ...seen, ...Object.fromEntries(changed) };
}
