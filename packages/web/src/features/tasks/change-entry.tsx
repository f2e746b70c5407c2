import { useQuery } from "@tanstack/react-query";
import type { Author } from "@workspace/core";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ErrorState } from "../../components/states.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toasts } from "../../components/toast.ts";
import { useToday } from "../../dates/use-now.ts";
import { AuthorLabel } from "../authors/author-label.tsx";
import { projectCollection } from "../projects/project-collection.ts";
import { taskCollection } from "./task-collection.ts";
import { describeChange, type TaskChange } from "./describe-change.ts";
import { changeQuery, undoChange } from "./task-comments.ts";
import type { Task } from "./task.ts";

const TextComparison = lazyPart(() => import("../documents/merge/text-comparison.tsx"));

const LINE = "[overflow-wrap:anywhere] text-normal";

interface ChangeEntryProps {
  readonly task: Task;
  readonly change: TaskChange;
  /** Whether a later change has undone it. */
  readonly isUndone: boolean;
}

/** One change: who made it, what it was, and when, with the buttons that compare the description and undo the change. */
export function ChangeEntry({ task, change, isUndone }: ChangeEntryProps) {
  const { id, author, changes, createdAt, undoesId } = change;
  const client = useClient();
  const projects = useCollection(projectCollection(client));
  const [isCompared, setCompared] = useState(false);
  const nameOfProject = (projectId: string) => projects.get(projectId)?.name ?? null;
  const titleOfTask = (taskId: string) => taskCollection(client).get(taskId)?.title ?? null;
  const text = describeChange(changes, { today: useToday(), nameOfProject, titleOfTask });
  const hasDescription = changes.some(({ field }) => field === "description");
  const isUndoable = !isUndone && !changes.some(({ field }) => field === "claim");
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <p className={`min-w-0 flex-1 ${LINE}`}>
          <AuthorLabel author={author} /> {undoesId !== null && "undid a change: "}
          {text}{" "}
          <span className="whitespace-nowrap text-muted">
            · <TimeAgo timestamp={createdAt} />
            {isUndone && " · undone"}
          </span>
        </p>
        {isUndoable && <UndoButton taskId={task.id} changeId={id} what={text} />}
      </div>
      {hasDescription && (
        <Button
          size="small"
          tone="accent"
          className="-ml-2 self-start"
          aria-expanded={isCompared}
          onClick={() => setCompared(!isCompared)}
        >
          {isCompared ? "Hide what changed" : "Show what changed"}
        </Button>
      )}
      {isCompared && <DescriptionChange task={task} changeId={id} />}
    </div>
  );
}

/** That a task was created. What is older than the history has only its creator. */
export function CreationEntry({ task, author }: { readonly task: Task; readonly author: Author | null }) {
  return (
    <p className={LINE}>
      {author === null ? (
        <span className="font-medium text-strong">{task.creator.name}</span>
      ) : (
        <AuthorLabel author={author} />
      )}{" "}
      created it{" "}
      <span className="whitespace-nowrap text-muted">
        · <TimeAgo timestamp={task.createdAt} />
      </span>
    </p>
  );
}

function UndoButton({ taskId, changeId, what }: { taskId: string; changeId: string; what: string }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const undo = () => {
    setBusy(true);
    undoChange(client, taskId, changeId)
      .catch((error: unknown) => toasts(client).show({ message: toRequestError(error).message, tone: "danger" }))
      .finally(() => setBusy(false));
  };
  return (
    <Button
      size="small"
      tone="ghost"
      className="-my-1"
      isBusy={isBusy}
      icon={<Undo2 aria-hidden size={14} />}
      onClick={undo}
    >
      Undo
      <span className="sr-only">: {what}</span>
    </Button>
  );
}

function DescriptionChange({ task, changeId }: { task: Task; changeId: string }) {
  const { data, error } = useQuery(changeQuery(useClient(), task.id, changeId, task.version));
  if (error !== null) return <ErrorState title="The change could not be loaded" error={error} />;
  if (data === undefined) return null;
  return (
    <div className="max-h-80 overflow-auto rounded-control border border-border">
      <TextComparison
        label="Changes of the description"
        identical="The description is the same as before."
        before={data.descriptionBefore ?? ""}
        after={data.descriptionAfter ?? ""}
      />
    </div>
  );
}
