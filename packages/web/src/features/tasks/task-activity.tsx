import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { PartError, Skeleton } from "../../components/states.tsx";
import { KnownAt } from "../../components/known-at.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { readOrShowKept } from "../../local-copy/local-copy.ts";
import { ChangeEntry, CreationEntry } from "./change-entry.tsx";
import { CommentEntry } from "./comment-entry.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { ActivityEntry } from "./describe-change.ts";
import { useKeptOf } from "../outbox/outbox.ts";
import { ACTIVITY_KEY, addComment, newCommentDraft } from "./task-comments.ts";
import type { Task } from "./task.ts";

/** What is shown at first, and added by each click. */
const PAGE = 30;

/** What has happened to a task and what was written about it, oldest first, with a form for a comment at the end. */
export default function TaskActivity({ task }: { readonly task: Task }) {
  const client = useClient();
  const queryKey = [...ACTIVITY_KEY, task.id];
  const { rows, isLoading, error, hasMore, isLoadingMore, knownAt, loadMore, retry } = usePagedRows<ActivityEntry>({
    queryKey,
    readPage: (cursor, signal) =>
      readOrShowKept(client, queryKey, () =>
        client.api.tasks.activity.query(
          { id: task.id, limit: PAGE, ...(cursor !== undefined && { cursor }) },
          { signal },
        ),
      ),
    staleTime: 0,
  });
  const kept = useKeptOf(task.id, "comment").filter(({ change }) => rows.every(({ id }) => id !== change.commentId));
  const undone = new Set(rows.flatMap((entry) => (entry.kind === "change" ? (entry.undoesId ?? []) : [])));
  return (
    <section aria-label="Activity" className="flex flex-col gap-3 border-t border-border pt-4 text-13">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-13 font-medium text-strong">Activity</h3>
        {task.completedAt !== null && (
          <p className="text-12 text-muted">
            Completed <TimeAgo timestamp={task.completedAt} />
          </p>
        )}
      </div>
      {error !== null && rows.length === 0 && <PartError part="The activity" error={error} onRetry={retry} />}
      {knownAt !== null && <KnownAt atMs={knownAt} />}
      {isLoading && <ActivitySkeleton />}
      {hasMore && (
        <Button size="small" tone="ghost" className="self-start" isBusy={isLoadingMore} onClick={loadMore}>
          Show what was before
        </Button>
      )}
      {rows.length > 0 && (
        <ol className="flex flex-col gap-3">
          {rows.toReversed().map((entry) => (
            <li key={entry.id}>
              <Entry task={task} entry={entry} isUndone={undone.has(entry.id)} />
            </li>
          ))}
        </ol>
      )}
      {kept.length > 0 && (
        <ol className="flex flex-col gap-3">
          {kept.map(({ number, change }) => (
            <li key={number} className="flex flex-col gap-1">
              <p className="whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">{change.text}</p>
              <p className="text-12 text-muted">Your comment, not sent yet</p>
            </li>
          ))}
        </ol>
      )}
      {task.deletedAt === null && (
        <CommentForm
          key={task.id}
          label="Write a comment"
          submitLabel="Comment"
          draftKey={newCommentDraft(task.id)}
          saved=""
          onSubmit={(text) => addComment(client, task.id, text)}
        />
      )}
    </section>
  );
}

function Entry({ task, entry, isUndone }: { task: Task; entry: ActivityEntry; isUndone: boolean }) {
  switch (entry.kind) {
    case "change":
      return <ChangeEntry task={task} change={entry} isUndone={isUndone} />;
    case "comment":
      return <CommentEntry task={task} comment={entry} />;
    case "creation":
      return <CreationEntry task={task} author={entry.author} />;
  }
}

export function ActivitySkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3">
      <Skeleton className="h-3 w-3/5" />
      <Skeleton className="h-3 w-4/5" />
    </div>
  );
}
