import { useEffect } from "react";
import type { ListCursorActions } from "./use-list-cursor.ts";

interface RowFocus {
  readonly isCursor: boolean;
  readonly focusRequest: number;
  readonly actions: ListCursorActions;
}

/**
 * Moves the focus to the row that the keyboard has reached. Each request is handled once: a row that merely becomes visible
 * again, for example by scrolling or filtering, must not steal the focus.
 */
export function useFocusUnderCursor(
  ref: { readonly current: HTMLElement | null },
  { isCursor, focusRequest, actions }: RowFocus,
): void {
  useEffect(() => {
    if (isCursor && actions.claimFocus(focusRequest)) ref.current?.focus({ preventScroll: true });
  }, [ref, isCursor, focusRequest, actions]);
}
