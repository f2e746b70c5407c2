import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { saveDraftText, useTextSaving, type TextSaving } from "../../drafts/use-text-saving.ts";
import { saveTaskText } from "./task-actions.ts";
import type { Task } from "./task.ts";

/** One of a task's texts while it is edited. */
export function useTaskTextSaving(task: Task, field: "title" | "description"): TextSaving {
  const client = useClient();
  return useTextSaving({
    draftKey: draftKeyOf(task.id, field),
    saved: task[field] ?? "",
    // A title is only saved when the field loses the focus: a half-typed title would appear everywhere.
    savesInPauses: field === "description",
    saveDraft: () => saveDraft(client, task.id, field),
  });
}

export function draftKeyOf(taskId: string, field: "title" | "description"): string {
  return `task.${taskId}.${field}`;
}

/**
 * Saves the draft of a text, if there is one, and removes it. Rejects if the server refuses; the draft then stays. An empty
 * title is discarded, since a task must have one.
 */
export async function saveDraft(client: Client, taskId: string, field: "title" | "description"): Promise<void> {
  await saveDraftText(client, draftKeyOf(taskId, field), async (text) => {
    const isBlank = text.trim() === "";
    if (field === "description") await saveTaskText(client, taskId, { description: isBlank ? null : text });
    else if (!isBlank) await saveTaskText(client, taskId, { title: text.trim() });
  });
}
