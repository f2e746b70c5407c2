import type { KeyboardEvent } from "react";

/** How long after a key the next one still belongs to the same text. */
const PAUSE_MS = 1_000;

/**
 * Handlers for a popup whose choices are buttons: what is typed moves the focus to the first button that starts with it, as in
 * a menu. Neither a space in that text nor Enter after text that matches nothing presses a button that was not meant.
 */
export function createTypeAhead() {
  let typed = "";
  let lastMs = 0;
  let hasMatch = false;

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, target, currentTarget, timeStamp } = event;
    if (timeStamp - lastMs > PAUSE_MS) typed = "";
    const isOnChoice = target instanceof HTMLButtonElement || target === currentTarget;
    if (!isOnChoice || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Enter" && typed !== "" && !hasMatch) event.preventDefault();
    if (key.length > 1 || (key === " " && typed === "")) return;
    event.preventDefault();
    typed += key.toLowerCase();
    lastMs = timeStamp;
    const match = [...currentTarget.querySelectorAll<HTMLButtonElement>("button:enabled")].find((button) =>
      button.textContent.toLowerCase().startsWith(typed),
    );
    hasMatch = match !== undefined;
    match?.focus();
  }

  function onKeyUp(event: KeyboardEvent<HTMLElement>): void {
    // In some browsers it is the release of the space bar that presses a button.
    if (event.key === " " && typed !== "") event.preventDefault();
  }

  return { onKeyDown, onKeyUp };
}
