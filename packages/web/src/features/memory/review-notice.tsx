import { Check, Inbox } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { keepMemories } from "./memory-actions.ts";
import type { Memory } from "./memory.ts";

/** Says that a memory awaits review, and offers to keep it. */
export function ReviewNotice({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  return (
    <section
      aria-label="To review"
      className="flex flex-col gap-2 rounded-control border border-border bg-background p-3 text-13"
    >
      <p className="flex items-center gap-2 font-medium text-strong">
        <Inbox aria-hidden size={14} className="shrink-0" />
        To review
      </p>
      <p className="text-normal">It was taken from a session. Keep it, change it, or forget it.</p>
      <div>
        <Button
          size="small"
          icon={<Check aria-hidden size={14} />}
          shortcut="keep"
          onClick={() => void keepMemories(client, [memory.id])}
        >
          Keep
        </Button>
      </div>
    </section>
  );
}
