import { useQuery } from "@tanstack/react-query";
import { Link2, MoreHorizontal, Trash2, Undo2 } from "lucide-react";
import { Suspense } from "react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { floating } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import { isLocalId } from "../../api/local-id.ts";
import { PanelHeader } from "../shell/side-panel.tsx";
import { deleteTasks, restoreTasks } from "./task-actions.ts";
import { taskCollection, taskQuery } from "./task-collection.ts";
import { TaskClaim } from "./task-claim.tsx";
import { copyTaskLink, linkItems } from "./task-link-items.tsx";
import { TaskHandOver } from "./task-hand-over.tsx";
import { TaskFields } from "./task-fields.tsx";
import { TaskSessions } from "./task-sessions.tsx";
import { TaskTexts } from "./task-texts.tsx";
import type { Task } from "./task.ts";

const TaskReminders = lazyPart(() => import("./task-reminders.tsx"));
const TaskParts = lazyPart(() => import("./task-parts.tsx"));
const TaskActivity = lazyPart(() => import("./task-activity.tsx"));

interface TaskPanelProps {
  readonly taskId: string;
  readonly onClose: () => void;
}

/** Everything about one task, editable in place. */
export default function TaskPanel({ taskId, onClose }: TaskPanelProps) {
  const client = useClient();
  const task = useRow(taskCollection(client), taskId);
  const isKnown = task !== undefined;
  const { error, refetch } = useQuery({ ...taskQuery(client, taskId), enabled: !isKnown });
  return (
    <>
      <PanelHeader title={task?.deletedAt == null ? "Task" : "Deleted task"} onClose={onClose}>
        {task !== undefined && <PanelActions task={task} onClose={onClose} />}
      </PanelHeader>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {task !== undefined && <PanelBody task={task} />}
        {!isKnown && error === null && <PanelSkeleton />}
        {!isKnown && error !== null && (
          <ErrorState title="The task could not be opened" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </>
  );
}

function PanelActions({ task, onClose }: { task: Task; onClose: () => void }) {
  const client = useClient();
  const remove = () => {
    onClose();
    void deleteTasks(client, [task.id]);
  };
  return (
    <>
      <IconButton label="Copy link" icon={<Link2 size={16} />} onClick={() => void copyTaskLink(client, task.id)} />
      {task.deletedAt === null && (
        <IconButton
          label="More"
          aria-haspopup="menu"
          icon={<MoreHorizontal size={16} />}
          onClick={({ currentTarget }) =>
            floating(client).openMenu(currentTarget, "Task", linkItems(client, currentTarget, task.id))
          }
        />
      )}
      {task.deletedAt === null && (
        <IconButton label="Delete" shortcut="delete" icon={<Trash2 size={16} />} onClick={remove} />
      )}
    </>
  );
}

function PanelBody({ task }: { task: Task }) {
  const client = useClient();
  const isDeleted = task.deletedAt !== null;
  // Until the server has stored it, it has nothing to be asked for.
  const isStored = !isLocalId(task.id);
  return (
    <div className="flex flex-col gap-5 px-5 py-5">
      {isDeleted && (
        <div
          role="status"
          className="flex items-center justify-between gap-3 rounded-control border border-border bg-background px-3 py-2 text-13"
        >
          <span>This task has been deleted.</span>
          <Button
            size="small"
            icon={<Undo2 aria-hidden size={14} />}
            onClick={() => void restoreTasks(client, [task.id])}
          >
            Restore
          </Button>
        </div>
      )}
      <fieldset disabled={isDeleted} className="contents">
        <legend className="sr-only">{task.title}</legend>
        <TaskTexts key={task.id} task={task}>
          <TaskFields task={task} />
        </TaskTexts>
        {isStored && !isDeleted && (
          <Suspense>
            <TaskReminders task={task} />
          </Suspense>
        )}
        <TaskClaim task={task} />
        {isStored && !isDeleted && <TaskHandOver key={`hand-over ${task.id}`} task={task} />}
        {isStored && !isDeleted && (
          <Suspense fallback={<Skeleton className="h-20 w-full" />}>
            <TaskParts key={task.id} task={task} />
          </Suspense>
        )}
      </fieldset>
      {isStored && (
        <>
          <TaskSessions taskId={task.id} />
          <Suspense fallback={<Skeleton className="h-20 w-full" />}>
            <TaskActivity task={task} />
          </Suspense>
        </>
      )}
    </div>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-5">
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-20 w-full" />
    </div>
  );
}
