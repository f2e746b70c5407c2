import { useEffect, useState } from "react";
import { useAnchored } from "../../components/anchored.ts";
import { loadable, preloadAll } from "../../components/loadable.tsx";
import { TooltipHost } from "../../components/tooltip-host.tsx";
import { PICKERS } from "../tasks/task-pickers.tsx";
import { closeDialog, useOpenDialog, type OpenDialog } from "./dialogs.ts";
import { TaskPanel } from "./task-panel-slot.tsx";

// None of these is needed for the first screen, so each comes when it is first used.
const Toaster = loadable(async () => (await import("../../components/toaster.tsx")).default);
const AnchoredHost = loadable(async () => (await import("../../components/anchored-host.tsx")).default);
const Palette = loadable(async () => (await import("../palette/palette.tsx")).default);
const ShortcutMap = loadable(async () => (await import("./shortcut-map.tsx")).default);
const NewTaskDialog = loadable(async () => (await import("../tasks/new-task-dialog.tsx")).default);
const ProjectDialog = loadable(async () => (await import("../projects/project-dialog.tsx")).default);

const IDLE_DELAY_MS = 600;

/** Everything that floats above the pages. */
export function OverlayHosts() {
  const isIdle = useIsIdle();
  const anchored = useAnchored();
  const dialog = useOpenDialog();
  return (
    <>
      <TooltipHost />
      {isIdle && <Toaster />}
      {anchored !== null && <AnchoredHost />}
      {dialog !== null && <DialogHost dialog={dialog} />}
    </>
  );
}

function DialogHost({ dialog }: { dialog: OpenDialog }) {
  switch (dialog.kind) {
    case "palette":
      return <Palette onClose={closeDialog} />;
    case "shortcut-map":
      return <ShortcutMap onClose={closeDialog} />;
    case "new-task":
      return <NewTaskDialog onClose={closeDialog} />;
    case "new-project":
      return <ProjectDialog project={null} onClose={closeDialog} />;
    case "edit-project":
      return <ProjectDialog project={dialog.project} onClose={closeDialog} />;
  }
}

/** True once the first screen is there; what will probably be used next is then loaded ahead. */
function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsIdle(true);
      void preloadAll([AnchoredHost, TaskPanel, Palette, NewTaskDialog, ProjectDialog, ...PICKERS]);
    }, IDLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}
