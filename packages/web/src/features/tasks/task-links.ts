import { queryOptions } from "@tanstack/react-query";
import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import { WriteQueue } from "../../api/write-queue.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { toasts } from "../../components/toast.ts";

export type TaskDetails = Outputs["tasks"]["details"]["data"];
export type TaskRef = TaskDetails["subtasks"][number];
export type ChecklistItem = TaskDetails["checklist"][number];
export type LinkKind = NonNullable<Inputs["tasks"]["link"]["add"]>[number]["kind"];
export type LinkTarget = Inputs["tasks"]["linked"]["kind"];

const detailsKey = (id: string) => ["tasks", "details", id];

/** Everything that belongs to a task, besides its sessions and its activity. */
export function detailsQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: detailsKey(id),
    queryFn: async ({ signal }) => (await client.api.tasks.details.query({ id }, { signal })).data,
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

type ChecklistChange = Omit<Inputs["tasks"]["changeChecklist"], "id">;
type ChecklistPreview = (items: readonly ChecklistItem[]) => readonly ChecklistItem[];

/** The changes of checklists that the server has not answered, which it gets one after the other. */
const checklistWrites = clientPart(() => ({
  queue: new WriteQueue(),
  previews: new Map<string, ChecklistPreview[]>(),
}));

/** Changes the checklist: shown at once, and as it was if the server refuses. */
export async function changeChecklist(
  client: Client,
  id: string,
  change: ChecklistChange,
  preview: ChecklistPreview,
): Promise<void> {
  const { queue, previews } = checklistWrites(client);
  const show = (next: ChecklistPreview) =>
    client.queries.setQueryData(detailsKey(id), (details: TaskDetails | undefined) =>
      details === undefined ? undefined : { ...details, checklist: [...next(details.checklist)] },
    );
  const waiting = previews.get(id) ?? [];
  previews.set(id, waiting);
  waiting.push(preview);
  await client.queries.cancelQueries({ queryKey: detailsKey(id) });
  show(preview);
  await queue.add([id], async () => {
    const isChanged = await reporting(client, "Could not change the checklist", async () => {
      const { data } = await client.api.tasks.changeChecklist.mutate({ id, ...change });
      // What was changed meanwhile stays shown.
      show(() => waiting.slice(1).reduce((items, later) => later(items), data as readonly ChecklistItem[]));
    });
    waiting.shift();
    if (!isChanged && waiting.length === 0) await client.queries.invalidateQueries({ queryKey: detailsKey(id) });
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
