import type { MouseEvent } from "react";
import type { PopupAnchor } from "./floating.ts";

/**
 * Where the menu of a row opens that was right-clicked, or asked for by the Menu key or Shift+F10: at the pointer, or at the row. Null if
 * it is not to be opened: a text field keeps the menu of the browser. To be called during the event.
 */
export function contextMenuPlace(event: MouseEvent<HTMLElement>): PopupAnchor | null {
  const { target, currentTarget, clientX: x, clientY: y } = event;
  if (target instanceof Element && target.closest("input, textarea, [contenteditable=true]") !== null) return null;
  event.preventDefault();
  const { top, bottom } = currentTarget.getBoundingClientRect();
  const place = { element: currentTarget, returnFocusTo: currentTarget };
  return y >= top && y <= bottom && x > 0 ? { ...place, at: { x, y } } : place;
}

/** Whether a context menu was asked for by touch: where a long press has a meaning of its own, the browser asks for both. */
export function isByTouch({ nativeEvent }: MouseEvent): boolean {
  return "pointerType" in nativeEvent && nativeEvent.pointerType === "touch";
}
