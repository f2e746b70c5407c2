import { saveDraftText, useTextSaving, type TextSaving } from "../../drafts/use-text-saving.ts";
import { saveTaskText } from "./task-actions.ts";
import type { Task } from "./task.ts";

/** A text of a task while it is written. */
export function useTaskTextSaving(task: Task, field: "title" | "description"): TextSaving {
  return useTextSaving({
    draftKey: draftKeyOf(task.id, field),
    saved: task[field] ?? "",
    // A title is saved by leaving it: in the middle of typing, half of it would show everywhere.
    savesInPauses: field === "description",
    saveDraft: () => saveDraft(task.id, field),
  });
}

export function draftKeyOf(taskId: string, field: "title" | "description"): string {
  return `task.${taskId}.${field}`;
}

/**
 * Saves the draft of a text, if there is one, and drops it. Rejects where the server refuses; the draft then stays. An
 * empty title is dropped, since a task cannot be without.
 */
export async function saveDraft(taskId: string, field: "title" | "description"): Promise<void> {
  await saveDraftText(draftKeyOf(taskId, field), async (text) => {
    const isBlank = text.trim() === "";
    if (field === "description") await saveTaskText(taskId, { description: isBlank ? null : text });
    else if (!isBlank) await saveTaskText(taskId, { title: text.trim() });
  });
}
