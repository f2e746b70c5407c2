import { Pencil, Trash2 } from "lucide-react";
import type { Client } from "../../client/client.ts";
import { deleteProject } from "./project-actions.ts";
import type { Project } from "./project.ts";
import { floating } from "../../components/floating.ts";
import { dialogs } from "../shell/dialogs.ts";

/** Opens the menu of actions on a project. */
export function openProjectMenu(client: Client, anchor: HTMLElement, project: Project, onDeleted?: () => void): void {
  floating(client).openMenu(anchor, `Actions for ${project.name}`, [
    {
      label: "Edit project",
      icon: <Pencil size={16} />,
      run: () => dialogs(client).open({ kind: "edit-project", project }),
    },
    "separator",
    {
      label: "Delete project",
      icon: <Trash2 size={16} />,
      tone: "danger",
      run: () => {
        onDeleted?.();
        void deleteProject(client, project);
      },
    },
  ]);
}
