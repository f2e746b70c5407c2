import type { PendingHandle } from "../../../api/collection.ts";
import type { Client } from "../../../client/client.ts";
import { documentCollection, documentQuery } from "../../documents/document-collection.ts";
import type { Document } from "../../documents/document.ts";
import { showUnsentText, withUnsent } from "../../documents/new-notes/unsent-note.ts";
import { projectCollection, projectQuery } from "../../projects/project-collection.ts";
import type { Project, ProjectPatch } from "../../projects/project.ts";
import { readTasks, taskCollection } from "../task-collection.ts";
import { applyPatch } from "../task-patch.ts";
import type { Task } from "../task.ts";
import { serverIdOf, type KeptChange, type TaskChange } from "./kept-change.ts";

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

/** Shows a change that an earlier visit or another tab has kept. */
export function showChange(client: Client, { rowId, change }: KeptChange, kept: readonly KeptChange[]): ShownChange {
  switch (change.kind) {
    case "checklist":
    case "comment":
    case "create-folder":
      return SHOWN_ELSEWHERE;
    case "create-project":
    case "update-project":
    case "delete-project":
    case "restore-project":
      return shownProject(
        projectCollection(client).begin({
          rowId,
          apply: (project) => {
            if (change.kind === "create-project") return project ?? change.shown;
            if (project === undefined) return undefined;
            if (change.kind === "update-project") return patchedProject(project, change.patch);
            return { ...project, deletedAt: change.kind === "delete-project" ? change.at : null };
          },
        }),
      );
    case "create-note":
      showUnsentText(client, rowId, change);
      return shownNote(
        documentCollection(client).begin({ rowId, apply: (document) => withUnsent(client, rowId, change, document) }),
      );
    case "delete-note":
      return shownNote(documentCollection(client).begin({ rowId, apply: () => undefined }));
    case "create":
    case "update":
    case "move":
    case "delete":
    case "restore":
      return showTaskChange(client, rowId, change, kept);
  }
}

function showTaskChange(
  client: Client,
  rowId: string,
  change: Exclude<TaskChange, { kind: "checklist" | "comment" }>,
  kept: readonly KeptChange[],
): ShownChange {
  // A task that was created in an earlier visit is known by the server's id.
  const isCreated = kept.some((other) => other.rowId === rowId && other.change.kind === "create");
  return shownTask(
    taskCollection(client).begin({
      rowId: isCreated ? rowId : serverIdOf(rowId),
      ...(change.kind === "create" && { chosenId: serverIdOf(rowId) }),
      apply: (task) => {
        if (change.kind === "create") return task ?? change.shown;
        if (task === undefined) return undefined;
        if (change.kind === "move") return { ...task, ...change.shown };
        if (change.kind !== "update") return { ...task, deletedAt: change.kind === "delete" ? change.at : null };
        return applyPatch(task, change.patch, task.modifiedAt, (id) => projectCollection(client).get(id));
      },
    }),
  );
}

/** A project as it is shown with a patch. */
export function patchedProject(project: Project, { name, color, description }: ProjectPatch): Project {
  return {
    ...project,
    name: name?.trim() ?? project.name,
    color: color ?? project.color,
    description: description === undefined ? project.description : description,
  };
}

/** Reads what a change has changed, once another tab has sent it, or after it was discarded. */
export async function readChanged(client: Client, { rowId, change }: KeptChange): Promise<void> {
  if (change.kind.endsWith("-project")) {
    await client.queries.fetchQuery({ ...projectQuery(client, rowId), staleTime: 0 });
  } else if (change.kind === "comment") {
    await client.queries.invalidateQueries({ queryKey: ["tasks", "activity"] });
  } else if (change.kind === "create-note" || change.kind === "delete-note") {
    await client.queries.fetchQuery({ ...documentQuery(client, rowId), staleTime: 0 });
  } else if (change.kind === "create-folder") {
    await client.queries.invalidateQueries({ queryKey: ["documents", "folders"] });
  } else if (change.kind === "checklist") {
    await client.queries.invalidateQueries({ queryKey: ["tasks", "details", serverIdOf(rowId)] });
  } else await readTasks(client, [serverIdOf(rowId)]);
}
