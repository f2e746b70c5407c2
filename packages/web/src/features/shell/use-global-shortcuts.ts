import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useClient } from "../../client/use-client.ts";
import { PAGES } from "../../routes/pages.ts";
import { shortcuts } from "../../shortcuts/shortcuts.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { TODAY } from "./today.ts";
import { toggleSidebar } from "./sidebar-state.ts";
import { undoStack } from "../../undo/undo-stack.ts";
import { dialogs } from "./dialogs.ts";

const FALLBACK = { isFallback: true };

/** The shortcuts that work on every page. A page that handles one of them itself takes precedence. */
export function useGlobalShortcuts(): void {
  const client = useClient();
  const navigate = useNavigate();
  useShortcut("palette", () => dialogs(client).open({ kind: "palette" }), FALLBACK);
  useShortcut("find", () => dialogs(client).open({ kind: "palette" }), FALLBACK);
  useShortcut("create", () => dialogs(client).open({ kind: "new-task" }), FALLBACK);
  useShortcut("map", () => dialogs(client).open({ kind: "shortcut-map" }), FALLBACK);
  useShortcut("today", () => void navigate(TODAY), FALLBACK);
  useShortcut("sidebar", toggleSidebar, FALLBACK);
  useShortcut("undo", () => undoStack(client).undoLast(), FALLBACK);
  useEffect(() => {
    const stop = PAGES.map(({ path, goKey }) =>
      shortcuts(client).bind(`g ${goKey}`, () => void navigate({ to: path })),
    );
    return () => stop.forEach((unbind) => unbind());
  }, [client, navigate]);
}
