import type { PopupAnchor } from "../../components/floating.ts";
import type { EditableField } from "./edit-field.ts";

/**
 * Where to show a picker that was opened by keyboard: at the field in the row or card of one of these tasks, preferring the
 * focused one. The row gets the focus back. Null if none of them is visible.
 */
export function fieldAnchor(ids: readonly string[], field: EditableField): PopupAnchor | null {
  const rows = [...document.querySelectorAll<HTMLElement>("#page [data-task-id]")];
  const isOneOf = (row: HTMLElement) => ids.includes(row.dataset["taskId"] ?? "");
  const row =
    rows.find((candidate) => isOneOf(candidate) && candidate.contains(document.activeElement)) ?? rows.find(isOneOf);
  if (row === undefined) return null;
  return {
    element:
      row.querySelector<HTMLElement>(`[data-field="${field === "repeat" || field === "snooze" ? "due" : field}"]`) ??
      row,
    returnFocusTo: row,
  };
}
