import { useState } from "react";

/**
 * Returns a handler for a dialog's `onCloseAutoFocus`. It returns the focus to the element that had it before the dialog was
 * opened, unless closing has moved it elsewhere. Radix does so only for dialogs with a trigger.
 */
export function useRestoredFocus(): (event: Event) => void {
  const [previous] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (document.activeElement === document.body && previous instanceof HTMLElement) previous.focus();
  };
}
