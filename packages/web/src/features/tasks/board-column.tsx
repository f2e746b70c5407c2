import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { Plus } from "lucide-react";
import { startTransition, useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import type { Day } from "../../dates/day.ts";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { refusesLast, useNewTaskForm } from "./new-task-draft.ts";
import { CapturedChips } from "./captured-chips.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { TaskCard } from "./task-card.tsx";
import { taskCollection } from "./task-collection.ts";
import type { TaskGroup } from "./task-order.ts";
import { STATUS_LABELS, type Task, type TaskStatus } from "./task.ts";
import type { CardDrag, CardDragHandle } from "./use-card-drag.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

const CARD_PX = 84;
const GAP_PX = 8;
/** So many cards before and after the visible ones are rendered, once those are shown. */
const OVERSCAN_CARDS = 6;

interface BoardColumnProps {
  readonly group: TaskGroup;
  readonly cursor: TaskCursor;
  readonly created: Task | null;
  readonly selectedIds: ReadonlySet<string>;
  readonly today: Day;
  readonly openId: string | undefined;
  readonly hasProject: boolean;
  readonly isPhone: boolean;
  /** Whether its cards are rendered yet. */
  readonly isReady: boolean;
  readonly defaults: NewTaskDefaults;
  readonly drag: CardDrag | null;
  readonly dragHandle: CardDragHandle;
}

/** The cards of one status; only visible ones are rendered. */
export function BoardColumn(props: BoardColumnProps) {
  const client = useClient();
  const { group, cursor, created, selectedIds, today, openId, hasProject, isPhone, isReady, defaults } = props;
  const { drag, dragHandle } = props;
  const { status, tasks } = group;
  const { keyOf } = taskCollection(client);
  const scrollRef = useRef<HTMLDivElement>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(OVERSCAN_CARDS)), []);
  const virtualizer = useVirtualizer({
    // Until it has been laid out, it may be as high as the window.
    initialRect: { width: 0, height: window.innerHeight },
    count: isReady ? tasks.length : 0,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => keyOf(tasks[index]?.id ?? String(index)),
    gap: GAP_PX,
    overscan,
  });
  useScrollToCard(virtualizer, tasks, cursor);
  useRevealedCard(virtualizer, tasks, created, scrollRef);

  const isTarget = drag?.over === status;
  return (
    <section
      data-column={status}
      aria-label={STATUS_LABELS[status]}
      className={clsx(
        "flex min-h-0 flex-1 flex-col rounded-panel transition-colors duration-120",
        isPhone ? "w-[82vw] min-w-[82vw] snap-start" : "min-w-64",
        isTarget && "bg-accent-soft ring-2 ring-accent-text/50",
      )}
    >
      <ColumnHeader status={status} count={group.count} onAdd={() => setIsAdding(true)} />
      {isAdding && <ColumnQuickAdd status={status} defaults={defaults} onClose={() => setIsAdding(false)} />}
      <div
        ref={scrollRef}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-0.5 pt-0.5 pb-16"
        tabIndex={-1}
      >
        {tasks.length === 0 && !isAdding && (
          <p className="px-2 py-3 text-13 text-muted">{isTarget ? "Drop here." : "No tasks."}</p>
        )}
        <ul
          aria-label={`${STATUS_LABELS[status]} tasks`}
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const task = tasks[index];
            if (task === undefined) return null;
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={tasks.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <TaskCard
                  task={task}
                  today={today}
                  hasProject={hasProject}
                  isCursor={task.id === cursor.cursorId}
                  isTabStop={task.id === (cursor.cursorId ?? tasks[0]?.id)}
                  isSelected={selectedIds.has(task.id)}
                  isSelecting={selectedIds.size > 0}
                  isEditing={task.id === cursor.editingId}
                  isOpen={task.id === openId}
                  isNew={created !== null && keyOf(created.id) === keyOf(task.id)}
                  isDragged={task.id === drag?.taskId}
                  focusRequest={cursor.focusRequest}
                  actions={cursor.actions}
                  drag={dragHandle}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function ColumnHeader({ status, count, onAdd }: { status: TaskStatus; count: number | undefined; onAdd: () => void }) {
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 pl-2">
      <StatusIcon status={status} />
      <h2 className="text-13 font-medium text-strong">{STATUS_LABELS[status]}</h2>
      <span className="tabular text-13 text-muted">{count?.toLocaleString("en")}</span>
      <IconButton
        size="small"
        className="ml-auto"
        label={`Add a task: ${STATUS_LABELS[status]}`}
        icon={<Plus size={16} />}
        onClick={onAdd}
      />
    </header>
  );
}

function ColumnQuickAdd({
  status,
  defaults,
  onClose,
}: {
  status: TaskStatus;
  defaults: NewTaskDefaults;
  onClose: () => void;
}) {
  const form = useNewTaskForm(`column.${status}`, defaults);
  const submit = () => form.submit();
  const onKeyDown = (event: KeyboardEvent) => {
    if (refusesLast(event, form)) return;
    if (event.key === "Enter" && !event.nativeEvent.isComposing) submit();
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div className="mx-0.5 mb-2 flex shrink-0 flex-col gap-1">
      <input
        aria-label={`New task: ${STATUS_LABELS[status]}`}
        placeholder="Title, then Enter"
        autoFocus
        maxLength={500}
        value={form.draft.title}
        className="h-(--control-height) shrink-0 rounded-control border border-accent-text bg-raised px-3 text-strong focus-visible:outline-none"
        onChange={(event) => form.change({ title: event.target.value, status })}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (form.draft.title.trim() === "") onClose();
        }}
      />
      {form.parts.length > 0 && (
        <div className="flex flex-wrap gap-1">
          <CapturedChips form={form} />
        </div>
      )}
    </div>
  );
}

function useScrollToCard(
  virtualizer: { scrollToIndex(index: number, options: { align: "auto" }): void },
  tasks: TaskGroup["tasks"],
  { cursorId, focusRequest }: TaskCursor,
): void {
  const handledRequest = useRef(0);
  useEffect(() => {
    if (handledRequest.current === focusRequest || cursorId === null) return;
    handledRequest.current = focusRequest;
    const index = tasks.findIndex((task) => task.id === cursorId);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [virtualizer, tasks, cursorId, focusRequest]);
}

/** Brings a card that was just created into view, and its column on a narrow screen. */
function useRevealedCard(
  virtualizer: { scrollToIndex(index: number, options: { align: "auto" }): void },
  tasks: TaskGroup["tasks"],
  created: Task | null,
  column: { readonly current: HTMLElement | null },
): void {
  const handled = useRef(created);
  useEffect(() => {
    if (handled.current === created || created === null) return;
    handled.current = created;
    const index = tasks.findIndex((task) => task.id === created.id);
    if (index === -1) return;
    virtualizer.scrollToIndex(index, { align: "auto" });
    column.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [virtualizer, tasks, created, column]);
}
