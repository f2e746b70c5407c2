import { useEffect, useState, type RefObject } from "react";

/** The elements that `find` finds in a container, as what that contains changes. `find` must not change. */
export function usePlaces(
  containerRef: RefObject<HTMLElement | null>,
  find: (container: HTMLElement) => readonly HTMLElement[],
): readonly HTMLElement[] {
  const [places, setPlaces] = useState<readonly HTMLElement[]>([]);
  useEffect(() => {
    const container = containerRef.current;
    if (container === null) return undefined;
    const update = () =>
      setPlaces((known) => {
        const found = find(container);
        const isSame = found.length === known.length && found.every((place, index) => place === known[index]);
        return isSame ? known : found;
      });
    const observer = new MutationObserver(update);
    observer.observe(container, { childList: true, subtree: true });
    update();
    return () => observer.disconnect();
  }, [containerRef, find]);
  return places;
}
