import { clsx } from "clsx";
import { memo, useRef, type MouseEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { ProjectDot } from "../../components/project-dot.tsx";
import { IconButton } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import type { Day } from "../../dates/day.ts";
import { useFocusUnderCursor } from "../../lists/use-focus-under-cursor.ts";
import { useCurrentProject } from "../projects/project-collection.ts";
import { ClaimLabel } from "./claim-label.tsx";
import { TaskTimes } from "./due-label.tsx";
import { editField } from "./edit-field.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { openTaskContextMenu } from "./task-context-menu.ts";
import { StatusIcon } from "./status-icon.tsx";
import { ParentLabel, TaskProgress } from "./task-progress.tsx";
import { hasDetails, hasParts, TitleEditor } from "./task-row.tsx";
import { priorityOf, STATUS_LABELS, type Task } from "./task.ts";
import type { CardDragHandle } from "./use-card-drag.ts";
import type { TaskCursorActions } from "./use-task-cursor.ts";

interface TaskCardProps {
  readonly task: Task;
  readonly today: Day;
  readonly hasProject: boolean;
  readonly isCursor: boolean;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  readonly isSelecting: boolean;
  readonly isEditing: boolean;
  readonly isOpen: boolean;
  /** Whether it was created just now, and is highlighted for a moment. */
  readonly isNew: boolean;
  readonly isDragged: boolean;
  readonly focusRequest: number;
  readonly actions: TaskCursorActions;
  readonly drag: CardDragHandle;
}

/** One task on the board. */
export const TaskCard = memo(
  function TaskCard(props: TaskCardProps) {
    const { task, isCursor, isSelected, isSelecting, isEditing, isOpen, isDragged, focusRequest, actions, drag } =
      props;
    const ref = useRef<HTMLElement>(null);
    useFocusUnderCursor(ref, { isCursor: isCursor && !isEditing, focusRequest, actions });
    const client = useClient();
    const onClick = (event: MouseEvent) => {
      if (drag.wasDrag()) return;
      if (event.shiftKey) actions.selectTo(task.id);
      else if (isSelecting || event.metaKey || event.ctrlKey) actions.toggle(task.id);
      else actions.open(task.id);
    };
    return (
      <article
        ref={ref}
        aria-label={task.title}
        data-task-id={task.id}
        tabIndex={props.isTabStop ? 0 : -1}
        className={clsx(
          "group relative rounded-panel border bg-raised p-3 select-none [-webkit-touch-callout:none]",
          isSelected || isOpen ? "border-accent-text bg-accent-soft" : "border-border hover:border-control",
          isDragged && "opacity-40",
          props.isNew && "animate-fresh",
        )}
        onClick={onClick}
        onContextMenu={(event) =>
          openTaskContextMenu(client, event, task.id, { actions, isSelected, followsStatus: true })
        }
        onFocus={() => actions.touch(task.id)}
        onPointerDown={(event) => drag.start(event, task.id)}
      >
        {isEditing ? <TitleEditor task={task} onDone={actions.stopEdit} /> : <TaskCardBody {...props} />}
        <CardTools {...props} />
      </article>
    );
  },
  // The drag state is a new object in every frame of a drag; a card only cares whether it is the one being dragged.
  (before, after) =>
    before.task === after.task &&
    before.today === after.today &&
    before.isCursor === after.isCursor &&
    before.isNew === after.isNew &&
    before.isTabStop === after.isTabStop &&
    before.isSelected === after.isSelected &&
    before.isSelecting === after.isSelecting &&
    before.isEditing === after.isEditing &&
    before.isOpen === after.isOpen &&
    before.isDragged === after.isDragged &&
    (before.focusRequest === after.focusRequest || !after.isCursor),
);

/** The status and the checkbox, shown over the card's corner on hover. On touch devices they are in the opened card. */
function CardTools({ task, isCursor, isSelected, actions }: TaskCardProps) {
  const client = useClient();
  return (
    <span
      className={clsx(
        "absolute top-2 right-2 flex items-center gap-1 rounded-control bg-raised pl-1 touch:hidden",
        !isCursor && !isSelected && "opacity-0 group-hover:opacity-100 focus-within:opacity-100",
      )}
    >
      <IconButton
        size="small"
        label={`Status: ${STATUS_LABELS[task.status]}`}
        shortcut="status"
        aria-haspopup="dialog"
        tabIndex={isCursor ? 0 : -1}
        icon={<StatusIcon status={task.status} />}
        onClick={(event) => {
          event.stopPropagation();
          editField(client, "status", actions.targetsOf(task.id), event.currentTarget);
        }}
      />
      <Checkbox
        label={`Select ${task.title}`}
        tabIndex={-1}
        checked={isSelected}
        className="mr-1"
        onChange={() => actions.toggle(task.id)}
        onClick={(event) => event.stopPropagation()}
      />
    </span>
  );
}

/** The content of a card, also used for the drag preview. */
export function TaskCardBody({
  task,
  today,
  hasProject,
}: {
  readonly task: Task;
  readonly today: Day;
  readonly hasProject: boolean;
}) {
  const project = useCurrentProject(task.project);
  return (
    <>
      <p
        dir="auto"
        className={clsx("line-clamp-3 [overflow-wrap:anywhere]", task.status === "done" ? "text-muted" : "text-strong")}
      >
        {task.title}
      </p>
      {task.parentId !== null && (
        <div className="mt-1 flex [&>*]:max-w-full">
          <ParentLabel task={task} />
        </div>
      )}
      {(hasDetails(task, hasProject) || hasParts(task)) && (
        <div className="mt-2 flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-12 text-muted">
          <ClaimLabel task={task} />
          {priorityOf(task) !== 2 && <PriorityIcon priority={priorityOf(task)} hasName />}
          <TaskTimes task={task} today={today} hasIcon />
          <TaskProgress task={task} hasSubtasks />
          {hasProject && project !== null && (
            <span className="flex min-w-0 items-center gap-1.5">
              <ProjectDot color={project.color} size={8} />
              <span className="truncate">{project.name}</span>
            </span>
          )}
          {task.tags.length > 0 && (
            <span className="min-w-0 truncate">{task.tags.map((tag) => `#${tag}`).join(" ")}</span>
          )}
        </div>
      )}
    </>
  );
}
