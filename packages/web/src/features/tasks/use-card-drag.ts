import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from "react";
import { startGesture, type Gesture } from "../../lists/drag-gesture.ts";
import { isTaskStatus, type TaskStatus } from "./task.ts";

/** Half of what is between two cards. */
const GAP_PX = 4;
const EDGE_PX = 48;
const EDGE_STEP_PX = 12;

/** The place beside a card. */
export interface CardGap {
  readonly id: string;
  readonly side: "before" | "after";
  /** Where it is on the screen. */
  readonly line: { readonly left: number; readonly width: number; readonly top: number };
}

/** A drag in progress. */
export interface CardDrag {
  readonly taskId: string;
  readonly width: number;
  /** The column under the pointer. */
  readonly over: TaskStatus | null;
}

export interface CardDragHandle {
  start(event: ReactPointerEvent<HTMLElement>, taskId: string): void;
  /** Whether the press that just ended was a drag, so that its click must be ignored. */
  wasDrag(): boolean;
}

/**
 * Drags cards between columns with the mouse, or by touch after a long press, so that swiping still scrolls. Escape cancels
 * a drag. Columns are the elements with `data-column`; the element with `ghostRef` follows the pointer.
 */
export function useCardDrag(
  boardRef: RefObject<HTMLElement | null>,
  onDrop: (taskId: string, status: TaskStatus, gap: CardGap | null) => void,
  isManual: boolean,
): {
  drag: CardDrag | null;
  ghostRef: RefObject<HTMLDivElement | null>;
  lineRef: RefObject<HTMLDivElement | null>;
  handle: CardDragHandle;
} {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const ghostRef = useRef<HTMLDivElement>(null);
  const gesture = useRef<Gesture | null>(null);
  const hasDragged = useRef(false);
  const lineRef = useRef<HTMLDivElement>(null);

  useTouchScrollLock(boardRef, gesture);
  useEffect(() => () => gesture.current?.stop(), []);

  const start = (event: ReactPointerEvent<HTMLElement>, taskId: string) => {
    hasDragged.current = false;
    if (event.button !== 0 || isOnControl(event.target)) return;
    gesture.current?.stop();
    gesture.current = startGesture(event, event.currentTarget, {
      onStart: (rect) => {
        hasDragged.current = true;
        setDrag({ taskId, width: rect.width, over: null });
      },
      onMove: ({ x, y }) => {
        const { current: ghost } = ghostRef;
        if (ghost !== null) ghost.style.transform = `translate(${x}px, ${y}px) rotate(1.5deg)`;
      },
      onPoint: (x, y) => {
        const over = columnAt(x, y);
        setDrag((current) => (current === null || current.over === over ? current : { ...current, over }));
        scrollNearEdge(boardRef.current, x);
        if (isManual) showGap(lineRef.current, cardGapAt(x, y, taskId));
      },
      onEnd: (x, y, isDropped) => {
        setDrag(null);
        const status = columnAt(x, y);
        if (isDropped && status !== null) onDrop(taskId, status, isManual ? cardGapAt(x, y, taskId) : null);
      },
    });
  };
  return { drag, ghostRef, lineRef, handle: { start, wasDrag: () => hasDragged.current } };
}

/** While a card is dragged by touch, the page must not scroll. */
function useTouchScrollLock(boardRef: RefObject<HTMLElement | null>, gesture: RefObject<Gesture | null>): void {
  useEffect(() => {
    const board = boardRef.current;
    if (board === null) return undefined;
    const lock = (event: Event) => {
      if (gesture.current?.isDragging() === true) event.preventDefault();
    };
    board.addEventListener("touchmove", lock, { passive: false });
    board.addEventListener("contextmenu", lock);
    return () => {
      board.removeEventListener("touchmove", lock);
      board.removeEventListener("contextmenu", lock);
    };
  }, [boardRef, gesture]);
}

function columnAt(x: number, y: number): TaskStatus | null {
  const column = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-column]");
  const status = column?.dataset["column"];
  return isTaskStatus(status) ? status : null;
}

/** The gap between cards that is nearest to the pointer, in the column under it. */
function cardGapAt(x: number, y: number, except: string): CardGap | null {
  const column = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-column]");
  let nearest: CardGap | null = null;
  for (const card of column?.querySelectorAll<HTMLElement>("[data-task-id]") ?? []) {
    const id = card.dataset["taskId"] ?? "";
    if (id === except) continue;
    const { top, bottom, left, width } = card.getBoundingClientRect();
    for (const [side, edge] of [
      ["before", top - GAP_PX],
      ["after", bottom + GAP_PX],
    ] as const)
      if (nearest === null || Math.abs(edge - y) < Math.abs(nearest.line.top - y))
        nearest = { id, side, line: { left, width, top: edge } };
  }
  return nearest;
}

function showGap(line: HTMLElement | null, gap: CardGap | null): void {
  if (line === null) return;
  line.hidden = gap === null;
  if (gap === null) return;
  line.style.left = `${gap.line.left}px`;
  line.style.top = `${gap.line.top - 1}px`;
  line.style.width = `${gap.line.width}px`;
}

function scrollNearEdge(board: HTMLElement | null, x: number): void {
  if (board === null) return;
  const { left, right } = board.getBoundingClientRect();
  if (x < left + EDGE_PX) board.scrollLeft -= EDGE_STEP_PX;
  else if (x > right - EDGE_PX) board.scrollLeft += EDGE_STEP_PX;
}

function isOnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, input, a") !== null;
}
