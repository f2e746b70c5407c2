import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import { clientPart } from "../../client/client-part.ts";
import { useClient } from "../../client/use-client.ts";

const scrollOffsets = clientPart(() => new Map<string, number>());

/** The scroll position of a list when its page was last left, kept for the lifetime of the tab. */
export function useRememberedScroll(name: string): { initialOffset: () => number; remember: (offset: number) => void } {
  const offsets = scrollOffsets(useClient());
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const key = `${pathname} ${name}`;
  return useMemo(
    () => ({
      initialOffset: () => offsets.get(key) ?? 0,
      remember: (offset) => void offsets.set(key, offset),
    }),
    [offsets, key],
  );
}
