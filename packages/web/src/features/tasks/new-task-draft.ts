import { useCallback, useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { useDraft } from "../../drafts/draft.ts";
import { toPlainDate, type Day } from "../../dates/day.ts";
import { createTask } from "./task-creation.ts";
import { NO_PROJECT, type TaskFilter } from "./task-filter.ts";
import { DEFAULT_PRIORITY, isTaskStatus, type NewTask, type Priority, type TaskStatus } from "./task.ts";

/** A task being written. */
export interface NewTaskDraft {
  readonly title: string;
  readonly projectId: string | null;
  readonly priority: Priority;
  readonly dueDate: string | null;
  readonly status: TaskStatus;
  readonly tags: readonly string[];
}

export type NewTaskDefaults = Partial<Omit<NewTaskDraft, "title">>;

export interface NewTaskForm {
  readonly draft: NewTaskDraft;
  /** Whether anything was typed or chosen. */
  readonly isTouched: boolean;
  change(part: Partial<NewTaskDraft>): void;
  /** Creates the task and resets the form. Returns false if there is no title. */
  submit(): boolean;
  reset(): void;
}

const EMPTY: NewTaskDraft = {
  title: "",
  projectId: null,
  priority: DEFAULT_PRIORITY,
  dueDate: null,
  status: "todo",
  tags: [],
};

/** A form for a new task that survives a reload. `name` distinguishes forms in different places. */
export function useNewTaskForm(name: string, defaults: NewTaskDefaults): NewTaskForm {
  const client = useClient();
  const [stored, setStored] = useDraft(`new-task.${name}`);
  const start = useMemo(() => ({ ...EMPTY, ...defaults }), [defaults]);
  const draft = useMemo(() => ({ ...start, ...parseStored(stored, toDraft) }), [start, stored]);
  const reset = useCallback(() => setStored(null), [setStored]);
  return {
    draft,
    isTouched: stored !== null,
    change: (part) => setStored(JSON.stringify({ ...draft, ...part })),
    submit: () => {
      if (draft.title.trim() === "") return false;
      void createTask(client, toInput(draft));
      reset();
      return true;
    },
    reset,
  };
}

/** The fields that a new task needs in order to match this filter. */
export function defaultsFrom(filter: TaskFilter, today: Day): NewTaskDefaults {
  const [status] = filter.statuses;
  const [projectId] = filter.projectIds;
  return {
    ...(filter.statuses.length === 1 && status !== undefined && { status }),
    ...(filter.projectIds.length === 1 &&
      projectId !== undefined && { projectId: projectId === NO_PROJECT ? null : projectId }),
    ...(filter.tags.length === 1 && { tags: filter.tags }),
    ...(filter.due.length === 1 && filter.due[0] === "today" && { dueDate: toPlainDate(today) }),
  };
}

function toInput({ title, projectId, priority, dueDate, status, tags }: NewTaskDraft): NewTask {
  return { title: title.trim(), projectId, priority, dueDate, status, tags: [...tags] };
}

/** Parses a stored draft; invalid fields are dropped. */
function toDraft(value: unknown): Partial<NewTaskDraft> {
  if (typeof value !== "object" || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  const title = fields.get("title");
  const projectId = fields.get("projectId");
  const priority = fields.get("priority");
  const dueDate = fields.get("dueDate");
  const status = fields.get("status");
  const tags = fields.get("tags");
  return {
    ...(typeof title === "string" && { title }),
    ...((typeof projectId === "string" || projectId === null) && { projectId }),
    ...((priority === 1 || priority === 2 || priority === 3) && { priority }),
    ...((typeof dueDate === "string" || dueDate === null) && { dueDate }),
    ...(isTaskStatus(status) && { status }),
    ...(Array.isArray(tags) && { tags: tags.filter((tag) => typeof tag === "string") }),
  };
}
