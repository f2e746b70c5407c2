import { useEffect, useState } from "react";

/** Longer than the two clicks of a double click are apart. */
const SETTLING_MS = 800;

/**
 * Whether the page has been visible and focused for a moment. Another site can bring it to the front between the two clicks of a
 * double click, so that the second one hits a button of a page that nobody has seen.
 */
export function useInFront(): boolean {
  const [isInFront, setIsInFront] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      setIsInFront(false);
      if (document.visibilityState === "visible" && document.hasFocus())
        timer = setTimeout(() => setIsInFront(true), SETTLING_MS);
    };
    restart();
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("focus", restart, { signal });
    window.addEventListener("blur", restart, { signal });
    document.addEventListener("visibilitychange", restart, { signal });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, []);
  return isInFront;
}
