import { useEffect } from "react";

let requestCount = 0;
let claimedRequest = 0;

/** A new request to move the focus to the row under the cursor; no other list's request has the same number. */
export function nextFocusRequest(): number {
  requestCount += 1;
  return requestCount;
}

/**
 * Moves the focus to the row that the keyboard has reached. Each request is answered once: a row that only comes back into
 * sight, as by scrolling or filtering, must not take the focus from where the user is by then.
 */
export function useFocusUnderCursor(
  ref: { readonly current: HTMLElement | null },
  isCursor: boolean,
  focusRequest: number,
): void {
  useEffect(() => {
    if (!isCursor || focusRequest <= claimedRequest) return;
    claimedRequest = focusRequest;
    ref.current?.focus({ preventScroll: true });
  }, [ref, isCursor, focusRequest]);
}
