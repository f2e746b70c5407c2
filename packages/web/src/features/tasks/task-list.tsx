import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { useEffect, useRef, type RefObject } from "react";
import { PHONE, TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { useToday } from "../../dates/use-now.ts";
import { useOpenTaskId } from "../shell/panel-address.ts";
import { useRememberedScroll } from "../shell/remembered-scroll.ts";
import { StatusIcon } from "./status-icon.tsx";
import { hasDetails, TaskRow } from "./task-row.tsx";
import { STATUS_LABELS, type TaskStatus } from "./task.ts";
import { taskCollection } from "./task-collection.ts";
import type { ListItem } from "./task-list-items.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

const HEADER_PX = 36;
const ROW_PX = 36;
const TOUCH_ROW_PX = 48;
const TWO_LINE_ROW_PX = 56;
const OVERSCAN_ROWS = 12;

interface TaskListProps {
  readonly label: string;
  readonly items: readonly ListItem[];
  readonly cursor: TaskCursor;
  readonly hasProject: boolean;
  readonly onToggleGroup: (status: TaskStatus) => void;
}

/** Tasks in groups, of which only the rows in sight exist: ten thousand scroll like ten. */
export function TaskList({ label, items, cursor, hasProject, onToggleGroup }: TaskListProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const isTouch = useMediaQuery(TOUCH);
  const today = useToday();
  const openId = useOpenTaskId();
  const { initialOffset, remember } = useRememberedScroll(label);
  const { cursorId, selectedIds, editingId, focusRequest, actions } = cursor;

  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => sizeOf(items[index], isPhone, isTouch, hasProject),
    getItemKey: (index) => keyOf(items[index], index),
    overscan: OVERSCAN_ROWS,
    initialOffset,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, items, isPhone, isTouch, hasProject]);
  useScrollToCursor(virtualizer, items, cursorId, focusRequest);

  const firstId = items.find((item) => item.kind === "task")?.task.id;
  return (
    <ScrollArea scrollRef={scrollRef} onScroll={remember}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={items.length}
        aria-multiselectable
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={key}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {item.kind === "header" ? (
                <GroupHeader item={item} rowIndex={index + 1} onToggle={onToggleGroup} />
              ) : (
                <TaskRow
                  task={item.task}
                  today={today}
                  isPhone={isPhone}
                  isCursor={item.task.id === cursorId}
                  isTabStop={item.task.id === (cursorId ?? firstId)}
                  isSelected={selectedIds.has(item.task.id)}
                  isSelecting={selectedIds.size > 0}
                  isEditing={item.task.id === editingId}
                  isOpen={item.task.id === openId}
                  focusRequest={focusRequest}
                  hasProject={hasProject}
                  rowIndex={index + 1}
                  actions={actions}
                />
              )}
            </div>
          );
        })}
      </div>
    </ScrollArea>
  );
}

interface ScrollAreaProps {
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly onScroll: (offset: number) => void;
  readonly children: React.ReactNode;
}

function ScrollArea({ scrollRef, onScroll, children }: ScrollAreaProps) {
  return (
    <div
      ref={scrollRef}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-20 [contain:strict]"
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
    >
      {children}
    </div>
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
          <span className="tabular font-normal text-muted">{count.toLocaleString("en")}</span>
        </button>
      </div>
    </div>
  );
}

/** Keeps the row that the keyboard has reached in sight. */
function useScrollToCursor(
  virtualizer: { scrollToIndex(index: number, options: { align: "auto" }): void },
  items: readonly ListItem[],
  cursorId: string | null,
  focusRequest: number,
): void {
  const handledRequest = useRef(0);
  useEffect(() => {
    if (handledRequest.current === focusRequest || cursorId === null) return;
    handledRequest.current = focusRequest;
    const index = items.findIndex((item) => item.kind === "task" && item.task.id === cursorId);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [virtualizer, items, cursorId, focusRequest]);
}

function keyOf(item: ListItem | undefined, index: number): string | number {
  if (item === undefined) return index;
  return item.kind === "header" ? item.status : taskCollection.keyOf(item.task.id);
}

function sizeOf(item: ListItem | undefined, isPhone: boolean, isTouch: boolean, hasProject: boolean): number {
  if (item === undefined || item.kind === "header") return HEADER_PX;
  if (isPhone && hasDetails(item.task, hasProject)) return TWO_LINE_ROW_PX;
  return isTouch ? TOUCH_ROW_PX : ROW_PX;
}
