import { clsx } from "clsx";
import { ChevronDown, Plus } from "lucide-react";
import { useMemo, useState, type DragEvent, type ReactNode } from "react";
import { PHONE, TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { useToday } from "../../dates/use-now.ts";
import { toggled } from "../../lists/choices.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { useOpenTaskId } from "../shell/task-panel-url.ts";
import BulkBar from "./bulk-bar.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { updateTasks } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import type { NamedGroup } from "./task-groups.ts";
import { hasDetails, TaskRow } from "./task-row.tsx";
import type { Task } from "./task.ts";
import { useTaskCursor } from "./use-task-cursor.ts";
import { useTaskShortcuts } from "./use-task-shortcuts.ts";

const HEADER_PX = 36;
const ROW_PX = 36;
const TOUCH_ROW_PX = 48;
const TWO_LINE_ROW_PX = 56;

type Row =
  | { readonly kind: "header"; readonly id: string; readonly group: NamedGroup; readonly isFolded: boolean }
  | { readonly kind: "task"; readonly id: string; readonly group: NamedGroup; readonly task: Task };

interface GroupedListProps {
  readonly label: string;
  readonly groups: readonly NamedGroup[];
  /** How many tasks a group has, loaded or not; undefined while that is not known. */
  readonly countOf: (group: NamedGroup) => number | undefined;
  readonly hasProject: boolean;
  /** Begins a new task with the values of a group. */
  readonly onAdd: (defaults: NewTaskDefaults) => void;
  readonly iconOf?: (group: NamedGroup) => ReactNode;
}

/** Tasks in groups of any kind, which fold; dragging a task to another group gives it the group's value. */
export function GroupedList({ label, groups, countOf, hasProject, onAdd, iconOf }: GroupedListProps) {
  const client = useClient();
  const today = useToday();
  const isPhone = useMediaQuery(PHONE);
  const isTouch = useMediaQuery(TOUCH);
  const openId = useOpenTaskId();
  const [folded, setFolded] = useState<readonly string[]>([]);
  const [target, setTarget] = useState<string | null>(null);
  const rows = useMemo(() => rowsOf(groups, folded), [groups, folded]);
  const ids = useMemo(() => rows.flatMap((row) => (row.kind === "task" ? [row.id] : [])), [rows]);
  const cursor = useTaskCursor(ids);
  useTaskShortcuts(cursor);
  const { cursorId, selectedIds, editingId, focusRequest, actions } = cursor;
  const heightOf = (row: Row) => {
    if (row.kind === "header") return HEADER_PX;
    if (isPhone && hasDetails(row.task, hasProject)) return TWO_LINE_ROW_PX;
    return isTouch ? TOUCH_ROW_PX : ROW_PX;
  };
  const drop = ({ patchOf }: NamedGroup, id: string) => {
    setTarget(null);
    if (patchOf !== null) void updateTasks(client, actions.targetsOf(id), patchOf);
  };
  const dropHandlers = (group: NamedGroup) =>
    group.patchOf !== null && {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setTarget(group.key);
      },
      onDragLeave: () => setTarget(null),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        drop(group, event.dataTransfer.getData("text/plain"));
      },
    };
  const { keyOf } = taskCollection(client);
  return (
    <>
      <VirtualList
        label={label}
        items={rows}
        idOf={(row) => row.id}
        keyOf={(row) => keyOf(row.id)}
        // oxlint-disable-next-line react/exhaustive-deps -- It depends on the kind of device only.
        heightOf={useMemo(() => heightOf, [isPhone, isTouch, hasProject])}
        cursorId={cursorId}
        focusRequest={focusRequest}
        isMultiselectable
        renderRow={(row, rowIndex) => (
          <div
            className={clsx("h-full", target === row.group.key && "bg-accent-soft")}
            draggable={row.kind === "task" && !isTouch && editingId !== row.id}
            onDragStart={(event) => event.dataTransfer.setData("text/plain", row.id)}
            {...dropHandlers(row.group)}
          >
            {row.kind === "header" ? (
              <Header
                row={row}
                rowIndex={rowIndex}
                count={countOf(row.group)}
                icon={iconOf?.(row.group)}
                onToggle={() => setFolded(toggled(folded, row.group.key))}
                onAdd={onAdd}
              />
            ) : (
              <TaskRow
                task={row.task}
                today={today}
                isPhone={isPhone}
                isCursor={row.id === cursorId}
                isTabStop={row.id === (cursorId ?? ids[0])}
                isSelected={selectedIds.has(row.id)}
                isSelecting={selectedIds.size > 0}
                isEditing={row.id === editingId}
                isOpen={row.id === openId}
                focusRequest={focusRequest}
                hasProject={hasProject}
                rowIndex={rowIndex}
                actions={actions}
              />
            )}
          </div>
        )}
      />
      <BulkBar cursor={cursor} />
    </>
  );
}

interface HeaderProps {
  readonly row: Extract<Row, { kind: "header" }>;
  readonly rowIndex: number;
  readonly count: number | undefined;
  readonly icon: ReactNode;
  readonly onToggle: () => void;
  readonly onAdd: (defaults: NewTaskDefaults) => void;
}

function Header({ row: { group, isFolded }, rowIndex, count, icon, onToggle, onAdd }: HeaderProps) {
  const { defaults } = group;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className="flex h-full items-center border-b border-border bg-background px-2"
    >
      <div role="gridcell" className="min-w-0 flex-1">
        <button
          type="button"
          aria-expanded={!isFolded}
          className="flex h-7 w-full items-center gap-2 rounded-control px-1 text-left text-13 font-medium text-strong"
          onClick={onToggle}
        >
          <ChevronDown
            aria-hidden
            size={14}
            className={clsx("shrink-0 text-muted transition-transform duration-120", isFolded && "-rotate-90")}
          />
          {icon}
          <span className="truncate">{group.label}</span>
          <span className="tabular font-normal text-muted">{count?.toLocaleString("en")}</span>
        </button>
      </div>
      {defaults !== null && (
        <div role="gridcell">
          <IconButton
            size="small"
            label={`Add a task: ${group.label}`}
            icon={<Plus size={16} />}
            onClick={() => onAdd(defaults)}
          />
        </div>
      )}
    </div>
  );
}

function rowsOf(groups: readonly NamedGroup[], folded: readonly string[]): Row[] {
  const rows: Row[] = [];
  for (const group of groups) {
    const isFolded = folded.includes(group.key);
    rows.push({ kind: "header", id: `group ${group.key}`, group, isFolded });
    if (!isFolded) for (const task of group.tasks) rows.push({ kind: "task", id: task.id, group, task });
  }
  return rows;
}
