import type { Client } from "../../client/client.ts";
import { startGesture, type Gesture, type Press } from "../../lists/drag-gesture.ts";
import { placeAt, type OutlinePlace, type OutlineRow } from "./outline-place.ts";
import { outlineRows } from "./outline-rows.ts";
import type { ListItem } from "./task-list-items.ts";
import { moveTask } from "./task-moves.ts";
import { isTaskStatus } from "./task.ts";

const INDENT_PX = 24;
const EDGE_PX = 48;
const EDGE_STEP_PX = 10;

interface DraggedRow {
  readonly press: Press;
  readonly row: HTMLElement;
  readonly id: string;
  /** Called when the press turns out to be a drag. */
  readonly onStart?: () => void;
}

/**
 * Drags a row of the list to another place. A line shows where it would come; to the right, it becomes a subtask of what is above the line.
 */
export function dragRow(
  client: Client,
  { press, row, id, onStart }: DraggedRow,
  items: () => readonly ListItem[],
): Gesture | null {
  const grid = row.closest<HTMLElement>("[role=grid]");
  const scroller = grid?.parentElement;
  if (grid === null || scroller === null || scroller === undefined) return null;
  const startDepth = items().find((item) => item.kind === "task" && item.task.id === id);
  const depth = startDepth?.kind === "task" ? startDepth.depth : 0;
  const line = createLine();
  let place: OutlinePlace | null = null;
  return startGesture(
    press,
    row,
    {
      onStart: () => {
        onStart?.();
        document.body.append(line);
        row.style.opacity = "0.4";
      },
      onMove: () => undefined,
      onPoint: (x, y) => {
        const { top, bottom } = scroller.getBoundingClientRect();
        if (y < top + EDGE_PX) scroller.scrollTop -= EDGE_STEP_PX;
        else if (y > bottom - EDGE_PX) scroller.scrollTop += EDGE_STEP_PX;
        const rows = outlineRows(items(), id);
        const gap = gapAt(grid, rows, y);
        place = gap === null ? null : placeAt(rows, gap.index, depth + Math.round((x - press.clientX) / INDENT_PX));
        showLine(line, grid, gap, place);
      },
      onEnd: (_x, _y, isDropped) => {
        line.remove();
        row.style.opacity = "";
        if (!isDropped || place === null) return;
        const { afterId, beforeId, parentId, group } = place;
        // A subtask keeps its status; elsewhere it gets that of the group.
        const status = parentId === null && isTaskStatus(group) ? { status: group } : {};
        void moveTask(client, id, { afterId, beforeId, parentId, ...status });
      },
    },
    { isImmediate: true },
  );
}

interface Gap {
  readonly index: number;
  /** Where the gap is on the screen. */
  readonly y: number;
}

/** The gap between two rows, or at an end, that is nearest to the pointer among those that are rendered. */
function gapAt(grid: HTMLElement, rows: readonly OutlineRow[], y: number): Gap | null {
  const indexOf = new Map(rows.map((row, index) => [row.id, index]));
  let nearest: Gap | null = null;
  for (const element of grid.querySelectorAll<HTMLElement>("[data-task-id]")) {
    const index = indexOf.get(element.dataset["taskId"] ?? "");
    if (index === undefined) continue;
    const { top, bottom } = element.getBoundingClientRect();
    for (const gap of [
      { index, y: top },
      { index: index + 1, y: bottom },
    ])
      if (nearest === null || Math.abs(gap.y - y) < Math.abs(nearest.y - y)) nearest = gap;
  }
  return nearest;
}

function createLine(): HTMLElement {
  const line = document.createElement("div");
  line.setAttribute("aria-hidden", "true");
  line.className = "pointer-events-none fixed z-60 h-0.5 rounded-full bg-accent-text";
  return line;
}

function showLine(line: HTMLElement, grid: HTMLElement, gap: Gap | null, place: OutlinePlace | null): void {
  line.hidden = gap === null || place === null;
  if (gap === null || place === null) return;
  const { left, width } = grid.getBoundingClientRect();
  const indent = 32 + place.depth * INDENT_PX;
  line.style.left = `${left + indent}px`;
  line.style.top = `${gap.y - 1}px`;
  line.style.width = `${Math.max(width - indent - 16, 40)}px`;
}
