import { AlarmClock, CalendarDays, CircleDashed, Repeat, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { tooltip } from "../../components/tooltip.ts";
import type { Day } from "../../dates/day.ts";
import { useNow, useToday } from "../../dates/use-now.ts";
import { useCurrentProject } from "../projects/project-collection.ts";
import { capitalized, describeRepeat } from "./describe-repeat.ts";
import { DueLabel } from "./due-label.tsx";
import { editField, type EditableField } from "./edit-field.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { formatSnooze, isBack } from "./snooze-times.ts";
import { isSnoozed } from "./snooze.ts";
import { StatusIcon } from "./status-icon.tsx";
import { PRIORITY_LABELS, priorityOf, STATUS_LABELS, type Task } from "./task.ts";

/** The fields of a task that are chosen rather than typed. */
export function TaskFields({ task }: { readonly task: Task }) {
  const today = useToday();
  const project = useCurrentProject(task.project);
  const priority = priorityOf(task);
  return (
    <dl className="flex flex-col gap-0.5">
      <FieldRow task={task} field="status" label="Status" icon={<StatusIcon status={task.status} />}>
        {STATUS_LABELS[task.status]}
      </FieldRow>
      <FieldRow task={task} field="priority" label="Priority" icon={<PriorityIcon priority={priority} />}>
        {PRIORITY_LABELS[priority]}
      </FieldRow>
      <FieldRow
        task={task}
        field="project"
        label="Project"
        icon={
          project === null ? <CircleDashed size={16} className="text-muted" /> : <ProjectDot color={project.color} />
        }
      >
        {project?.name ?? <Unset>No project</Unset>}
      </FieldRow>
      <FieldRow task={task} field="due" label="Due date" icon={<CalendarDays size={16} className="text-muted" />}>
        {task.dueDate === null ? <Unset>No due date</Unset> : <DueLabel task={task} today={today} isStrong />}
      </FieldRow>
      <FieldRow task={task} field="repeat" label="Repeats" icon={<Repeat size={16} className="text-muted" />}>
        {task.repeat === null ? (
          <Unset>Does not repeat</Unset>
        ) : (
          capitalized(describeRepeat(task.repeat, { today, repeatFrom: task.repeatFrom }))
        )}
      </FieldRow>
      <FieldRow task={task} field="snooze" label="Snooze" icon={<AlarmClock size={16} className="text-muted" />}>
        <SnoozeText task={task} today={today} />
      </FieldRow>
      <FieldRow task={task} field="tags" label="Tags" icon={<Tag size={16} className="text-muted" />}>
        {task.tags.length === 0 ? <Unset>No tags</Unset> : task.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
      </FieldRow>
    </dl>
  );
}

function SnoozeText({ task, today }: { readonly task: Task; readonly today: Day }) {
  const now = useNow().getTime();
  if (task.snoozedUntil === null || !(isSnoozed(task, now) || isBack(task, now))) return <Unset>Not snoozed</Unset>;
  const time = formatSnooze(task.snoozedUntil, today);
  return isSnoozed(task, now) ? `Until ${time}` : `Back since ${time}`;
}

interface FieldRowProps {
  readonly task: Task;
  readonly field: EditableField;
  readonly label: string;
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

function FieldRow({ task, field, label, icon, children }: FieldRowProps) {
  const client = useClient();
  return (
    <div className="flex items-start">
      <dt className="flex h-8 w-24 shrink-0 items-center text-13 text-muted touch:h-11">{label}</dt>
      <dd className="min-w-0 flex-1">
        <button
          type="button"
          aria-haspopup="dialog"
          className="flex min-h-8 w-full items-start gap-2 rounded-control px-2 py-1.5 text-left text-strong hover:bg-hover disabled:pointer-events-none aria-expanded:bg-hover touch:min-h-11 touch:py-3"
          onClick={(event) => editField(client, field, [task.id], event.currentTarget)}
          {...tooltip(null, field)}
        >
          <span aria-hidden className="flex h-5 w-4 shrink-0 items-center justify-center">
            {icon}
          </span>
          <span className="flex min-w-0 flex-wrap gap-1 [overflow-wrap:anywhere]">{children}</span>
        </button>
      </dd>
    </div>
  );
}

function Unset({ children }: { children: string }) {
  return <span className="text-muted">{children}</span>;
}
