import { useQuery } from "@tanstack/react-query";
import { Hourglass, X } from "lucide-react";
import type { ReactNode } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { StatusIcon } from "./status-icon.tsx";
import { pickTask } from "./task-pickers.tsx";
import { setBlockers, taskBlocksQuery, type TaskBlocks } from "./task-queue.ts";
import { STATUS_LABELS, type Task } from "./task.ts";

/** What a task waits for, which can be changed, and what waits for it. */
export function TaskBlocksSection({ task }: { readonly task: Task }) {
  const client = useClient();
  const { data } = useQuery(taskBlocksQuery(client, task.id));
  if (data === undefined) return null;
  const ids = data.blockedBy.map(({ id }) => id);
  const change = (blockedBy: readonly string[]) =>
    void setBlockers(client, task.id, blockedBy).catch((failure: unknown) =>
      toasts(client).show({ message: toRequestError(failure).message, tone: "danger" }),
    );
  return (
    <section aria-label="What it waits for" className="flex flex-col gap-1 text-13">
      <TaskRefs title="Waits for" tasks={data.blockedBy}>
        {(blocker) => (
          <IconButton
            size="small"
            label={`Do not wait for ${blocker.title}`}
            icon={<X size={14} />}
            onClick={() => change(ids.filter((id) => id !== blocker.id))}
          />
        )}
      </TaskRefs>
      <div>
        <Button
          size="small"
          tone="ghost"
          className="-ml-2"
          aria-haspopup="dialog"
          icon={<Hourglass aria-hidden size={14} />}
          onClick={(event) =>
            pickTask(client, event.currentTarget, {
              except: new Set([task.id, ...ids]),
              onPick: (blocker) => change([...ids, blocker]),
            })
          }
        >
          Wait for another task
        </Button>
      </div>
      <TaskRefs title="Others wait for it" tasks={data.blocks} />
    </section>
  );
}

interface TaskRefsProps {
  readonly title: string;
  readonly tasks: TaskBlocks["blocks"];
  readonly children?: (task: TaskBlocks["blocks"][number]) => ReactNode;
}

function TaskRefs({ title, tasks, children }: TaskRefsProps) {
  const openTask = useOpenTask();
  if (tasks.length === 0) return null;
  return (
    <>
      <h3 className="text-13 text-muted">{title}</h3>
      <ul className="flex flex-col">
        {tasks.map((task) => (
          <li key={task.id} className="flex min-h-8 items-center gap-2 touch:min-h-11">
            <StatusIcon status={task.status} />
            <span className="sr-only">{STATUS_LABELS[task.status]}: </span>
            <button
              type="button"
              className="min-w-0 flex-1 truncate text-left text-strong hover:underline"
              onClick={() => openTask(task.id)}
            >
              {task.title}
            </button>
            {children?.(task)}
          </li>
        ))}
      </ul>
    </>
  );
}
