import { ArrowLeftRight, CornerDownRight, FileText, Hourglass } from "lucide-react";
import { publicUrlOf } from "../../browser/base-path.ts";
import type { Client } from "../../client/client.ts";
import { copyWithToast } from "../../components/copy-with-toast.ts";
import type { MenuItem, PopupAnchor } from "../../components/floating.ts";

const LINKS = [
  { kind: "parent", label: "Make it a subtask of…", icon: <CornerDownRight size={16} /> },
  { kind: "blockedBy", label: "Wait for another task…", icon: <Hourglass size={16} /> },
  { kind: "relatesTo", label: "Relate to another task…", icon: <ArrowLeftRight size={16} /> },
  { kind: "note", label: "Link a note or a conversation…", icon: <FileText size={16} /> },
] as const;

/** Entries of a menu that connect a task with something else. */
export function linkItems(client: Client, place: HTMLElement | PopupAnchor, id: string): MenuItem[] {
  return LINKS.map(({ kind, label, icon }) => ({
    label,
    icon,
    run: () => void import("./link-picker.tsx").then(({ pickLink }) => pickLink(client, place, id, kind)),
  }));
}

/** Copies the URL of a task, and says so. */
export function copyTaskLink(client: Client, id: string): Promise<void> {
  return copyWithToast(client, publicUrlOf(`/tasks/${id}`), "the link to the task");
}
