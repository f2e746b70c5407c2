import { queryOptions } from "@tanstack/react-query";
import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import { WriteQueue } from "../../api/write-queue.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { readOrShowKept } from "../../local-copy/local-copy.ts";
import { toasts } from "../../components/toast.ts";
import {
  editedItems,
  itemsNamedBy,
  toInput,
  type ChecklistEdit,
  type ChecklistItem,
} from "../outbox/checklist-edit.ts";
import { sendOrKeep } from "./task-actions.ts";

export type TaskDetails = Outputs["tasks"]["details"]["data"];
export type TaskRef = TaskDetails["subtasks"][number];
export type LinkKind = NonNullable<Inputs["tasks"]["link"]["add"]>[number]["kind"];
export type LinkTarget = Inputs["tasks"]["linked"]["kind"];

const detailsKey = (id: string) => ["tasks", "details", id];

/** Everything that belongs to a task, besides its sessions and its activity. */
export function detailsQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: detailsKey(id),
    async queryFn({ signal }): Promise<TaskDetails> {
      const writes = checklistWritesOf(client, id);
      // What was read may lack a change that has been answered since.
      for (;;) {
        const { answered } = writes;
        const { data } = await readOrShowKept(client, detailsKey(id), () =>
          client.api.tasks.details.query({ id }, { signal }),
        );
        if (answered === writes.answered) return { ...data, checklist: withPreviews(writes.waiting, data.checklist) };
      }
    },
  });
}

/** The tasks that refer to a note, a session or a conversation. */
export function linkedQuery(client: Client, kind: LinkTarget, targetId: string) {
  return queryOptions({
    queryKey: ["tasks", "linked", kind, targetId],
    queryFn: async ({ signal }) => (await client.api.tasks.linked.query({ kind, targetId }, { signal })).data,
  });
}

/** Adds or removes one link; a refusal is shown. */
export async function changeLink(
  client: Client,
  id: string,
  change: "add" | "remove",
  link: { readonly kind: LinkKind; readonly id: string },
): Promise<void> {
  await reporting(client, "Could not change the link", async () => {
    const { data } = await client.api.tasks.link.mutate({ id, [change]: [link] });
    client.queries.setQueryData(detailsKey(id), data);
    if (link.kind === "session") await client.queries.invalidateQueries({ queryKey: [["tasks", "sessions"]] });
  });
}

/** Has no effect on items that it has been applied to. */
type ChecklistPreview = (items: readonly ChecklistItem[]) => readonly ChecklistItem[];

/** The changes of a task's checklist. */
interface ChecklistWrites {
  /** Those that the server has not answered. */
  readonly waiting: ChecklistPreview[];
  /** How many it has answered. */
  answered: number;
}

/** The changes of checklists, which the server gets one after the other. */
const checklistWrites = clientPart(() => ({ queue: new WriteQueue(), byTask: new Map<string, ChecklistWrites>() }));

function checklistWritesOf(client: Client, id: string): ChecklistWrites {
  const { byTask } = checklistWrites(client);
  const writes = byTask.get(id) ?? { waiting: [], answered: 0 };
  byTask.set(id, writes);
  return writes;
}

function withPreviews(previews: readonly ChecklistPreview[], items: readonly ChecklistItem[]): ChecklistItem[] {
  return [...previews.reduce((shown, preview) => preview(shown), items)];
}

/**
 * Changes the checklist, whose items are given as they are shown: shown at once, kept while the server is away, and as it was if the
 * server refuses.
 */
export async function changeChecklist(
  client: Client,
  id: string,
  edit: ChecklistEdit,
  items: readonly ChecklistItem[],
): Promise<void> {
  const preview: ChecklistPreview = (shown) => editedItems(shown, edit);
  const before = itemsNamedBy(edit, items);
  const writes = checklistWritesOf(client, id);
  const show = (next: (shown: readonly ChecklistItem[]) => ChecklistItem[]) =>
    client.queries.setQueryData(detailsKey(id), (details: TaskDetails | undefined) =>
      details === undefined ? undefined : { ...details, checklist: next(details.checklist) },
    );
  writes.waiting.push(preview);
  await client.queries.cancelQueries({ queryKey: detailsKey(id) });
  show((shown) => withPreviews([preview], shown));
  await checklistWrites(client).queue.add([id], async () => {
    const isChanged = await reporting(client, "Could not change the checklist", async () => {
      const response = await sendOrKeep(client, id, { kind: "checklist", edit, before }, () =>
        client.api.tasks.changeChecklist.mutate({ id, ...toInput(edit) }),
      );
      // What was changed meanwhile stays shown.
      if (response !== undefined) show(() => withPreviews(writes.waiting.slice(1), response.data));
    });
    writes.waiting.shift();
    writes.answered += 1;
    if (!isChanged && writes.waiting.length === 0) await client.queries.invalidateQueries({ queryKey: detailsKey(id) });
  });
}

/** Makes items subtasks, or subtasks items; a refusal is shown. */
export async function convertChecklist(
  client: Client,
  id: string,
  what: { readonly itemIds: string[] } | { readonly subtaskIds: string[] },
): Promise<void> {
  await checklistWrites(client).queue.add([id], () =>
    reporting(client, "Could not convert it", () => client.api.tasks.convertChecklist.mutate({ id, ...what })),
  );
  await client.queries.invalidateQueries({ queryKey: detailsKey(id) });
}

async function reporting(client: Client, message: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
    return false;
  }
}
