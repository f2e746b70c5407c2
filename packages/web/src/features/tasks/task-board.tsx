import { clsx } from "clsx";
import { useDeferredValue, useRef } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { useToday } from "../../dates/use-now.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useOpenTaskId } from "../shell/task-panel-url.ts";
import { BoardColumn } from "./board-column.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { updateTasks } from "./task-actions.ts";
import { TaskCardBody } from "./task-card.tsx";
import { taskCollection } from "./task-collection.ts";
import type { TaskGroup } from "./task-order.ts";
import { moveTask } from "./task-moves.ts";
import { BOARD_STATUSES, type Task, type TaskStatus } from "./task.ts";
import { useCardDrag, type CardGap } from "./use-card-drag.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

/** So many are seen at once on a phone. */
const PHONE_COLUMNS = 2;

interface TaskBoardProps {
  readonly groups: readonly TaskGroup[];
  readonly cursor: TaskCursor;
  /** Is scrolled to, and highlighted. */
  readonly created: Task | null;
  readonly hasProject: boolean;
  readonly defaults: NewTaskDefaults;
  /** Whether cards have a place in their column. */
  readonly isManual: boolean;
}

/** Tasks as cards in a column per status; dragging a card or using the arrow keys changes its status. */
export function TaskBoard({ groups, cursor, created, hasProject, defaults, isManual }: TaskBoardProps) {
  const client = useClient();
  const boardRef = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const areAllReady = useDeferredValue(true, !isPhone);
  const today = useToday();
  const openId = useOpenTaskId();
  const { actions, selectedIds } = cursor;
  const drop = (taskId: string, status: TaskStatus, gap: CardGap | null) => {
    const targets = actions.targetsOf(taskId);
    const others = gap === null ? targets : targets.filter((id) => id !== taskId);
    if (others.length > 0) void updateTasks(client, others, { status });
    if (gap === null) return;
    const task = taskCollection(client).get(taskId);
    const place = gap.side === "after" ? { afterId: gap.id } : { beforeId: gap.id };
    void moveTask(client, taskId, { ...place, ...(task?.status !== status && { status }) });
  };
  const { drag, ghostRef, lineRef, handle } = useCardDrag(boardRef, drop, isManual);
  useColumnShortcuts(groups, cursor);

  const dragged = drag === null ? undefined : taskCollection(client).get(drag.taskId);
  const draggedCount = dragged === undefined ? 0 : actions.targetsOf(dragged.id).length;
  return (
    <>
      <div
        ref={boardRef}
        className={clsx(
          "flex min-h-0 flex-1 gap-3 overflow-x-auto bg-background p-3 max-md:scroll-px-3",
          // Snapping would pull the board back while a card is dragged to its edge.
          drag === null && "max-md:snap-x max-md:snap-mandatory",
        )}
      >
        {groups.map((group, index) => (
          <BoardColumn
            key={group.status}
            group={group}
            cursor={cursor}
            created={created}
            selectedIds={selectedIds}
            today={today}
            openId={openId}
            hasProject={hasProject}
            defaults={defaults}
            isPhone={isPhone}
            isReady={areAllReady || index < PHONE_COLUMNS}
            drag={drag}
            dragHandle={handle}
          />
        ))}
      </div>
      {drag !== null && isManual && (
        <div
          ref={lineRef}
          hidden
          aria-hidden
          className="pointer-events-none fixed z-60 h-0.5 rounded-full bg-accent-text"
        />
      )}
      {dragged !== undefined && drag !== null && (
        <div
          ref={ghostRef}
          aria-hidden
          style={{ width: drag.width, transform: "translate(-9999px, 0)" }}
          className="pointer-events-none fixed top-0 left-0 z-60 rounded-panel bg-raised p-3 shadow-float"
        >
          <TaskCardBody task={dragged} today={today} hasProject={hasProject} />
          {draggedCount > 1 && (
            <span className="tabular absolute -top-2 -right-2 flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-12 font-semibold text-on-accent">
              {draggedCount}
            </span>
          )}
        </div>
      )}
    </>
  );
}

/** Keyboard navigation between columns, for the cursor and for cards. */
function useColumnShortcuts(groups: readonly TaskGroup[], { cursorId, selectedIds, actions }: TaskCursor): void {
  const client = useClient();
  const go = (step: number) => {
    if (cursorId === null) return actions.move(1);
    const id = neighbourOf(groups, cursorId, step);
    if (id !== undefined) actions.moveTo(id);
  };
  const moveCards = (step: number) => {
    const status = cursorId === null ? undefined : taskCollection(client).get(cursorId)?.status;
    const target = status === undefined ? undefined : BOARD_STATUSES[BOARD_STATUSES.indexOf(status) + step];
    if (cursorId === null || target === undefined) return;
    void updateTasks(client, selectedIds.size > 0 ? [...selectedIds] : [cursorId], { status: target });
    actions.moveTo(cursorId);
  };
  useShortcut("columnLeft", () => go(-1));
  useShortcut("columnRight", () => go(1));
  useShortcut("moveLeft", () => moveCards(-1));
  useShortcut("moveRight", () => moveCards(1));
}

/** The card beside this one in the next column that is not empty. */
function neighbourOf(groups: readonly TaskGroup[], id: string, step: number): string | undefined {
  const column = groups.findIndex((group) => group.tasks.some((task) => task.id === id));
  const row = groups[column]?.tasks.findIndex((task) => task.id === id) ?? 0;
  for (let index = column + step; index >= 0 && index < groups.length; index += step) {
    const tasks = groups[index]?.tasks ?? [];
    const neighbour = tasks[Math.min(row, tasks.length - 1)];
    if (neighbour !== undefined) return neighbour.id;
  }
  return undefined;
}
