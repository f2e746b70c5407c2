import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { memo, useRef, type MouseEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { IconButton } from "../../components/button.tsx";
import { loadable } from "../../components/loadable.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { tooltip } from "../../components/tooltip.ts";
import type { Day } from "../../dates/day.ts";
import { useFocusUnderCursor } from "../../lists/use-focus-under-cursor.ts";
import { useLongPress } from "../../lists/use-long-press.ts";
import { useCurrentProject } from "../projects/project-collection.ts";
import { ClaimLabel } from "./claim-label.tsx";
import { TaskTimes } from "./due-label.tsx";
import { editField, type EditableField } from "./edit-field.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { openTaskContextMenu } from "./task-context-menu.ts";
import { StatusIcon } from "./status-icon.tsx";
import type { ListItem } from "./task-list-items.ts";
import { PRIORITY_LABELS, priorityOf, STATUS_LABELS, type Task } from "./task.ts";
import type { TaskCursorActions } from "./use-task-cursor.ts";

/** To be preloaded, so that a title can be edited without delay. */
export const TitleEditor = loadable(async () => (await import("./title-editor.tsx")).TitleEditor);

const AFTER_DATA = { afterData: true };
/** Not on every first screen. */
export const RowParts = loadable(async () => (await import("./row-parts.tsx")).RowParts, AFTER_DATA);
export const RowGrip = loadable(async () => (await import("./row-parts.tsx")).RowGrip, AFTER_DATA);

const SHOWN_TAGS = 2;
/** Deeper levels are not indented further, so that their titles stay readable. */
const MAX_INDENT = 6;

export interface TaskRowProps {
  readonly task: Task;
  readonly today: Day;
  readonly isPhone: boolean;
  readonly isCursor: boolean;
  /** Whether the Tab key enters the list here: the row under the cursor, or the first one if there is no cursor. */
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  /** Whether anything is selected, in which case a tap selects instead of opening. */
  readonly isSelecting: boolean;
  readonly isEditing: boolean;
  readonly isOpen: boolean;
  /** Whether it was created just now, and is highlighted for a moment. */
  readonly isNew?: boolean;
  /** How many tasks it is shown below. */
  readonly depth?: number;
  /** Whether its subtasks are hidden; undefined if none are in the list. */
  readonly isFolded?: boolean | undefined;
  readonly onFold?: (id: string, isFolded: boolean) => void;
  /** Returns the rows of the list, among which it can be dragged; undefined where the order cannot be changed. */
  readonly draggedAmong?: (() => readonly ListItem[]) | undefined;
  /** Changes when the focus must move here, if this is the row under the cursor. */
  readonly focusRequest: number;
  /** Whether to show the project; on a project's own page it would only repeat the title. */
  readonly hasProject: boolean;
  readonly rowIndex: number;
  readonly actions: TaskCursorActions;
}

/** One task in a list. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, isCursor, isSelected, isSelecting, isEditing, isOpen, focusRequest, isPhone, rowIndex, actions } =
    props;
  const { depth = 0, draggedAmong } = props;
  const ref = useRef<HTMLDivElement>(null);
  useFocusUnderCursor(ref, { isCursor: isCursor && !isEditing, focusRequest, actions });
  const client = useClient();
  const longPress = useLongPress(() => actions.toggle(task.id));

  const onClick = (event: MouseEvent) => {
    if (longPress.wasLong()) return;
    if (event.shiftKey) actions.selectTo(task.id);
    else if (isSelecting || event.metaKey || event.ctrlKey) actions.toggle(task.id);
    else actions.open(task.id);
  };
  return (
    <div
      ref={ref}
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      data-task-id={task.id}
      style={depth > 0 ? { paddingLeft: `calc(${Math.min(depth, MAX_INDENT)} * var(--indent) + 0.5rem)` } : undefined}
      tabIndex={props.isTabStop ? 0 : -1}
      className={clsx(
        "group @container relative flex h-full items-center gap-1 pr-4 pl-2 select-none [--indent:1.5rem] max-md:[--indent:1rem] focus-visible:-outline-offset-2 max-md:pl-1",
        isSelected || isOpen ? "bg-accent-soft" : "hover:bg-hover",
        props.isNew === true && "animate-fresh",
        isCursor &&
          "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-text touch:before:hidden",
      )}
      onClick={onClick}
      onContextMenu={(event) =>
        openTaskContextMenu(client, event, task.id, { actions, isSelected, followsStatus: false })
      }
      onFocus={() => actions.touch(task.id)}
      {...longPress.handlers}
    >
      {draggedAmong !== undefined && <RowGrip id={task.id} items={draggedAmong} toggle={actions.toggle} />}
      <SelectCell {...props} />
      <div role="gridcell">
        <FieldButton
          field="status"
          task={task}
          label={`Status: ${STATUS_LABELS[task.status]}`}
          actions={actions}
          isCursor={isCursor}
        >
          <StatusIcon status={task.status} />
        </FieldButton>
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center">
        {isEditing ? <TitleEditor task={task} onDone={actions.stopEdit} /> : <Title {...props} />}
        {isPhone && !isEditing && <PhoneDetails {...props} />}
      </div>
      {!isPhone && <Details {...props} />}
    </div>
  );
});

/** The checkbox, visible when the row is hovered or focused, or when anything is selected. */
function SelectCell({ task, isCursor, isSelected, isSelecting, actions }: TaskRowProps) {
  return (
    <div
      role="gridcell"
      className={clsx(
        "flex w-6 items-center justify-center",
        isSelecting || isSelected ? "" : "opacity-0 group-hover:opacity-100 focus-within:opacity-100 touch:hidden",
        isCursor && "opacity-100",
      )}
    >
      <Checkbox
        label={`Select ${task.title}`}
        tabIndex={-1}
        checked={isSelected}
        onChange={() => actions.toggle(task.id)}
        onClick={(event) => event.stopPropagation()}
        {...tooltip("Select", "select")}
      />
    </div>
  );
}

function Title({ task, isCursor, isFolded, depth = 0, onFold, actions }: TaskRowProps) {
  return (
    <div className="flex min-w-0 items-center gap-1">
      {depth > 0 && <span className="sr-only">Subtask: </span>}
      <span dir="auto" className={clsx("truncate", task.status === "done" ? "text-muted" : "text-strong")}>
        {task.title}
      </span>
      {onFold !== undefined && (isFolded !== undefined || task.parentId !== null || hasParts(task)) && (
        <RowParts task={task} isNested={depth > 0} isFolded={isFolded} onFold={onFold} />
      )}
      <IconButton
        size="small"
        label="Edit the title"
        shortcut="edit"
        tabIndex={-1}
        className={clsx("touch:hidden", isCursor ? "" : "opacity-0 group-hover:opacity-100")}
        icon={<Pencil size={14} />}
        onClick={(event) => {
          event.stopPropagation();
          actions.startEdit(task.id);
        }}
      />
    </div>
  );
}

/** The other fields of a task, in columns on the right. */
function Details({ task, today, isCursor, hasProject, actions }: TaskRowProps) {
  const priority = priorityOf(task);
  return (
    <div role="gridcell" className="flex shrink-0 items-center gap-3 text-12">
      <ClaimLabel task={task} />
      <Tags tags={task.tags} />
      {hasProject && (
        <span data-field="project" className="flex min-w-0 @3xl:w-32 @5xl:w-40">
          <Project task={task} />
        </span>
      )}
      <span data-field="due" className="flex min-w-18 @3xl:min-w-24 items-center justify-end gap-1.5">
        <TaskTimes task={task} today={today} />
      </span>
      <FieldButton
        field="priority"
        task={task}
        label={`Priority: ${PRIORITY_LABELS[priority]}`}
        actions={actions}
        isCursor={isCursor}
      >
        <PriorityIcon priority={priority} />
      </FieldButton>
    </div>
  );
}

/** The same below the title, if there is no room beside it. */
function PhoneDetails({ task, today, hasProject }: TaskRowProps) {
  if (!hasDetails(task, hasProject)) return null;
  return (
    <div className="flex min-w-0 items-center gap-2.5 text-12">
      <ClaimLabel task={task} />
      {priorityOf(task) === 3 && <PriorityIcon priority={3} hasName />}
      <TaskTimes task={task} today={today} />
      {hasProject && <Project task={task} />}
      {task.tags.length > 0 && (
        <span className="min-w-0 truncate text-muted">{task.tags.map((tag) => `#${tag}`).join(" ")}</span>
      )}
    </div>
  );
}

/** Whether there are subtasks or a checklist. */
export function hasParts({ subtasks, checklist }: Task): boolean {
  return subtasks.total + checklist.total > 0;
}

/** Whether a task's row has a second line on a phone. */
export function hasDetails(task: Task, hasProject: boolean): boolean {
  return (
    task.claim !== null ||
    task.dueDate !== null ||
    task.repeat !== null ||
    task.snoozedUntil !== null ||
    task.tags.length > 0 ||
    priorityOf(task) === 3 ||
    (hasProject && task.project !== null)
  );
}

function Project({ task }: { task: Task }) {
  const project = useCurrentProject(task.project);
  if (project === null) return null;
  return (
    <span className="flex max-w-40 min-w-0 items-center gap-1.5 text-muted">
      <ProjectDot color={project.color} size={8} />
      <span className="truncate">{project.name}</span>
    </span>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  const hidden = tags.length - SHOWN_TAGS;
  return (
    <>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge key={tag} className="@max-3xl:hidden">
          {tag}
        </Badge>
      ))}
      {hidden > 0 && (
        <span data-tooltip={tags.slice(SHOWN_TAGS).join(", ")} className="text-muted @max-3xl:hidden">
          +{hidden}
        </span>
      )}
    </>
  );
}

interface FieldButtonProps {
  readonly field: EditableField & ("status" | "priority");
  readonly task: Task;
  readonly label: string;
  readonly isCursor: boolean;
  readonly actions: TaskCursorActions;
  readonly children: React.ReactNode;
}

function FieldButton({ field, task, label, isCursor, actions, children }: FieldButtonProps) {
  const client = useClient();
  return (
    <IconButton
      size="small"
      label={label}
      shortcut={field}
      data-field={field}
      aria-haspopup="dialog"
      tabIndex={isCursor ? 0 : -1}
      icon={children}
      onClick={(event) => {
        event.stopPropagation();
        editField(client, field, actions.targetsOf(task.id), event.currentTarget);
      }}
    />
  );
}
