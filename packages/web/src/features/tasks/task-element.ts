import type { Place } from "../../components/anchored.ts";
import type { EditableField } from "./edit-field.ts";

/**
 * Where a picker that was opened by a key is to appear: at the field in the row or card of one of these tasks, the focused
 * one first. The row gets the focus back. Null where none of them is in sight.
 */
export function placeOfField(ids: readonly string[], field: EditableField): Place | null {
  const rows = [...document.querySelectorAll<HTMLElement>("#page [data-task-id]")];
  const isOneOf = (row: HTMLElement) => ids.includes(row.dataset["taskId"] ?? "");
  const row =
    rows.find((candidate) => isOneOf(candidate) && candidate.contains(document.activeElement)) ?? rows.find(isOneOf);
  if (row === undefined) return null;
  return { at: row.querySelector<HTMLElement>(`[data-field="${field}"]`) ?? row, returnTo: row };
}
