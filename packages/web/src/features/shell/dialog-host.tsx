import { loadable, preloadAll } from "../../components/loadable.tsx";
import type { OpenDialog } from "./dialogs.ts";

const Palette = loadable(async () => (await import("../palette/palette.tsx")).default);
const ShortcutMap = loadable(async () => (await import("./shortcut-map.tsx")).default);
const ChangePasswordDialog = loadable(async () => (await import("../auth/change-password-dialog.tsx")).default);
const NewTaskDialog = loadable(async () => (await import("../tasks/new-task-dialog.tsx")).default);
const ImportTasksDialog = loadable(async () => (await import("../tasks/import-tasks-dialog.tsx")).default);
const NoteSettingsDialog = loadable(async () => (await import("../documents/daily/note-settings-dialog.tsx")).default);
const ImportNotesDialog = loadable(async () => (await import("../documents/import/import-notes-dialog.tsx")).default);
const ProjectDialog = loadable(async () => (await import("../projects/project-dialog.tsx")).default);
const ViewDialog = loadable(async () => (await import("../views/view-dialog.tsx")).default);

/** Preloads the dialogs that will probably be opened first. */
export function preloadDialogs(): Promise<void> {
  return preloadAll([Palette, NewTaskDialog, ProjectDialog]);
}

/** The open dialog. */
export default function DialogHost({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
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
    case "note-settings":
      return <NoteSettingsDialog onClose={onClose} />;
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
