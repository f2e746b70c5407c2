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
  const closing = { onClose, onLoadFailure: onClose };
  switch (dialog.kind) {
    case "palette":
      return <Palette {...closing} />;
    case "shortcut-map":
      return <ShortcutMap {...closing} />;
    case "change-password":
      return <ChangePasswordDialog {...closing} />;
    case "new-task":
      return <NewTaskDialog {...closing} />;
    case "import-tasks":
      return <ImportTasksDialog {...closing} />;
    case "import-notes":
      return <ImportNotesDialog {...closing} />;
    case "note-settings":
      return <NoteSettingsDialog {...closing} />;
    case "new-project":
      return <ProjectDialog project={null} {...closing} />;
    case "edit-project":
      return <ProjectDialog project={dialog.project} {...closing} />;
    case "new-view":
      return <ViewDialog of={{ settings: dialog.settings }} {...closing} />;
    case "edit-view":
      return <ViewDialog of={{ view: dialog.view }} {...closing} />;
  }
}
