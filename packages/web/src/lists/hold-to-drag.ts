import type { Gesture, Press } from "./drag-gesture.ts";
import { LONG_PRESS_MS, MAX_MOVE_PX } from "./use-long-press.ts";

/**
 * Calls back when a row is held by touch, except by its grip. While the gesture that this begins goes on, the list does not scroll. Returns
 * how to end it.
 */
export function dragByHolding(row: HTMLElement, onHold: (press: Press) => Gesture | null): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let gesture: Gesture | null = null;
  let held: { readonly timer: ReturnType<typeof setTimeout>; readonly press: Press } | null = null;
  const release = () => {
    clearTimeout(held?.timer);
    held = null;
  };
  const onDown = (event: PointerEvent) => {
    release();
    const isOnGrip = event.target instanceof Element && event.target.closest("[data-grip]") !== null;
    if (event.pointerType !== "touch" || isOnGrip) return;
    const { pointerId, pointerType, clientX, clientY } = event;
    const press = { pointerId, pointerType, clientX, clientY };
    held = { press, timer: setTimeout(() => (gesture = onHold(press)), LONG_PRESS_MS) };
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (held !== null && Math.hypot(clientX - held.press.clientX, clientY - held.press.clientY) > MAX_MOVE_PX)
      release();
  };
  const lock = (event: Event) => {
    if (gesture?.isOpen() === true) event.preventDefault();
  };
  row.addEventListener("pointerdown", onDown, { signal });
  row.addEventListener("pointermove", onMove, { signal });
  row.addEventListener("pointerup", release, { signal });
  row.addEventListener("pointercancel", release, { signal });
  row.addEventListener("touchmove", lock, { signal, passive: false });
  row.addEventListener("contextmenu", lock, { signal });
  return () => {
    release();
    ended.abort();
  };
}
