import { useEffect, useState } from "react";

const URL_UPDATE_DELAY_MS = 250;

/**
 * The text of a filter while it is typed. `text` is the text in the URL; `onPause` updates it when typing pauses, and other
 * changes to it are adopted.
 */
export function useFilterText(text: string, onPause: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const [sent, setSent] = useState(text);
  const [seen, setSeen] = useState(text);
  if (text !== seen) {
    setSeen(text);
    // Not our own update coming back, but a change from outside: browser navigation or a link.
    if (text !== sent) setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => {
      setSent(typed);
      onPause(typed);
    }, URL_UPDATE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onPause]);
  return [typed, setTyped];
}
