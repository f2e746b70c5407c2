import { newLocalId, newUuid } from "../../api/local-id.ts";
import { writeOptimistically, type WriteOutbox } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import type { ProjectChange } from "../outbox/kept-change.ts";
import { outbox } from "../outbox/outbox.ts";
import { seenProject } from "../outbox/seen-row.ts";
import { patchedProject } from "../outbox/show-change.ts";
import { shownProject } from "../outbox/shown-change.ts";
import { projectCollection } from "./project-collection.ts";
import type { NewProject, Project, ProjectPatch } from "./project.ts";
import { toasts } from "../../components/toast.ts";

/** Creates a project optimistically. Rejects with a RequestError if the server refuses: the form keeps its input. */
export async function createProject(client: Client, input: NewProject): Promise<Project | undefined> {
  const now = new Date().toISOString();
  const shown: Project = {
    id: newUuid(),
    name: input.name.trim(),
    color: input.color,
    description: input.description ?? null,
    createdAt: now,
    modifiedAt: now,
    deletedAt: null,
    version: "",
  };
  return writeOptimistically({
    collection: projectCollection(client),
    rowId: shown.id,
    outbox: keptBy(client, shown.id, { kind: "create-project", input, shown }),
    apply: (project) => project ?? shown,
    send: () => client.api.projects.create.mutate({ ...input, id: shown.id }),
    confirm: (output) => output.data,
  });
}

/** Changes a project optimistically. Rejects with a RequestError if the server refuses: the form keeps its input. */
export async function updateProject(client: Client, id: string, patch: ProjectPatch): Promise<void> {
  const { name, color, description } = projectCollection(client).get(id) ?? {};
  await writeOptimistically({
    collection: projectCollection(client),
    rowId: id,
    outbox: keptBy(client, id, { kind: "update-project", patch, before: { name, color, description } }),
    apply: (project) => project && patchedProject(project, patch),
    send: (realId) => client.api.projects.update.mutate({ id: realId, ...patch }),
    confirm: (output) => output.data,
  });
}

/** Deletes a project optimistically; its tasks stay. Undoable. */
export async function deleteProject(client: Client, project: Project): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: "Project deleted",
    detail: project.name,
    undo: () => void restoreProject(client, project),
  };
  undoStack(client).offer(action);
  await sendDeletedAt(client, project, new Date().toISOString(), "delete", action);
}

export async function restoreProject(client: Client, project: Project): Promise<void> {
  await sendDeletedAt(client, project, null, "restore");
}

/** Has a change of a project kept while the server is away. */
function keptBy(client: Client, rowId: string, change: ProjectChange): WriteOutbox<Project> {
  const { isFirst, keep } = outbox(client);
  const title =
    change.kind === "create-project" ? change.shown.name : (projectCollection(client).get(rowId)?.name ?? "");
  return { isFirst, keep: (pending) => keep({ rowId, title, change }, shownProject(pending)) };
}

async function sendDeletedAt(
  client: Client,
  project: Project,
  deletedAt: string | null,
  verb: string,
  action?: UndoableAction,
): Promise<void> {
  const { id, name } = project;
  try {
    await writeOptimistically({
      collection: projectCollection(client),
      rowId: id,
      outbox: keptBy(
        client,
        id,
        deletedAt === null
          ? { kind: "restore-project", at: "" }
          : { kind: "delete-project", at: deletedAt, seen: seenProject(project) },
      ),
      apply: (row) => row && { ...row, deletedAt },
      send: async (realId) =>
        deletedAt === null
          ? (await client.api.projects.restore.mutate({ id: realId })).data
          : (await client.api.projects.delete.mutate({ id: realId })).data,
      confirm: (output, shown) => shown && { ...shown, deletedAt: output.deletedAt },
    });
  } catch (error) {
    if (action !== undefined) undoStack(client).withdraw(action);
    toasts(client).show({
      message: `Could not ${verb} the project “${name}”`,
      detail: toRequestError(error).message,
      tone: "danger",
      ...(action !== undefined && { id: action.id }),
    });
  }
}
