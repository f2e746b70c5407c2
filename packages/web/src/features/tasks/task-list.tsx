import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { useToday } from "../../dates/use-now.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { useOpenTaskId } from "../shell/task-panel-url.ts";
import { StatusIcon } from "./status-icon.tsx";
import { hasDetails, TaskRow } from "./task-row.tsx";
import { STATUS_LABELS, type Task, type TaskStatus } from "./task.ts";
import { taskCollection } from "./task-collection.ts";
import type { ListItem } from "./task-list-items.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

const HEADER_PX = 36;
const ROW_PX = 36;
const TOUCH_ROW_PX = 48;
const TWO_LINE_ROW_PX = 56;

interface TaskListProps {
  readonly label: string;
  readonly items: readonly ListItem[];
  readonly cursor: TaskCursor;
  /** Is scrolled to, and highlighted. */
  readonly created: Task | null;
  readonly hasProject: boolean;
  readonly onToggleGroup: (status: TaskStatus) => void;
  readonly onFold: (id: string, isFolded: boolean) => void;
  /** Whether rows can be dragged. */
  readonly isManual: boolean;
}

/** Tasks in groups; only visible rows are rendered. */
export function TaskList({
  label,
  items,
  cursor,
  created,
  hasProject,
  onToggleGroup,
  onFold,
  isManual,
}: TaskListProps) {
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  const isTouch = useMediaQuery(TOUCH);
  const today = useToday();
  const openId = useOpenTaskId();
  const { cursorId, selectedIds, editingId, focusRequest, actions } = cursor;
  const heightOf = useCallback(
    (item: ListItem) => {
      if (item.kind === "header") return HEADER_PX;
      if (isPhone && hasDetails(item.task, hasProject)) return TWO_LINE_ROW_PX;
      return isTouch ? TOUCH_ROW_PX : ROW_PX;
    },
    [isPhone, isTouch, hasProject],
  );
  const { keyOf } = taskCollection(client);
  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  });
  const latestItems = useCallback(() => latest.current, []);
  const firstId = items.find((item) => item.kind === "task")?.task.id;
  return (
    <VirtualList
      label={label}
      items={items}
      idOf={idOf}
      keyOf={(item) => keyOf(idOf(item))}
      heightOf={heightOf}
      cursorId={cursorId}
      focusRequest={focusRequest}
      reveal={created}
      isMultiselectable
      renderRow={(item, rowIndex) =>
        item.kind === "header" ? (
          <GroupHeader item={item} rowIndex={rowIndex} onToggle={onToggleGroup} />
        ) : (
          <TaskRow
            task={item.task}
            today={today}
            isPhone={isPhone}
            isCursor={item.task.id === cursorId}
            isTabStop={item.task.id === (cursorId ?? firstId)}
            isSelected={selectedIds.has(item.task.id)}
            isSelecting={selectedIds.size > 0}
            depth={item.depth}
            isFolded={item.isFolded}
            onFold={onFold}
            draggedAmong={isManual ? latestItems : undefined}
            isEditing={item.task.id === editingId}
            isOpen={item.task.id === openId}
            isNew={created !== null && keyOf(created.id) === keyOf(item.task.id)}
            focusRequest={focusRequest}
            hasProject={hasProject}
            rowIndex={rowIndex}
            actions={actions}
          />
        )
      }
    />
  );
}

interface GroupHeaderProps {
  readonly item: Extract<ListItem, { kind: "header" }>;
  readonly rowIndex: number;
  readonly onToggle: (status: TaskStatus) => void;
}

function GroupHeader({ item: { status, count, isCollapsed }, rowIndex, onToggle }: GroupHeaderProps) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className="flex h-full items-center border-b border-border bg-background px-2"
    >
      <div role="gridcell" aria-colspan={4} className="w-full">
        <button
          type="button"
          aria-expanded={!isCollapsed}
          className="flex h-7 w-full items-center gap-2 rounded-control px-1 text-13 font-medium text-strong"
          onClick={() => onToggle(status)}
        >
          <ChevronDown
            aria-hidden
            size={14}
            className={clsx("text-muted transition-transform duration-120", isCollapsed && "-rotate-90")}
          />
          <StatusIcon status={status} />
          {STATUS_LABELS[status]}
          <span className="tabular font-normal text-muted">{count?.toLocaleString("en")}</span>
        </button>
      </div>
    </div>
  );
}

function idOf(item: ListItem): string {
  return item.kind === "header" ? item.status : item.task.id;
}
