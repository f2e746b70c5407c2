import { MessageCircle } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Composer } from "./composer.tsx";
import type { ModelChoice } from "./conversation-log.ts";
import { useOutgoing } from "./outbox.ts";
import { PendingMessage } from "./pending-message.tsx";

const NoModelNotice = lazyPart(() => import("./no-model-notice.tsx"));

/** A conversation that starts with the first message. */
export function NewConversation() {
  const [model, setModel] = useState<ModelChoice | null>(null);
  const pending = useOutgoing().filter((message) => message.conversationId === null);
  return (
    <section aria-label="New conversation" className="flex min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto">
        {pending.length === 0 ? (
          <EmptyState icon={<MessageCircle size={20} />} title="What is on your mind?">
            The model can read and change your tasks, documents and memories here. You see every step and can undo it.
          </EmptyState>
        ) : (
          <div className="mx-auto flex w-full max-w-190 flex-col gap-6 px-4 py-6">
            {pending.map((message) => (
              <PendingMessage key={message.requestId} message={message} />
            ))}
          </div>
        )}
      </div>
      <Suspense>
        <NoModelNotice />
      </Suspense>
      <Composer
        conversationId={null}
        afterMessageId={null}
        parentId={undefined}
        isAnswering={false}
        model={model}
        onModel={setModel}
      />
    </section>
  );
}
