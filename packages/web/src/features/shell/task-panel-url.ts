import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** The id of the task whose panel is open, from the URL. */
export function useOpenTaskId(): string | undefined {
  return useSearch({ strict: false, select: (search) => search.task });
}

/** Opens a task's panel beside the page. If another task is open, replaces the history entry. */
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

/**
 * Closes the panel by going back to the history entry from which it was opened, so that the back button does not reopen it.
 */
export function useCloseTask(): () => void {
  const navigate = useNavigate();
  const router = useRouter();
  return useCallback(() => {
    if (router.state.location.state.isPanelOpenedHere === true) router.history.back();
    else void navigate({ to: ".", search: ({ task: _closed, ...rest }) => rest, replace: true });
  }, [navigate, router]);
}
