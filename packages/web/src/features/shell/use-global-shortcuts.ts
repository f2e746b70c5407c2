import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { PAGES } from "../../routes/pages.ts";
import { bindKeys, useShortcut } from "../../shortcuts/use-shortcut.ts";
import { undoLast } from "../../undo/undo-stack.ts";
import { openDialog } from "./dialogs.ts";
import { toggleSidebar } from "./sidebar-state.ts";

const FALLBACK = { isFallback: true };

/** The shortcuts that work on every page. A page that has its own use for one of them is asked first. */
export function useGlobalShortcuts(): void {
  const navigate = useNavigate();
  useShortcut("palette", () => openDialog({ kind: "palette" }), FALLBACK);
  useShortcut("find", () => openDialog({ kind: "palette" }), FALLBACK);
  useShortcut("create", () => openDialog({ kind: "new-task" }), FALLBACK);
  useShortcut("map", () => openDialog({ kind: "shortcut-map" }), FALLBACK);
  useShortcut("sidebar", toggleSidebar, FALLBACK);
  useShortcut("undo", undoLast, FALLBACK);
  useEffect(() => {
    const stop = PAGES.map(({ path, goKey }) => bindKeys(`g ${goKey}`, () => void navigate({ to: path })));
    return () => stop.forEach((unbind) => unbind());
  }, [navigate]);
}
