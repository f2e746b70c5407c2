import type { PendingHandle } from "../../api/collection.ts";
import type { Document } from "../documents/document.ts";
import type { Project } from "../projects/project.ts";
import type { Task } from "../tasks/task.ts";

/** What a change has made of its task, project or note, as the server has it. */
export interface SentRow {
  readonly task?: Task;
  readonly project?: Project;
  readonly document?: Document;
}

/** A kept change as it is shown in the rows. */
export interface ShownChange {
  confirm(row: SentRow): void;
  rollback(): void;
}

/** Of checklists, comments and folders, which are shown from what is kept. */
export const SHOWN_ELSEWHERE: ShownChange = { confirm: () => undefined, rollback: () => undefined };

export function shownTask({ confirm, rollback }: PendingHandle<Task>): ShownChange {
  return { confirm: ({ task }) => (task === undefined ? rollback() : confirm(task)), rollback };
}

export function shownProject({ confirm, rollback }: PendingHandle<Project>): ShownChange {
  return { confirm: ({ project }) => (project === undefined ? rollback() : confirm(project)), rollback };
}

export function shownNote({ confirm, rollback }: PendingHandle<Document>): ShownChange {
  return { confirm: ({ document }) => (document === undefined ? rollback() : confirm(document)), rollback };
}
