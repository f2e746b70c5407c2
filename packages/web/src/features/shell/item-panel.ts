import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export interface ItemPanel {
  /** The id of the item in the panel, from the URL; undefined while it is closed. */
  readonly openId: string | undefined;
  /** Opens the panel beside the page. If it already shows another item, replaces the history entry. */
  open(id: string): void;
  /**
   * Goes back to the history entry from which the panel was opened, so that the browser's back button does not reopen it.
   */
  close(): void;
}

/** The panel for a page's own items, deep-linked: `?memory=<id>`. A task's panel takes precedence. */
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
