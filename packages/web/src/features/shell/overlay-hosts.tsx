import { useEffect, useState } from "react";
import { loadCodeAhead } from "../../client/code-parts.ts";
import type { Client } from "../../client/client.ts";
import { useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { floating } from "../../components/floating.ts";
import { loadable, preloadAll } from "../../components/loadable.tsx";
import { PICKERS } from "../tasks/task-pickers.tsx";
import { taskReader } from "../tasks/task-reader.ts";
import { dialogs, type OpenDialog } from "./dialogs.ts";
import { TaskPanel } from "./task-panel-slot.tsx";

// None of these is needed for the first screen, so each is loaded on first use.
const Toaster = loadable(async () => (await import("../../components/toaster.tsx")).default);
const TooltipHost = loadable(async () => (await import("../../components/tooltip-host.tsx")).TooltipHost);
const FloatingHost = loadable(async () => (await import("../../components/floating-host.tsx")).default);
const Palette = loadable(async () => (await import("../palette/palette.tsx")).default);
const ShortcutMap = loadable(async () => (await import("./shortcut-map.tsx")).default);
const ChangePasswordDialog = loadable(async () => (await import("../auth/change-password-dialog.tsx")).default);
const NewTaskDialog = loadable(async () => (await import("../tasks/new-task-dialog.tsx")).default);
const ImportTasksDialog = loadable(async () => (await import("../tasks/import-tasks-dialog.tsx")).default);
const ImportNotesDialog = loadable(async () => (await import("../documents/import/import-notes-dialog.tsx")).default);
const ProjectDialog = loadable(async () => (await import("../projects/project-dialog.tsx")).default);
const ViewDialog = loadable(async () => (await import("../views/view-dialog.tsx")).default);

const IDLE_DELAY_MS = 600;
const ALL_CODE_DELAY_MS = 3_000;

/** Everything that floats above the pages. */
export function OverlayHosts() {
  const client = useClient();
  const isIdle = useIsIdle(client);
  const popup = useStore(floating(client).current);
  const dialog = useStore(dialogs(client).current);
  return (
    <>
      {isIdle && <TooltipHost />}
      {isIdle && <Toaster />}
      {popup !== null && <FloatingHost />}
      {dialog !== null && <DialogHost dialog={dialog} onClose={dialogs(client).close} />}
    </>
  );
}

function DialogHost({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  switch (dialog.kind) {
    case "palette":
      return <Palette onClose={onClose} />;
    case "shortcut-map":
      return <ShortcutMap onClose={onClose} />;
    case "change-password":
      return <ChangePasswordDialog onClose={onClose} />;
    case "new-task":
      return <NewTaskDialog onClose={onClose} />;
    case "import-tasks":
      return <ImportTasksDialog onClose={onClose} />;
    case "import-notes":
      return <ImportNotesDialog onClose={onClose} />;
    case "new-project":
      return <ProjectDialog project={null} onClose={onClose} />;
    case "edit-project":
      return <ProjectDialog project={dialog.project} onClose={onClose} />;
    case "new-view":
      return <ViewDialog of={{ settings: dialog.settings }} onClose={onClose} />;
    case "edit-view":
      return <ViewDialog of={{ view: dialog.view }} onClose={onClose} />;
  }
}

/** True once the first screen is shown; what will probably be needed next is then preloaded, and everything else later. */
function useIsIdle(client: Client): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsIdle(true);
      void preloadAll([FloatingHost, TaskPanel, Palette, NewTaskDialog, ProjectDialog, taskReader(client), ...PICKERS]);
    }, IDLE_DELAY_MS);
    // A failure is reported when the part is opened.
    const later = setTimeout(() => void loadCodeAhead().catch(() => undefined), ALL_CODE_DELAY_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(later);
    };
  }, [client]);
  return isIdle;
}
