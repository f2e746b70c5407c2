import { Pencil, Trash2 } from "lucide-react";
import { openMenu } from "../../components/anchored.ts";
import { openDialog } from "../shell/dialogs.ts";
import { deleteProject } from "./project-actions.ts";
import type { Project } from "./project.ts";

/** What can be done with a project. */
export function openProjectMenu(anchor: HTMLElement, project: Project, onDeleted?: () => void): void {
  openMenu(anchor, `Actions for ${project.name}`, [
    { label: "Edit project", icon: <Pencil size={16} />, run: () => openDialog({ kind: "edit-project", project }) },
    "separator",
    {
      label: "Delete project",
      icon: <Trash2 size={16} />,
      tone: "danger",
      run: () => {
        onDeleted?.();
        void deleteProject(project);
      },
    },
  ]);
}
