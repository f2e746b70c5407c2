import { useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";

const offsets = new Map<string, number>();

/** Where a list was scrolled to when its page was last left, for as long as the tab lives. */
export function useRememberedScroll(name: string): { initialOffset: () => number; remember: (offset: number) => void } {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const key = `${pathname} ${name}`;
  const initialOffset = useCallback(() => offsets.get(key) ?? 0, [key]);
  const remember = useCallback((offset: number) => offsets.set(key, offset), [key]);
  return { initialOffset, remember };
}
