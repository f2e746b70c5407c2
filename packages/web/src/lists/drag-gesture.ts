const MOUSE_THRESHOLD_PX = 5;
const TOUCH_HOLD_MS = 280;
const TOUCH_SLOP_PX = 10;

/** What is done while something is dragged. */
export interface GestureListener {
  onStart(rect: DOMRect): void;
  /** The current position of the element's top left corner. */
  onMove(corner: { x: number; y: number }): void;
  /** Called once per frame while dragging. */
  onPoint(x: number, y: number): void;
  onEnd(x: number, y: number, isDropped: boolean): void;
}

/** A press that may become a drag. */
export interface Gesture {
  isDragging(): boolean;
  /** Whether the press goes on. */
  isOpen(): boolean;
  stop(): void;
}

/** Where and with what a press began. */
export type Press = Pick<PointerEvent, "pointerId" | "pointerType" | "clientX" | "clientY">;

/**
 * Begins to drag an element with the mouse, or by touch after a long press, so that swiping still scrolls; with `isImmediate`, as soon as
 * the pointer moves. Escape cancels it.
 */
export function startGesture(
  press: Press,
  element: HTMLElement,
  listener: GestureListener,
  { isImmediate = false } = {},
): Gesture {
  const isTouch = press.pointerType === "touch" && !isImmediate;
  // A finger that is held is never quite still.
  const threshold = press.pointerType === "touch" ? TOUCH_SLOP_PX : MOUSE_THRESHOLD_PX;
  const { clientX: startX, clientY: startY } = press;
  const rect = element.getBoundingClientRect();
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
    if (moved.pointerId !== press.pointerId) return;
    [x, y] = [moved.clientX, moved.clientY];
    if (isDragging) return;
    const distance = Math.hypot(x - startX, y - startY);
    if (isTouch && distance > TOUCH_SLOP_PX) end(false);
    if (!isTouch && distance > threshold) begin();
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
  return { isDragging: () => isDragging, isOpen: () => !signal.aborted, stop: () => end(false) };
}
