import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** The id of the open document, from the URL. */
export function useOpenDocumentId(): string | undefined {
  return useSearch({ strict: false, select: (search) => search.doc });
}

/** Opens a document, from any page. */
export function useShowDocument(): (id: string) => void {
  const navigate = useNavigate();
  return useCallback((id: string) => void navigate({ to: "/documents", search: { doc: id } }), [navigate]);
}

/** Returns to the files with no document open. */
export function useCloseDocument(): () => void {
  const navigate = useNavigate();
  return useCallback(() => void navigate({ to: "/documents" }), [navigate]);
}
