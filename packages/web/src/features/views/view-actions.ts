import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { toasts } from "../../components/toast.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import { setViewOrder } from "./view-collection.ts";
import { viewCollection } from "./view-rows.ts";
import type { View, ViewPatch, ViewSettings } from "./view.ts";

/** Saves a new view optimistically. Rejects with a RequestError if the server refuses: the form keeps its input. */
export async function createView(
  client: Client,
  input: { readonly name: string; readonly color: string | null; readonly settings: ViewSettings },
): Promise<View | undefined> {
  const now = new Date().toISOString();
  const shown: View = {
    ...input,
    id: newLocalId(),
    name: input.name.trim(),
    createdAt: now,
    modifiedAt: now,
    deletedAt: null,
    version: "",
  };
  return writeOptimistically({
    collection: viewCollection(client),
    rowId: shown.id,
    apply: () => shown,
    send: () => client.api.taskViews.create.mutate(input),
    confirm: (output) => output.data,
  });
}

/** Changes a view optimistically. Rejects with a RequestError if the server refuses. */
export async function updateView(client: Client, id: string, patch: ViewPatch): Promise<void> {
  await writeOptimistically({
    collection: viewCollection(client),
    rowId: id,
    apply: (view) => view && changedBy(view, patch),
    send: (realId) => client.api.taskViews.update.mutate({ id: realId, ...patch }),
    confirm: (output) => output.data,
  });
}

function changedBy(view: View, { name, color, settings }: ViewPatch): View {
  return {
    ...view,
    name: name?.trim() ?? view.name,
    color: color === undefined ? view.color : color,
    settings: {
      filter: settings?.filter ?? view.settings.filter,
      layout: settings?.layout ?? view.settings.layout,
      group: settings?.group ?? view.settings.group,
      sort: settings?.sort ?? view.settings.sort,
    },
  };
}

/** Gives a view the settings that are shown. Undoable. */
export async function saveSettings(client: Client, view: View, settings: ViewSettings): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: "View saved",
    detail: view.name,
    undo: () =>
      void attempt(client, "undo the change of", view, updateView(client, view.id, { settings: view.settings })),
  };
  undoStack(client).offer(action);
  await attempt(client, "save", view, updateView(client, view.id, { settings }), action);
}

/** A copy, as a view of its own; undefined if it was refused. */
export async function duplicateView(client: Client, { name, color, settings }: View): Promise<View | undefined> {
  const copy = { name: `${name.slice(0, 93)} (copy)`, color, settings };
  try {
    return await createView(client, copy);
  } catch (error) {
    toasts(client).show({
      message: `Could not duplicate “${name}”`,
      detail: toRequestError(error).message,
      tone: "danger",
    });
    return undefined;
  }
}

/** Deletes a view optimistically. Undoable. */
export async function deleteView(client: Client, view: View): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label: "View deleted",
    detail: view.name,
    undo: () => void restoreView(client, view),
  };
  undoStack(client).offer(action);
  await attempt(client, "delete", view, sendDeletedAt(client, view.id, new Date().toISOString()), action);
}

export async function restoreView(client: Client, view: View): Promise<void> {
  await attempt(client, "restore", view, sendDeletedAt(client, view.id, null));
}

/** Moves a view before another one, or to the end. */
export async function moveView(
  client: Client,
  views: readonly View[],
  id: string,
  beforeId: string | null,
): Promise<void> {
  const before = views.map((view) => view.id);
  const others = before.filter((other) => other !== id);
  const index = beforeId === null ? others.length : others.indexOf(beforeId);
  const ids = [...others.slice(0, index), id, ...others.slice(index)];
  setViewOrder(client, ids);
  try {
    await client.api.taskViews.order.mutate({ ids });
  } catch (error) {
    setViewOrder(client, before);
    toasts(client).show({
      message: "Could not change the order of the views",
      detail: toRequestError(error).message,
      tone: "danger",
    });
  }
}

async function sendDeletedAt(client: Client, rowId: string, deletedAt: string | null): Promise<void> {
  await writeOptimistically({
    collection: viewCollection(client),
    rowId,
    apply: (view) => view && { ...view, deletedAt },
    send: (id) =>
      deletedAt === null ? client.api.taskViews.restore.mutate({ id }) : client.api.taskViews.delete.mutate({ id }),
    confirm: (output, shown) => shown && { ...shown, deletedAt: output.data.deletedAt },
  });
}

async function attempt(
  client: Client,
  verb: string,
  view: View,
  written: Promise<void>,
  action?: UndoableAction,
): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (action !== undefined) undoStack(client).withdraw(action);
    toasts(client).show({
      message: `Could not ${verb} the view “${view.name}”`,
      detail: toRequestError(error).message,
      tone: "danger",
      ...(action !== undefined && { id: action.id }),
    });
  }
}
