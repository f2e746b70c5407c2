import type { OutlineRow } from "./outline-place.ts";
import type { ListItem } from "./task-list-items.ts";

/** The tasks among the rows of the list, without one and what is below it. */
export function outlineRows(items: readonly ListItem[], except?: string): OutlineRow[] {
  const rows: OutlineRow[] = [];
  let hiddenBelow = Infinity;
  for (const item of items) {
    if (item.kind === "header") {
      hiddenBelow = Infinity;
      continue;
    }
    if (item.depth > hiddenBelow) continue;
    hiddenBelow = item.task.id === except ? item.depth : Infinity;
    if (hiddenBelow === Infinity) rows.push({ id: item.task.id, depth: item.depth, group: item.status });
  }
  return rows;
}
