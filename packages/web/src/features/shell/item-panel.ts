import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export interface ItemPanel {
  /** What the panel shows, by the address; undefined while it is closed. */
  readonly openId: string | undefined;
  /** Opens the panel beside the page. With another thing open, takes its place in the history. */
  open(id: string): void;
  /** Back to the entry that the panel was opened from, so that the browser's own way back does not open it again. */
  close(): void;
}

/** The panel of a page's own things, deep-linked: `?memory=<id>`. It gives way to a task's panel. */
export function useItemPanel(param: string): ItemPanel {
  const navigate = useNavigate();
  const router = useRouter();
  const openId = useSearch({ strict: false, select: (search) => textIn(search, param) });
  const isTaskOpen = useSearch({ strict: false, select: (search) => search.task !== undefined });

  const open = useCallback(
    (id: string) => {
      const { search, state } = router.state.location;
      const isReplacing = textIn(search, param) !== undefined;
      const change: Record<string, string | undefined> = { task: undefined, [param]: id };
      void navigate({
        to: ".",
        search: (previous: object) => ({ ...previous, ...change }),
        replace: isReplacing,
        state: { isPanelOpenedHere: isReplacing ? state.isPanelOpenedHere === true : true },
      });
    },
    [navigate, router, param],
  );
  const close = useCallback(() => {
    if (router.state.location.state.isPanelOpenedHere === true) router.history.back();
    else void navigate({ to: ".", search: (previous: object) => ({ ...previous, [param]: undefined }), replace: true });
  }, [navigate, router, param]);
  return { openId: isTaskOpen ? undefined : openId, open, close };
}

function textIn(search: object, param: string): string | undefined {
  const value = new Map<string, unknown>(Object.entries(search)).get(param);
  return typeof value === "string" && value !== "" ? value : undefined;
}
