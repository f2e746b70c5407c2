import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { createContext, useCallback, useContext } from "react";
import { todayOf, toPlainDate, type Day } from "../../dates/day.ts";

/** What is shown beside a note: another view of it, or the document with this id. */
export type Beside = "reading" | "links" | "graph" | (string & {});

/** In the pane beside, documents are opened there. */
export const PaneContext = createContext<"main" | "beside">("main");

/** The id of the open document, from the URL. */
export function useOpenDocumentId(): string | undefined {
  return useSearch({ strict: false, select: (search) => search.doc });
}

/** The day whose note is open, from the URL. */
export function useOpenDay(): string | undefined {
  return useSearch({ strict: false, select: (search) => search.day });
}

/** What is shown beside the open document, from the URL. */
export function useBeside(): Beside | undefined {
  return useSearch({ strict: false, select: (search) => search.beside });
}

/** Opens a document, from any page: in the pane in which this is called. What is beside it stays. */
export function useShowDocument(): (id: string) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const pane = useContext(PaneContext);
  return useCallback(
    (id: string) => {
      const { pathname, search } = router.state.location;
      const isHere = pathname === "/documents";
      if (isHere && pane === "beside") void navigate({ to: ".", search: (previous) => ({ ...previous, beside: id }) });
      else void navigate({ to: "/documents", search: { doc: id, ...(isHere && besideOf(search)) } });
    },
    [navigate, router, pane],
  );
}

/** Shows something beside the open document; undefined for nothing. */
export function useShowBeside(): (beside: Beside | undefined) => void {
  const navigate = useNavigate();
  return useCallback(
    (beside) =>
      void navigate({
        to: ".",
        search: ({ beside: _former, ...rest }) => (beside === undefined ? rest : { ...rest, beside }),
      }),
    [navigate],
  );
}

/** Shows the note of a day, from any page; in place of what is shown if the address only becomes clearer. */
export function useShowDay(): (day?: Day, isReplacing?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (day = todayOf(new Date()), replace = false) =>
      void navigate({ to: "/documents", search: { day: toPlainDate(day) }, replace }),
    [navigate],
  );
}

/** Returns to the files with no document open. */
export function useCloseDocument(): () => void {
  const navigate = useNavigate();
  return useCallback(() => void navigate({ to: "/documents" }), [navigate]);
}

function besideOf({ beside }: { beside?: string }): { beside?: string } {
  return beside === undefined ? {} : { beside };
}
