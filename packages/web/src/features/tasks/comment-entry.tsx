import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { sessionQuery } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { lazily } from "../../lib/lazily.ts";
import { AuthorLabel } from "../authors/author-label.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { TaskComment } from "./describe-change.ts";
import { deleteComment, editComment, editedCommentDraft } from "./task-comments.ts";
import type { Task } from "./task.ts";

const MarkdownText = lazyPart(() => import("../agents/markdown-text.tsx"));

/** A comment: one's own can be edited, and any can be deleted. */
export function CommentEntry({ task, comment }: { readonly task: Task; readonly comment: TaskComment }) {
  const client = useClient();
  const { id, author, text, createdAt, editedAt } = comment;
  const { data: user } = useQuery(sessionQuery(client));
  const [draft] = useDraft(editedCommentDraft(id));
  const [isEdited, setEdited] = useState(draft !== null);
  const [isDeleting, setDeleting] = useState(false);
  const isDeleted = task.deletedAt !== null;
  const isOwn = author.kind === "person" && author.userId === user?.id;
  return (
    <article aria-label={`Comment by ${author.name}`} className="rounded-control border border-border px-3 py-2">
      <header className="flex min-h-7 items-center gap-1">
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <AuthorLabel author={author} />{" "}
          <span className="whitespace-nowrap text-muted">
            · <TimeAgo timestamp={createdAt} />
          </span>
          {editedAt !== null && <span className="text-muted"> · edited</span>}
        </p>
        {isOwn && !isEdited && !isDeleted && (
          <IconButton
            size="small"
            label="Edit the comment"
            icon={<Pencil size={14} />}
            onClick={() => setEdited(true)}
          />
        )}
        {!isDeleted && (
          <IconButton
            size="small"
            label="Delete the comment"
            icon={<Trash2 size={14} />}
            onClick={() => setDeleting(true)}
          />
        )}
      </header>
      {isEdited && isOwn ? (
        <CommentForm
          autoFocus
          label="Edit the comment"
          submitLabel="Save"
          draftKey={editedCommentDraft(id)}
          saved={text}
          onCancel={() => setEdited(false)}
          onSubmit={async (changed) => {
            await editComment(client, task.id, id, changed);
            setEdited(false);
          }}
        />
      ) : (
        <div className="mt-1">
          <MarkdownText text={text} keepsLines />
          <Mentions comment={comment} />
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title="Delete this comment?"
          description="It cannot be restored."
          confirmLabel="Delete"
          failure="Not deleted."
          onConfirm={async () => {
            await deleteComment(client, task.id, id);
            setDeleting(false);
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </article>
  );
}

const lists = lazily(() => new Intl.ListFormat("en", { type: "conjunction" }));

function Mentions({ comment: { mentions } }: { comment: TaskComment }) {
  if (mentions.length === 0) return null;
  const names = mentions.map(({ kind, name }) => (kind === "agent" ? `${name} (agent)` : name));
  return <p className="mt-1 text-12 text-muted">Mentions {lists().format(names)}</p>;
}
