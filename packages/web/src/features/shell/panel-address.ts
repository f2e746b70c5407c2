import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** The task whose panel is open, by the address. */
export function useOpenTaskId(): string | undefined {
  return useSearch({ strict: false, select: (search) => search.task });
}

/** Opens a task's panel beside the page. With another one open, takes its place in the history. */
export function useOpenTask(): (id: string) => void {
  const navigate = useNavigate();
  const router = useRouter();
  return useCallback(
    (id: string) => {
      const { search, state } = router.state.location;
      const isReplacing = "task" in search;
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, task: id }),
        replace: isReplacing,
        state: { isPanelOpenedHere: isReplacing ? state.isPanelOpenedHere === true : true },
      });
    },
    [navigate, router],
  );
}

/** Closes the panel: back to the entry it was opened from, so that the browser's own way back does not open it again. */
export function useCloseTask(): () => void {
  const navigate = useNavigate();
  const router = useRouter();
  return useCallback(() => {
    if (router.state.location.state.isPanelOpenedHere === true) router.history.back();
    else void navigate({ to: ".", search: ({ task: _closed, ...rest }) => rest, replace: true });
  }, [navigate, router]);
}
