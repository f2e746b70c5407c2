import {
  AlarmClock,
  CalendarDays,
  CheckSquare,
  CircleCheck,
  Folder,
  Link2,
  PanelRight,
  Repeat,
  Tag,
  Trash2,
} from "lucide-react";
import type { ReactNode } from "react";
import { isLocalId } from "../../api/local-id.ts";
import type { Client } from "../../client/client.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { editField, type EditableField } from "./edit-field.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { fieldAnchor } from "./task-element.ts";
import { copyTaskLink, linkItems } from "./task-link-items.tsx";
import { completeTasks, nextCompletion, removeTasks } from "./use-task-shortcuts.ts";
import type { TaskCursorActions } from "./use-task-cursor.ts";

const FIELDS: readonly { readonly field: EditableField; readonly label: string; readonly icon: ReactNode }[] = [
  { field: "status", label: "Status", icon: <StatusIcon status="in_progress" /> },
  { field: "priority", label: "Priority", icon: <PriorityIcon priority={2} /> },
  { field: "due", label: "Due date", icon: <CalendarDays size={16} /> },
  { field: "repeat", label: "Repeat", icon: <Repeat size={16} /> },
  { field: "snooze", label: "Snooze", icon: <AlarmClock size={16} /> },
  { field: "project", label: "Project", icon: <Folder size={16} /> },
  { field: "tags", label: "Tags", icon: <Tag size={16} /> },
];

export interface TaskMenuOptions {
  readonly actions: TaskCursorActions;
  readonly isSelected: boolean;
  /** Whether the list shows tasks by their status, so that the cursor follows one that is done. */
  readonly followsStatus: boolean;
}

/** What can be done with a task in a list, or with the whole selection if it is part of that. */
export function openTaskMenu(
  client: Client,
  place: PopupAnchor,
  id: string,
  { actions, isSelected, followsStatus }: TaskMenuOptions,
): void {
  const ids = actions.targetsOf(id);
  const one = ids.length === 1 && !isLocalId(id);
  floating(client).openMenu(place, "Actions", [
    { label: "Open", icon: <PanelRight size={16} />, keys: SHORTCUT_KEYS.open[0], run: () => actions.open(id) },
    {
      label: nextCompletion(client, ids) === "done" ? "Mark as done" : "Mark as to do",
      icon: <CircleCheck size={16} />,
      keys: SHORTCUT_KEYS.complete[0],
      run: () => completeTasks(client, ids, actions, { followsStatus }),
    },
    "separator",
    ...FIELDS.map(({ field, label, icon }) => ({
      label,
      icon,
      keys: SHORTCUT_KEYS[field][0],
      run: () => editField(client, field, ids, fieldAnchor([id], field) ?? place),
    })),
    "separator",
    ...(one ? linkItems(client, place, id) : []),
    ...(one ? [{ label: "Copy link", icon: <Link2 size={16} />, run: () => void copyTaskLink(client, id) }] : []),
    {
      label: isSelected ? "Deselect" : "Select",
      icon: <CheckSquare size={16} />,
      keys: SHORTCUT_KEYS.select[0],
      run: () => actions.toggle(id),
    },
    "separator",
    {
      label: ids.length > 1 ? `Delete ${ids.length} tasks` : "Delete",
      icon: <Trash2 size={16} />,
      keys: SHORTCUT_KEYS.delete[0],
      tone: "danger",
      run: () => removeTasks(client, ids, actions),
    },
  ]);
}
