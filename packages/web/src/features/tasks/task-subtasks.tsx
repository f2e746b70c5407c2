import { ListChecks, MoreHorizontal, Unlink } from "lucide-react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { floating, type MenuItem } from "../../components/floating.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { LinesInput } from "./lines-input.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { updateTasks } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import { createTask } from "./task-creation.ts";
import { convertChecklist, type TaskDetails, type TaskRef } from "./task-links.ts";
import { STATUS_LABELS, type Task } from "./task.ts";

/** What a task is a subtask of, and its own subtasks, which can be ticked and added. */
export function TaskSubtasks({ task, details }: { readonly task: Task; readonly details: TaskDetails }) {
  const client = useClient();
  const openTask = useOpenTask();
  const { parents, subtasks } = details;
  const done = subtasks.filter(({ status }) => status === "done").length;
  const add = async (lines: readonly { readonly text: string; readonly isDone: boolean }[]) => {
    for (const { text, isDone } of lines)
      await createTask(client, {
        title: text,
        parentId: task.id,
        projectId: task.projectId,
        status: isDone ? "done" : "todo",
      });
  };
  return (
    <section aria-label="Subtasks" className="flex flex-col gap-1 text-13">
      {parents.length > 0 && (
        <p className="flex min-w-0 flex-wrap items-center gap-1 text-muted">
          Subtask of
          {parents.map((parent, index) => (
            <span key={parent.id} className="flex min-w-0 items-center gap-1">
              {index > 0 && <span aria-hidden>›</span>}
              <button
                type="button"
                dir="auto"
                className="min-w-0 truncate text-strong hover:underline touch:min-h-11"
                onClick={() => openTask(parent.id)}
              >
                {parent.title}
              </button>
            </span>
          ))}
          <IconButton
            size="small"
            label="Take it out of its parent"
            icon={<Unlink size={14} />}
            onClick={() => void updateTasks(client, [task.id], { parentId: null })}
          />
        </p>
      )}
      <h3 className="flex items-baseline gap-2 text-13 text-muted">
        Subtasks
        {subtasks.length > 0 && (
          <span className="tabular text-12">
            {done} of {subtasks.length} done
          </span>
        )}
      </h3>
      {subtasks.length > 0 && (
        <progress aria-label="Subtasks done" className="progress" value={done} max={subtasks.length} />
      )}
      <ul className="flex flex-col">
        {subtasks.map((subtask) => (
          <Subtask key={subtask.id} parent={task} subtask={subtask} />
        ))}
      </ul>
      <LinesInput label="Add a subtask, or paste several lines" onAdd={(lines) => void add(lines)} />
    </section>
  );
}

function Subtask({ parent, subtask }: { parent: Task; subtask: TaskRef }) {
  const client = useClient();
  const openTask = useOpenTask();
  const loaded = useRow(taskCollection(client), subtask.id);
  const { title, status } = loaded ?? subtask;
  const isDone = status === "done";
  const menu: MenuItem[] = [
    {
      label: "Make it an item of the checklist",
      icon: <ListChecks size={16} />,
      run: () => void convertChecklist(client, parent.id, { subtaskIds: [subtask.id] }),
    },
    {
      label: "Take it out of this task",
      icon: <Unlink size={16} />,
      run: () => void updateTasks(client, [subtask.id], { parentId: null }),
    },
  ];
  return (
    <li className="group flex min-h-8 items-center gap-2 touch:min-h-11">
      <IconButton
        size="small"
        label={isDone ? `Reopen ${title}` : `Complete ${title}`}
        icon={<StatusIcon status={status} />}
        onClick={() => void updateTasks(client, [subtask.id], { status: isDone ? "todo" : "done" })}
      />
      <span className="sr-only">{STATUS_LABELS[status]}: </span>
      <button
        type="button"
        dir="auto"
        className={`min-w-0 flex-1 truncate text-start hover:underline ${isDone ? "text-muted" : "text-strong"}`}
        onClick={() => openTask(subtask.id)}
      >
        {title}
      </button>
      <IconButton
        size="small"
        label={`More for ${title}`}
        aria-haspopup="menu"
        icon={<MoreHorizontal size={14} />}
        onClick={(event) => floating(client).openMenu(event.currentTarget, title, menu)}
      />
    </li>
  );
}
