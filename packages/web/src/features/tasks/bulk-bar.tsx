import { AlarmClock, CalendarDays, Ellipsis, Folder, Repeat, Tag, Trash2 } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { editField, type EditableField } from "./edit-field.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { openTaskMenu } from "./task-menu.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { removeTasks } from "./use-task-shortcuts.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

const FIELDS: readonly { field: EditableField; label: string; icon: React.ReactNode }[] = [
  { field: "status", label: "Status", icon: <StatusIcon status="in_progress" /> },
  { field: "priority", label: "Priority", icon: <PriorityIcon priority={2} /> },
  { field: "due", label: "Due date", icon: <CalendarDays aria-hidden size={16} /> },
  { field: "repeat", label: "Repeat", icon: <Repeat aria-hidden size={16} /> },
  { field: "snooze", label: "Snooze", icon: <AlarmClock aria-hidden size={16} /> },
  { field: "project", label: "Project", icon: <Folder aria-hidden size={16} /> },
  { field: "tags", label: "Tags", icon: <Tag aria-hidden size={16} /> },
];

/** Bulk actions for the selected tasks. */
export default function BulkBar({ cursor: { selectedIds, actions } }: { readonly cursor: TaskCursor }) {
  const client = useClient();
  const ids = [...selectedIds];
  return (
    <SelectionBar label="Selected tasks" count={selectedIds.size} onClear={actions.clearSelection}>
      {FIELDS.map(({ field, label, icon }) => (
        <Button
          key={field}
          size="small"
          tone="ghost"
          icon={icon}
          aria-haspopup="dialog"
          onClick={(event) => editField(client, field, ids, event.currentTarget)}
        >
          <span className="max-md:sr-only">{label}</span>
        </Button>
      ))}
      <IconButton
        size="small"
        label="All actions"
        aria-haspopup="menu"
        icon={<Ellipsis size={16} />}
        onClick={({ currentTarget }) => {
          const [id] = ids;
          if (id !== undefined)
            openTaskMenu(client, { element: currentTarget, returnFocusTo: currentTarget }, id, {
              actions,
              isSelected: true,
              followsStatus: false,
            });
        }}
      />
      <Button
        size="small"
        tone="danger"
        shortcut="delete"
        icon={<Trash2 aria-hidden size={16} />}
        onClick={() => removeTasks(client, ids, actions)}
      >
        <span className="max-md:sr-only">Delete</span>
      </Button>
    </SelectionBar>
  );
}
