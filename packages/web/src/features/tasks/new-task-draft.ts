import { useCallback, useMemo, type KeyboardEvent } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { useDraft } from "../../drafts/draft.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useToday } from "../../dates/use-now.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { newTaskDraftKey } from "./quick-add.tsx";
import { createTask } from "./task-creation.ts";
import type { NewTaskDefaults, NewTaskDraft } from "./new-task-defaults.ts";
import { useTaskReader, type CapturedPart, type CapturedTask } from "./task-reader.ts";
import { DEFAULT_PRIORITY, isTaskStatus, type NewTask } from "./task.ts";

export interface NewTaskForm {
  readonly draft: NewTaskDraft;
  /** What the title says about the task, besides its title. */
  readonly parts: readonly CapturedPart[];
  /** The task that a line would become, with what was chosen here; refused words stay in its title. */
  read(line: string, refused: readonly string[]): { readonly input: NewTask; readonly parts: readonly CapturedPart[] };
  /** Leaves the words of a part in the title. */
  refuse(part: CapturedPart): void;
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
  dueTime: null,
  status: "todo",
  tags: [],
  refused: [],
};

/** A form for a new task that survives a reload. `name` distinguishes forms in different places. */
export function useNewTaskForm(name: string, defaults: NewTaskDefaults): NewTaskForm {
  const client = useClient();
  const [stored, setStored] = useDraft(newTaskDraftKey(name));
  const start = useMemo(() => ({ ...EMPTY, ...defaults }), [defaults]);
  const given = useMemo(() => parseStored(stored, toDraft), [stored]);
  const draft = useMemo(() => ({ ...start, ...given }), [start, given]);
  const capture = useCapture(given);
  const captured = useMemo(() => capture(given.title ?? "", given.refused), [capture, given]);
  const reset = useCallback(() => setStored(null), [setStored]);
  const change = (part: Partial<NewTaskDraft>) => {
    // What was refused belongs to words that are gone.
    const refused = part.title?.trim() === "" ? { refused: [] } : {};
    setStored(JSON.stringify({ ...given, ...part, ...refused }));
  };
  return {
    draft,
    parts: captured?.parts ?? [],
    read: (line, refused) => {
      const read = capture(line, refused);
      return { input: toInput({ ...draft, title: line }, read), parts: read?.parts ?? [] };
    },
    refuse: ({ text }) => change({ refused: [...draft.refused, text] }),
    isTouched: stored !== null,
    change,
    submit: () => {
      if (draft.title.trim() === "") return false;
      void createTask(client, toInput(draft, captured));
      reset();
      return true;
    },
    reset,
  };
}

/** Handles the key that leaves the last recognised words in the title. Returns whether it was that key. */
export function refusesLast(event: KeyboardEvent, { parts, refuse }: Pick<NewTaskForm, "parts" | "refuse">): boolean {
  if (event.key !== "." || !(event.ctrlKey || event.metaKey)) return false;
  event.preventDefault();
  const last = parts.findLast(({ field }) => field !== "unknown-project");
  if (last !== undefined) refuse(last);
  return true;
}

/** Reads what a title says about the task, except fields that were chosen; to null until the reader is loaded. */
function useCapture(
  chosen: Partial<NewTaskDraft>,
): (title: string, refused?: readonly string[]) => CapturedTask | null {
  const client = useClient();
  const reader = useTaskReader();
  const today = useToday();
  const projects = useCollection(projectCollection(client));
  return useCallback(
    (title, refused) => {
      if (reader === null || title === "") return null;
      const except = new Set<"due" | "priority" | "project">();
      if (chosen.dueDate !== undefined) except.add("due");
      if (chosen.priority !== undefined) except.add("priority");
      if (chosen.projectId !== undefined) except.add("project");
      return reader.readTaskText(client, title, { except, ...(refused !== undefined && { refused }) });
    },
    // oxlint-disable-next-line react/exhaustive-deps -- Days are read from today on, and names of projects from what is loaded.
    [client, reader, chosen.dueDate, chosen.priority, chosen.projectId, today, projects],
  );
}

/** When and how often a task that was read is due. Without a date, the server finds the first one of its rule. */
export function dueFieldsOf({ dueDate, dueTime, repeat, repeatFrom }: Partial<CapturedTask>): Partial<NewTask> {
  return {
    ...(dueDate !== undefined && { dueDate }),
    ...(dueTime !== undefined && { dueTime }),
    ...(repeat !== undefined && { repeat, repeatTimezone: localTimeZone() }),
    ...(repeatFrom !== undefined && { repeatFrom }),
  };
}

function toInput(draft: NewTaskDraft, captured: CapturedTask | null): NewTask {
  const { projectId, priority, status } = draft;
  const { dueDate, dueTime } = draft;
  return {
    title: captured?.title ?? draft.title.trim(),
    projectId: captured?.projectId ?? projectId,
    priority: captured?.priority ?? priority,
    ...(dueDate === null ? {} : { dueDate, dueTime }),
    ...dueFieldsOf(captured ?? {}),
    status,
    tags: [...new Set([...draft.tags, ...(captured?.tags ?? [])])],
  };
}

/** Parses a stored draft; invalid fields are dropped. */
function toDraft(value: unknown): Partial<NewTaskDraft> {
  if (typeof value !== "object" || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  const title = fields.get("title");
  const projectId = fields.get("projectId");
  const priority = fields.get("priority");
  const dueDate = fields.get("dueDate");
  const dueTime = fields.get("dueTime");
  const refused = fields.get("refused");
  const status = fields.get("status");
  const tags = fields.get("tags");
  return {
    ...(typeof title === "string" && { title }),
    ...((typeof projectId === "string" || projectId === null) && { projectId }),
    ...((priority === 1 || priority === 2 || priority === 3) && { priority }),
    ...((typeof dueDate === "string" || dueDate === null) && { dueDate }),
    ...((typeof dueTime === "string" || dueTime === null) && { dueTime }),
    ...(Array.isArray(refused) && { refused: refused.filter((text) => typeof text === "string") }),
    ...(isTaskStatus(status) && { status }),
    ...(Array.isArray(tags) && { tags: tags.filter((tag) => typeof tag === "string") }),
  };
}
