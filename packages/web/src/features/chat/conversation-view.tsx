import { ArrowDown, CircleAlert, RotateCcw, Trash2 } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { AnsweringBar } from "./answering-bar.tsx";
import { ApprovalQuestion } from "./approval-question.tsx";
import { Composer } from "./composer.tsx";
import type { Attachment } from "./attachments.ts";
import { branchWith, versionsOf } from "./branches.ts";
import { answerAgain, updateConversation } from "./conversation-actions.ts";
import { ConversationHeader } from "./conversation-header.tsx";
import type { ConversationLog, Message } from "./conversation-log.ts";
import { MessageView } from "./message-view.tsx";
import { outbox, useOutgoing } from "./outbox.ts";
import { PendingMessage } from "./pending-message.tsx";
import { useConversation } from "./use-conversation.ts";
import { useFollowedEnd } from "./use-followed-end.ts";

const LinkedTasks = lazyPart(() => import("../tasks/linked-tasks.tsx"));
const DeleteConversationDialog = lazyPart(() => import("./delete-conversation-dialog.tsx"));

interface ConversationViewProps {
  readonly id: string;
  /** The message to show first; by default, the last one. */
  readonly shownId: string | undefined;
  /** Called to show the branch of a message; undefined for the newest one. */
  readonly onShow: (messageId: string | undefined) => void;
  /** Called when the conversation has been deleted. */
  readonly onGone: () => void;
}

/** A conversation, with the answer in progress. */
export function ConversationView({ id, shownId, onShow, onGone }: ConversationViewProps) {
  const client = useClient();
  const { log, error, retry } = useConversation(id);
  const [isDeleting, setIsDeleting] = useState(false);
  const branch = useMemo(() => branchWith(log?.messages ?? [], shownId), [log?.messages, shownId]);
  if (log === undefined) return <LoadFailure error={error} onRetry={retry} />;
  return (
    <section aria-label={log.title} className="flex min-w-0 flex-1 flex-col">
      <ConversationHeader log={log} branch={branch} onDelete={() => setIsDeleting(true)} />
      <Suspense>
        <LinkedTasks
          kind="conversation"
          targetId={id}
          className="max-h-40 shrink-0 overflow-y-auto border-b border-border px-2 py-1"
        />
      </Suspense>
      <Messages log={log} branch={branch} shownId={shownId} onShow={onShow} />
      {log.status === "streaming" && <AnsweringBar conversationId={id} isWaiting={log.approval !== null} />}
      <Composer
        conversationId={id}
        afterMessageId={log.messages.at(-1)?.id ?? null}
        parentId={branch.at(-1) === log.messages.at(-1) ? undefined : branch.at(-1)?.id}
        isAnswering={log.status === "streaming"}
        model={log.model}
        onModel={(model) => void updateConversation(client, id, { model })}
      />
      <Suspense>
        {isDeleting && (
          <DeleteConversationDialog id={id} title={log.title} onClose={() => setIsDeleting(false)} onDeleted={onGone} />
        )}
      </Suspense>
    </section>
  );
}

interface MessagesProps extends Pick<ConversationViewProps, "shownId" | "onShow"> {
  readonly log: ConversationLog;
  /** The messages of the branch that is shown. */
  readonly branch: readonly Message[];
}

function Messages({ log, branch, shownId, onShow }: MessagesProps) {
  const client = useClient();
  const pending = useOutgoing().filter((message) => message.conversationId === log.id);
  const { ref, isBehind, onScroll, follow } = useFollowedEnd(pending.at(-1)?.requestId, shownId);
  const isStreaming = log.status === "streaming";
  const wasDone = useRef(log.status === "idle");
  // What waited for an answer that was completed while this page was closed.
  useEffect(() => {
    if (wasDone.current) outbox(client).release(log.id);
  }, [client, log.id]);
  const last = log.messages.at(-1);
  // How the last answer ended is only said in its branch.
  const isLatest = branch.at(-1) === last;
  const again = (messageId: string | null) => {
    if (messageId === null) return;
    onShow(undefined);
    void answerAgain(client, log.id, messageId);
  };
  const resend = ({ parentId, mentions }: Message, text: string, attachments: readonly Attachment[]) => {
    onShow(undefined);
    const afterMessageId = last?.id ?? null;
    outbox(client).send({ text, mentions, attachments, conversationId: log.id, afterMessageId, parentId, model: null });
  };
  // What is sent instead of a message takes its place at once.
  const replaced = pending.find(({ parentId }) => parentId !== undefined)?.parentId;
  const end = branch.findIndex(({ id, parentId }) => (replaced === null ? parentId === null : id === replaced));
  const shown = replaced === undefined || end === -1 ? branch : branch.slice(0, replaced === null ? end : end + 1);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={ref} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none" onScroll={onScroll}>
        <div className="mx-auto flex w-full max-w-190 flex-col gap-6 px-4 py-6">
          {shown.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              versions={versionsOf(log.messages, message)}
              isShown={message.id === shownId}
              isRecent={message === last}
              isGrowing={isStreaming && message === last}
              isWaiting={log.approval !== null && message === last}
              onShow={onShow}
              onResend={isStreaming ? undefined : (text, attachments) => resend(message, text, attachments)}
              onAnswerAgain={isStreaming ? undefined : () => again(message.parentId)}
            />
          ))}
          {pending.map((message) => (
            <PendingMessage
              key={message.requestId}
              message={message}
              onSendNow={isStreaming ? undefined : () => outbox(client).release(log.id)}
            />
          ))}
          {log.approval !== null && (
            <ApprovalQuestion
              key={log.approval.approvalId}
              conversationId={log.id}
              approval={log.approval}
              onFocusLost={() => ref.current?.focus()}
            />
          )}
          {log.status === "interrupted" && isLatest && (
            <p className="text-13 text-muted">The answer was stopped here.</p>
          )}
          {log.status === "error" && isLatest && (
            <p role="alert" className="flex items-center gap-2 text-13 text-danger">
              <CircleAlert aria-hidden size={16} className="shrink-0" />
              The answer failed. {log.errorMessage}
              {last?.role === "user" && (
                <Button size="small" icon={<RotateCcw aria-hidden size={14} />} onClick={() => again(last.id)}>
                  Answer again
                </Button>
              )}
            </p>
          )}
        </div>
      </div>
      {isBehind && (
        <Button
          size="small"
          icon={<ArrowDown aria-hidden size={14} />}
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-float"
          onClick={follow}
        >
          Latest
        </Button>
      )}
    </div>
  );
}

function LoadFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) {
    return (
      <div role="status" aria-label="Loading" className="mx-auto flex w-full max-w-190 flex-col gap-6 px-4 py-20">
        <Skeleton className="h-10 w-2/5 self-end" />
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  if (toRequestError(error).kind === "missing") {
    return (
      <div className="flex-1">
        <EmptyState icon={<Trash2 size={20} />} title="Conversation not found">
          It has been deleted, or the address is wrong.
        </EmptyState>
      </div>
    );
  }
  return <ErrorState title="The conversation could not be loaded" error={error} onRetry={onRetry} />;
}
