import type { Client } from "../../client/client.ts";
import { documentQuery } from "../documents/document-collection.ts";
import { showDocumentChange } from "../documents/kept-changes/show-document-change.ts";
import { projectCollection, projectQuery } from "../projects/project-collection.ts";
import type { Project, ProjectPatch } from "../projects/project.ts";
import { readTasks, taskCollection } from "../tasks/task-collection.ts";
import { applyPatch } from "../tasks/task-patch.ts";
import { isOfDocument, serverIdOf, type KeptChange, type TaskChange } from "./kept-change.ts";
import { shownProject, shownTask, SHOWN_ELSEWHERE, type ShownChange } from "./shown-change.ts";

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
    case "create":
    case "update":
    case "move":
    case "delete":
    case "restore":
      return showTaskChange(client, rowId, change, kept);
    case "create-note":
    case "delete-note":
    case "move-document":
    case "update-document":
    case "delete-document":
    case "restore-document":
      return showDocumentChange(client, rowId, change);
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
  } else if (isOfDocument(change)) {
    await client.queries.fetchQuery({ ...documentQuery(client, rowId), staleTime: 0 });
  } else if (change.kind === "create-folder") {
    await client.queries.invalidateQueries({ queryKey: ["documents", "folders"] });
  } else if (change.kind === "checklist") {
    await client.queries.invalidateQueries({ queryKey: ["tasks", "details", serverIdOf(rowId)] });
  } else await readTasks(client, [serverIdOf(rowId)]);
}
