import type { Inputs } from "../../api/api.ts";
import { chosenIdOf, isLocalId } from "../../api/local-id.ts";
import type { DetailsPatch } from "../documents/document.ts";
import type { NewProject, Project, ProjectPatch } from "../projects/project.ts";
import type { NewTask, Task, TaskPatch } from "../tasks/task.ts";
import type { ChecklistEdit, ChecklistItem } from "./checklist-edit.ts";

type Place = Omit<Inputs["tasks"]["move"], "id">;

/** What is to be done to a task. */
export type TaskChange =
  /** `shown` is the task as it is shown until the server has it. */
  | { readonly kind: "create"; readonly input: NewTask; readonly shown: Task }
  /** `before` has the fields as they were when they were changed. */
  | { readonly kind: "update"; readonly patch: TaskPatch; readonly before: Partial<Task> }
  | { readonly kind: "move"; readonly place: Place; readonly shown: Partial<Task> }
  /** `seen` is what was deleted, as it was then; not known of a deletion that an earlier release has kept. */
  | { readonly kind: "delete"; readonly at: string; readonly seen?: Partial<Task> }
  | { readonly kind: "restore"; readonly at: string }
  /** `before` has the items that it names as they were. */
  | { readonly kind: "checklist"; readonly edit: ChecklistEdit; readonly before: readonly ChecklistItem[] }
  | { readonly kind: "comment"; readonly commentId: string; readonly text: string; readonly at: string };

/** What is to be done to a project, whose id is chosen here when it is created. */
export type ProjectChange =
  | { readonly kind: "create-project"; readonly input: NewProject; readonly shown: Project }
  | { readonly kind: "update-project"; readonly patch: ProjectPatch; readonly before: ProjectPatch }
  /** `seen` as for a task. */
  | { readonly kind: "delete-project"; readonly at: string; readonly seen?: ProjectPatch }
  | { readonly kind: "restore-project"; readonly at: string };

/** A note to create, under an id that was chosen here. */
export interface NewNote {
  readonly kind: "create-note";
  readonly path: string;
  readonly content: string;
  /** Where the server may have created it before it was renamed or moved here. */
  readonly formerPaths: readonly string[];
  /** Whether it becomes a part of the note that there may be at its path by then, as notes of a day do. */
  readonly joins?: boolean;
  /** Its tags, project and other properties, if some were set before it was created. */
  readonly details?: DetailsPatch;
  readonly at: string;
}

/** What is to be done to a note that was created here. */
export type NoteChange =
  | NewNote
  /** It was deleted before the server was known to have it, which it may all the same. */
  | { readonly kind: "delete-note"; readonly created: NewNote };

/** A folder to create. */
export interface FolderChange {
  readonly kind: "create-folder";
  readonly path: string;
}

/** What is to be done to a document that the server has. */
export type DocumentChange =
  /** It is renamed or moved to `path`, unless it is neither there nor at one of `formerPaths`, which it had here before. */
  | {
      readonly kind: "move-document";
      readonly path: string;
      readonly formerPaths: readonly string[];
      /** Whether its title is in its text, and stays; not known of a change from an older release. */
      readonly isTitleWritten?: boolean;
    }
  /** `before` has the properties as they were when they were changed, `earlier` what they were changed to in between. */
  | {
      readonly kind: "update-document";
      readonly patch: DetailsPatch;
      readonly before: DetailsPatch;
      readonly earlier: readonly DetailsPatch[];
    }
  | { readonly kind: "delete-document"; readonly seen: SeenDocument; readonly at: string }
  /** Where it was, unless it says where. */
  | { readonly kind: "restore-document"; readonly path?: string };

/** What a document was like when it was deleted here. */
export interface SeenDocument {
  readonly hash: string;
  /** Its text and properties, if the page had them, with what was changed here and is still to be saved. */
  readonly content: string | null;
}

/** Why a change was not made: it was refused, or the fields were changed elsewhere, too. */
export interface ChangeProblem {
  readonly reason: string;
  /** What can be done instead, by a button with this label; `otherwise` is the label of the one that discards the change. */
  readonly instead?: { readonly label: string; readonly otherwise: string; readonly change: KeptChange["change"] };
  /** The task as it is on the server, if that differs from what the change was made of. */
  readonly theirs?: Partial<Task>;
  /** The same of a project. */
  readonly project?: ProjectPatch;
  /** The items of the checklist as they are on the server, if they differ from what the change was made of. */
  readonly items?: readonly ChecklistItem[];
  /** There is something else at the path of a note. */
  readonly isPathTaken?: boolean;
  /** What was changed has been deleted. */
  readonly isGone?: boolean;
}

/** A change that is to be sent. */
export interface KeptChange {
  /** In the order in which they were made. */
  readonly number: number;
  readonly userId: string;
  /** The id of the task, the project or the note, or one of the change, which is a temporary one of a task that was created here. */
  readonly rowId: string;
  readonly title: string;
  readonly change: TaskChange | ProjectChange | NoteChange | DocumentChange | FolderChange;
  readonly problem: ChangeProblem | null;
}

export type NewKeptChange = Omit<KeptChange, "number" | "userId" | "problem">;

/** The rows without which a change cannot be made: its own, the project that it gives a task, and the parent. */
export function rowsOf({ rowId, change }: Pick<KeptChange, "rowId" | "change">): string[] {
  const fields = change.kind === "create" ? change.input : change.kind === "update" ? change.patch : {};
  const ofNote =
    change.kind === "create-note"
      ? change.details?.projectId
      : change.kind === "update-document"
        ? change.patch.projectId
        : undefined;
  return [rowId, fields.projectId, fields.parentId, ofNote].filter((id) => typeof id === "string");
}

/** Whether a change is a deletion after which the same has been restored: then nothing is to be deleted, nor asked about it. */
export function isTakenBack({ number, rowId, change }: KeptChange, kept: readonly KeptChange[]): boolean {
  const restoration = change.kind.replace("delete", "restore");
  return (
    restoration !== change.kind &&
    kept.some(
      (later) =>
        later.number > number && later.change.kind === restoration && serverIdOf(later.rowId) === serverIdOf(rowId),
    )
  );
}

/** Whether it is a change of a document, also of one that is still to be created. */
export function isOfDocument(change: KeptChange["change"]): change is NoteChange | DocumentChange {
  return /-(note|document)$/.test(change.kind);
}

/** The server's id of a task, also of one that it does not know yet. */
export function serverIdOf(rowId: string): string {
  return isLocalId(rowId) ? chosenIdOf(rowId) : rowId;
}

/** What refers to other tasks, with their ids on the server. */
export function toServer<
  Fields extends {
    afterId?: string | undefined;
    beforeId?: string | undefined;
    parentId?: string | null | undefined;
  },
>(fields: Fields): Fields {
  const named = { ...fields };
  if (typeof named.parentId === "string") named.parentId = serverIdOf(named.parentId);
  if (named.afterId !== undefined) named.afterId = serverIdOf(named.afterId);
  if (named.beforeId !== undefined) named.beforeId = serverIdOf(named.beforeId);
  return named;
}

/** The fields of a change that somebody else has changed, too, to something else. */
export function fieldsInConflict(patch: TaskPatch, before: Partial<Task>, current: Task): Field[] {
  return fieldsOf(patch).filter(
    (field) => !isSame(current[field], before[field]) && !isSame(current[field], patch[field]),
  );
}

/** What of a change the server does not have yet. */
export function missingIn(current: Task, patch: TaskPatch): TaskPatch {
  return pick(
    patch,
    fieldsOf(patch).filter((field) => !isSame(current[field], patch[field])),
  );
}

type Field = keyof TaskPatch & keyof Task;

/** The fields of a task that a change gives. */
export function fieldsOf(patch: TaskPatch): Field[] {
  const others = new Set<string>(["expectedVersion", "claimId"]);
  const isField = (name: string): name is Field => !others.has(name);
  return Object.keys(patch)
    .filter(isField)
    .filter((field) => patch[field] !== undefined);
}

export function pick<Fields extends object>(from: Fields, names: readonly (keyof Fields)[]): Partial<Fields> {
  const picked: Partial<Fields> = {};
  for (const name of names) picked[name] = from[name];
  return picked;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
