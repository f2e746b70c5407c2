import { useCallback, useSyncExternalStore } from "react";

export const PHONE = "(max-width: 767px)";
/** Wide enough for a panel beside the list; on narrower screens the panel floats above it. */
export const WIDE = "(min-width: 1180px)";
export const TOUCH = "(pointer: coarse)";

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
