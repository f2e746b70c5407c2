import { Plus } from "lucide-react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { formatDueDate } from "../../dates/date-format.ts";
import { todayOf } from "../../dates/day.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { describeRepeat } from "../tasks/describe-repeat.ts";
import { dueFieldsOf } from "../tasks/new-task-draft.ts";
import { createTask } from "../tasks/task-creation.ts";
import { useTaskReader, type CapturedTask } from "../tasks/task-reader.ts";
import { PRIORITY_LABELS } from "../tasks/task.ts";
import { Entry, Group } from "./palette-parts.tsx";

interface CreateTaskEntriesProps {
  readonly query: string;
  readonly run: (action: () => void) => void;
}

/** Creates a task from what was typed: as it is understood, or with the text as its title. */
export function CreateTaskEntries({ query, run }: CreateTaskEntriesProps) {
  const client = useClient();
  const captured = useTaskReader()?.readTaskText(client, query);
  return (
    <Group heading="Create">
      {captured !== undefined && captured.title !== query && (
        <Entry
          value="create-read"
          icon={<Plus size={16} />}
          note={describe(client, captured)}
          onSelect={() => run(() => void createTask(client, toNewTask(captured)))}
        >
          Create task “{captured.title}”
        </Entry>
      )}
      <Entry
        value="create-titled"
        icon={<Plus size={16} />}
        onSelect={() => run(() => void createTask(client, { title: query }))}
      >
        Create task “{query}”
      </Entry>
    </Group>
  );
}

function toNewTask({ title, tags, priority, projectId, ...due }: CapturedTask) {
  return {
    title,
    tags: [...tags],
    ...dueFieldsOf(due),
    ...(priority !== undefined && { priority }),
    ...(projectId !== undefined && { projectId }),
  };
}

/** "Tomorrow 9:00 · every 2 weeks · High · Garden · #health" */
function describe(client: Client, captured: CapturedTask): string {
  const { dueDate, dueTime, repeat, repeatFrom, tags, priority, projectId } = captured;
  const today = todayOf(new Date());
  return [
    dueDate === undefined ? dueTime?.replace(/^0/, "") : formatDueDate(dueDate, today, dueTime),
    repeat === undefined
      ? undefined
      : describeRepeat(repeat, { today, ...(repeatFrom !== undefined && { repeatFrom }) }),
    priority === undefined ? undefined : `${PRIORITY_LABELS[priority]} priority`,
    projectId === undefined ? undefined : projectCollection(client).get(projectId)?.name,
    ...tags.map((tag) => `#${tag}`),
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}
