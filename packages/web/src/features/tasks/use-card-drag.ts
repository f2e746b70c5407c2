import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from "react";
import { isTaskStatus, type TaskStatus } from "./task.ts";

const MOUSE_THRESHOLD_PX = 5;
const TOUCH_HOLD_MS = 280;
const TOUCH_SLOP_PX = 10;
const EDGE_PX = 48;
const EDGE_STEP_PX = 12;

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
  onDrop: (taskId: string, status: TaskStatus) => void,
): { drag: CardDrag | null; ghostRef: RefObject<HTMLDivElement | null>; handle: CardDragHandle } {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const ghostRef = useRef<HTMLDivElement>(null);
  const gesture = useRef<Gesture | null>(null);
  const hasDragged = useRef(false);

  useTouchScrollLock(boardRef, gesture);
  useEffect(() => () => gesture.current?.stop(), []);

  const start = (event: ReactPointerEvent<HTMLElement>, taskId: string) => {
    hasDragged.current = false;
    if (event.button !== 0 || isOnControl(event.target)) return;
    gesture.current?.stop();
    gesture.current = startGesture(event, {
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
      },
      onEnd: (x, y, isDropped) => {
        setDrag(null);
        const status = columnAt(x, y);
        if (isDropped && status !== null) onDrop(taskId, status);
      },
    });
  };
  return { drag, ghostRef, handle: { start, wasDrag: () => hasDragged.current } };
}

interface GestureListener {
  onStart(rect: DOMRect): void;
  /** The current position of the card's top left corner. */
  onMove(corner: { x: number; y: number }): void;
  /** Called once per frame while dragging. */
  onPoint(x: number, y: number): void;
  onEnd(x: number, y: number, isDropped: boolean): void;
}

interface Gesture {
  isDragging(): boolean;
  stop(): void;
}

function startGesture(event: ReactPointerEvent<HTMLElement>, listener: GestureListener): Gesture {
  const card = event.currentTarget;
  const isTouch = event.pointerType === "touch";
  const startX = event.clientX;
  const startY = event.clientY;
  const rect = card.getBoundingClientRect();
  let [x, y] = [startX, startY];
  let isDragging = false;
  let frame = 0;
  const listening = new AbortController();

  const tick = () => {
    listener.onMove({ x: x - startX + rect.left, y: y - startY + rect.top });
    listener.onPoint(x, y);
    frame = requestAnimationFrame(tick);
  };
  const begin = () => {
    isDragging = true;
    listener.onStart(rect);
    frame = requestAnimationFrame(tick);
  };
  const holdTimer = isTouch ? setTimeout(begin, TOUCH_HOLD_MS) : undefined;
  const end = (isDropped: boolean) => {
    clearTimeout(holdTimer);
    cancelAnimationFrame(frame);
    listening.abort();
    if (isDragging) listener.onEnd(x, y, isDropped);
    isDragging = false;
  };
  const move = (moved: PointerEvent) => {
    if (moved.pointerId !== event.pointerId) return;
    [x, y] = [moved.clientX, moved.clientY];
    if (isDragging) return;
    const distance = Math.hypot(x - startX, y - startY);
    if (isTouch && distance > TOUCH_SLOP_PX) end(false);
    if (!isTouch && distance > MOUSE_THRESHOLD_PX) begin();
  };
  const { signal } = listening;
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", () => end(true), { signal });
  window.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener(
    "keydown",
    (pressed) => {
      if (pressed.key !== "Escape" || !isDragging) return;
      pressed.preventDefault();
      end(false);
    },
    { signal, capture: true },
  );
  return { isDragging: () => isDragging, stop: () => end(false) };
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

function scrollNearEdge(board: HTMLElement | null, x: number): void {
  if (board === null) return;
  const { left, right } = board.getBoundingClientRect();
  if (x < left + EDGE_PX) board.scrollLeft -= EDGE_STEP_PX;
  else if (x > right - EDGE_PX) board.scrollLeft += EDGE_STEP_PX;
}

function isOnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, input, a") !== null;
}
