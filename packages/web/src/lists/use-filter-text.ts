import { useEffect, useState } from "react";

const ADDRESS_DELAY_MS = 250;

/**
 * The text of a filter while it is typed. `text` is what the address says; it follows through `onPause` when typing pauses,
 * and is followed when it changes otherwise.
 */
export function useFilterText(text: string, onPause: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const [sent, setSent] = useState(text);
  const [seen, setSeen] = useState(text);
  if (text !== seen) {
    setSeen(text);
    // Not our own change come back, but somebody else's: a way back in the history, or a link.
    if (text !== sent) setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => {
      setSent(typed);
      onPause(typed);
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onPause]);
  return [typed, setTyped];
}
