import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { showToast } from "../../components/toast.ts";
import { offerUndo, withdrawUndo, type UndoableAction } from "../../undo/undo-stack.ts";
import { projectCollection } from "./project-collection.ts";
import type { NewProject, Project, ProjectPatch } from "./project.ts";

/** Makes a project, shown at once. Rejects with a RequestError where the server refuses: the form keeps its input. */
export async function createProject(input: NewProject): Promise<Project | undefined> {
  const now = new Date().toISOString();
  const shown: Project = {
    id: newLocalId(),
    name: input.name.trim(),
    color: input.color,
    description: input.description ?? null,
    createdAt: now,
    modifiedAt: now,
    deletedAt: null,
    version: "",
  };
  return writeOptimistically({
    collection: projectCollection,
    rowId: shown.id,
    apply: () => shown,
    send: () => trpcClient.projects.create.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Changes a project at once. Rejects with a RequestError where the server refuses: the form keeps its input. */
export async function updateProject(id: string, patch: ProjectPatch): Promise<void> {
  await writeOptimistically({
    collection: projectCollection,
    rowId: id,
    apply: (project) =>
      project && {
        ...project,
        name: patch.name?.trim() ?? project.name,
        color: patch.color ?? project.color,
        description: patch.description === undefined ? project.description : patch.description,
      },
    send: (realId) => trpcClient.projects.update.mutate({ id: realId, ...patch }),
    confirm: (output) => output.data,
  });
}

/** Deletes a project at once; its tasks stay. Undoable. */
export async function deleteProject(project: Project): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: "Project deleted",
    detail: project.name,
    undo: () => void restoreProject(project),
  };
  offerUndo(action);
  await sendDeletedAt(project, new Date().toISOString(), "delete", action);
}

export async function restoreProject(project: Project): Promise<void> {
  await sendDeletedAt(project, null, "restore");
}

async function sendDeletedAt(
  { id, name }: Project,
  deletedAt: string | null,
  verb: string,
  action?: UndoableAction,
): Promise<void> {
  try {
    await writeOptimistically({
      collection: projectCollection,
      rowId: id,
      apply: (row) => row && { ...row, deletedAt },
      send: async (realId) =>
        deletedAt === null
          ? (await trpcClient.projects.restore.mutate({ id: realId })).data
          : (await trpcClient.projects.delete.mutate({ id: realId })).data,
      confirm: (output, shown) => shown && { ...shown, deletedAt: output.deletedAt },
    });
  } catch (error) {
    if (action !== undefined) withdrawUndo(action);
    showToast({
      message: `Could not ${verb} the project “${name}”`,
      detail: toRequestError(error).message,
      tone: "danger",
      ...(action !== undefined && { id: action.id }),
    });
  }
}
