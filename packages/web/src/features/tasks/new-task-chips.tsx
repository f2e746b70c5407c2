import { CalendarDays, CircleDashed, Tag } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { formatDueDate } from "../../dates/date-format.ts";
import { useToday } from "../../dates/use-now.ts";
import { useProject } from "../projects/project-collection.ts";
import { CapturedChips } from "./captured-chips.tsx";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { pickDueDate, pickPriority, pickProject, pickStatus, pickTags } from "./task-pickers.tsx";
import { PRIORITY_LABELS, STATUS_LABELS } from "./task.ts";
import type { NewTaskForm } from "./new-task-draft.ts";
import type { CapturedPart } from "./task-reader.ts";

interface NewTaskChipsProps {
  readonly form: NewTaskForm;
  /** Whether to show the project; on a project's own page it is implied. */
  readonly hasProject: boolean;
}

/** The fields of a new task: what its title says, and for the others a button that opens the picker. */
export function NewTaskChips({ form, hasProject }: NewTaskChipsProps) {
  const { draft, change, parts } = form;
  const client = useClient();
  const today = useToday();
  const project = useProject(draft.projectId ?? "");
  const isRead = (field: CapturedPart["field"]) => parts.some((part) => part.field === field);
  return (
    <>
      <CapturedChips form={form} />
      <Chip
        label="Status"
        icon={<StatusIcon status={draft.status} />}
        onOpen={(anchor) =>
          pickStatus(client, anchor, { chosen: new Set([draft.status]), onPick: (status) => change({ status }) })
        }
      >
        {STATUS_LABELS[draft.status]}
      </Chip>
      {!isRead("priority") && (
        <Chip
          label="Priority"
          icon={<PriorityIcon priority={draft.priority} />}
          onOpen={(anchor) =>
            pickPriority(client, anchor, {
              chosen: new Set([draft.priority]),
              onPick: (priority) => change({ priority }),
            })
          }
        >
          {PRIORITY_LABELS[draft.priority]}
        </Chip>
      )}
      {hasProject && !isRead("project") && (
        <Chip
          label="Project"
          icon={
            project === undefined ? (
              <CircleDashed size={16} className="text-muted" />
            ) : (
              <ProjectDot color={project.color} />
            )
          }
          onOpen={(anchor) =>
            pickProject(client, anchor, {
              chosen: new Set([draft.projectId]),
              onPick: (projectId) => change({ projectId }),
            })
          }
        >
          {project?.name ?? "No project"}
        </Chip>
      )}
      {!isRead("due") && (
        <Chip
          label="Due date"
          icon={<CalendarDays size={16} className="text-muted" />}
          onOpen={(anchor) =>
            pickDueDate(client, anchor, {
              chosen: new Set([draft.dueDate]),
              time: draft.dueTime,
              onPick: ({ dueDate, dueTime = draft.dueTime }) =>
                change({ dueDate, dueTime: dueDate === null ? null : dueTime }),
            })
          }
        >
          {draft.dueDate === null ? "Due date" : formatDueDate(draft.dueDate, today, draft.dueTime)}
        </Chip>
      )}
      <TagsChip tags={draft.tags} onChange={(tags) => change({ tags })} />
    </>
  );
}

function TagsChip({ tags, onChange }: { tags: readonly string[]; onChange: (tags: readonly string[]) => void }) {
  const client = useClient();
  const open = (anchor: HTMLElement) => {
    const chosen = new Set(tags);
    pickTags(client, anchor, new Set(tags), (tag, isOn) => {
      if (isOn) chosen.add(tag);
      else chosen.delete(tag);
      onChange([...chosen]);
    });
  };
  return (
    <Chip label="Tags" icon={<Tag size={16} className="text-muted" />} onOpen={open}>
      {tags.length === 0 ? "Tags" : tags.join(", ")}
    </Chip>
  );
}

interface ChipProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onOpen: (anchor: HTMLElement) => void;
  readonly children: string;
}

function Chip({ label, icon, onOpen, children }: ChipProps) {
  const open = (event: MouseEvent<HTMLButtonElement>) => onOpen(event.currentTarget);
  return (
    <Button
      size="small"
      icon={icon}
      aria-haspopup="dialog"
      aria-label={children === label ? label : `${label}: ${children}`}
      className="max-w-44 border-border font-normal"
      onClick={open}
    >
      <span className="truncate">{children}</span>
    </Button>
  );
}
