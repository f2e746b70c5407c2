import { CalendarDays, Plus, Repeat, Tag, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { toasts } from "../../components/toast.ts";
import { tooltip } from "../../components/tooltip.ts";
import { formatDueDate } from "../../dates/date-format.ts";
import { useToday } from "../../dates/use-now.ts";
import { createProject } from "../projects/project-actions.ts";
import { useProject } from "../projects/project-collection.ts";
import { DEFAULT_PROJECT_COLOR } from "../projects/project.ts";
import { describeRepeat } from "./describe-repeat.ts";
import type { NewTaskForm } from "./new-task-draft.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import type { CapturedPart } from "./task-reader.ts";
import { PRIORITY_LABELS, type Priority } from "./task.ts";

/** What the title says about the new task: a click puts the words back in the title. */
export function CapturedChips({ form: { parts, refuse } }: { readonly form: Pick<NewTaskForm, "parts" | "refuse"> }) {
  return parts.map((part) =>
    part.field === "unknown-project" ? (
      <ProjectOffer key={part.text} name={part.value} />
    ) : (
      <CapturedChip key={`${part.field} ${part.text}`} part={part} onRefuse={() => refuse(part)} />
    ),
  );
}

function CapturedChip({ part, onRefuse }: { part: CapturedPart; onRefuse: () => void }) {
  const today = useToday();
  const project = useProject(part.field === "project" ? part.value : "");
  const { icon, label, value } = describe(part, { today, project });
  return (
    <Button
      size="small"
      icon={icon}
      aria-label={`${label}: ${value}. Leave “${part.text}” in the title`}
      tone="ghost"
      className="max-w-64 bg-accent-soft font-normal text-strong"
      onClick={onRefuse}
      {...tooltip(`Leave “${part.text}” in the title`, "unread")}
    >
      <span className="truncate">{value}</span>
      <X aria-hidden size={14} className="shrink-0 text-muted" />
    </Button>
  );
}

function describe(
  { field, value }: CapturedPart,
  { today, project }: { today: number; project: ReturnType<typeof useProject> },
): { icon: ReactNode; label: string; value: string } {
  switch (field) {
    case "priority": {
      const priority = PRIORITIES[value] ?? 2;
      return { icon: <PriorityIcon priority={priority} />, label: "Priority", value: PRIORITY_LABELS[priority] };
    }
    case "project":
      return {
        icon: <ProjectDot color={project?.color ?? DEFAULT_PROJECT_COLOR} />,
        label: "Project",
        value: project?.name ?? "",
      };
    case "tags":
      return { icon: <Tag size={16} className="text-muted" />, label: "Tag", value };
    case "repeat": {
      const [rule = "", ...due] = value.split(" ");
      const date = due.find((part) => part.includes("-"));
      const time = due.find((part) => part.includes(":"));
      const from = date === undefined ? [] : [`from ${formatDueDate(date, today)}`];
      return {
        icon: <Repeat size={16} className="text-muted" />,
        label: "Repeats",
        value: [describeRepeat(rule, { today }), ...from, ...(time === undefined ? [] : [time.replace(/^0/, "")])].join(
          ", ",
        ),
      };
    }
    case "due":
    case "unknown-project": {
      const [dueDate = "", dueTime = null] = value.split(" ");
      return {
        icon: <CalendarDays size={16} className="text-muted" />,
        label: "Due date",
        value: formatDueDate(dueDate, today, dueTime),
      };
    }
  }
}

const PRIORITIES: Readonly<Record<string, Priority>> = { 1: 1, 2: 2, 3: 3 };

/** Creates the project that the title names. Until then the name stays in the title. */
function ProjectOffer({ name }: { name: string }) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const create = async () => {
    setIsBusy(true);
    try {
      await createProject(client, { name, color: DEFAULT_PROJECT_COLOR });
    } catch (error) {
      const detail = toRequestError(error).message;
      toasts(client).show({ message: `The project “${name}” could not be created`, detail, tone: "danger" });
    }
    setIsBusy(false);
  };
  return (
    <Button
      size="small"
      tone="ghost"
      icon={<Plus aria-hidden size={14} />}
      isBusy={isBusy}
      className="max-w-60 border border-dashed border-control font-normal"
      onClick={() => void create()}
    >
      <span className="truncate">Create project “{name}”</span>
    </Button>
  );
}
