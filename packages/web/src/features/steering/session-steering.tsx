import { MessageSquareText, Octagon, Pause, Send, X } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { visibleText } from "../approvals/visible-text.ts";
import { SessionControls } from "./session-controls.tsx";
import {
  describeState,
  give,
  type Instruction,
  isStanding,
  MAX_MESSAGE_LENGTH,
  reportFailure,
  useInstructions,
  withdraw,
} from "./steering.ts";

/** How many of those that are over are shown at first. */
const SHOWN = 2;

interface SessionSteeringProps {
  readonly sessionId: string;
  readonly hasEnded: boolean;
}

/** Below a session: what its person tells it, what became of that, and the controls to pause and stop it. */
export default function SessionSteering({ sessionId, hasEnded }: SessionSteeringProps) {
  const { rows, hasMore, isLoadingMore, loadMore } = useInstructions(sessionId);
  const [hasAll, setHasAll] = useState(false);
  const over = rows.filter((row) => !isStanding(row));
  const hidden = new Set(hasAll ? [] : over.slice(SHOWN).map(({ id }) => id));
  const shown = rows.filter(({ id }) => !hidden.has(id)).toReversed();
  if (hasEnded && rows.length === 0) return null;
  return (
    <section aria-label="Steering" className="flex shrink-0 flex-col gap-2 border-t border-border bg-surface p-3">
      {rows.length > 0 && (
        // Reversed, so that the latest is in view.
        <div className="flex max-h-48 flex-col-reverse overflow-y-auto">
          <ul aria-label="What it was told">
            {shown.map((row) => (
              <InstructionRow key={row.id} instruction={row} />
            ))}
          </ul>
          {hasAll && hasMore && (
            <Button size="small" tone="ghost" className="self-start" isBusy={isLoadingMore} onClick={loadMore}>
              Load more
            </Button>
          )}
          {hidden.size > 0 && (
            <Button size="small" tone="ghost" className="self-start" onClick={() => setHasAll(true)}>
              Show earlier ones
            </Button>
          )}
        </div>
      )}
      {!hasEnded && (
        <Composer sessionId={sessionId} pause={rows.find((row) => row.kind === "pause" && isStanding(row))} />
      )}
    </section>
  );
}

const ICONS = { message: MessageSquareText, pause: Pause, stop: Octagon };
const NAMES = { message: "Message", pause: "Pause", stop: "Stop" };

function InstructionRow({ instruction }: { readonly instruction: Instruction }) {
  const client = useClient();
  const { id, kind, text, state, createdAt, createdBy, deliveredAt, endedAt } = instruction;
  const Icon = ICONS[kind];
  const isOpen = isStanding(instruction);
  return (
    <li className="flex items-start gap-2 py-1.5 text-13">
      <Icon aria-label={NAMES[kind]} size={14} className="mt-1 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        {text !== null && (
          <span className="[overflow-wrap:anywhere] whitespace-pre-wrap text-strong">{visibleText(text)}</span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-muted">
          <Badge tone={isOpen ? "info" : "neutral"} className="max-w-full">
            {describeState(instruction)}
          </Badge>
          <TimeAgo timestamp={endedAt ?? deliveredAt ?? createdAt} />
          {createdBy !== null && <span className="[overflow-wrap:anywhere]">from {createdBy}</span>}
        </span>
      </div>
      {state === "pending" && kind !== "pause" && (
        <IconButton
          label={`Withdraw the ${NAMES[kind].toLowerCase()}`}
          icon={<X size={16} />}
          onClick={() => void withdraw(client, id).catch(reportFailure(client, "Not withdrawn."))}
        />
      )}
    </li>
  );
}

interface ComposerProps {
  readonly sessionId: string;
  readonly pause: Instruction | undefined;
}

function Composer({ sessionId, pause }: ComposerProps) {
  const client = useClient();
  const [text, setText] = useState("");
  const input = useRef<HTMLFormElement>(null);
  const { isReady, error, isBusy, submit } = useSubmit(text.trim() !== "", async () => {
    await give(client, sessionId, { kind: "message", text });
    setText("");
  });
  useShortcut("tellSession", () => input.current?.querySelector("textarea")?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form ref={input} className="flex flex-col gap-2" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Not sent. {error}</FormAlert>}
      <div className="flex flex-wrap items-end gap-2">
        <Textarea
          aria-label="Tell the session something"
          placeholder="Tell it something. It reads it at its next step."
          rows={1}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          className="max-h-40 min-w-56 flex-1 overflow-y-auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="flex gap-2 max-md:flex-1">
          <Button
            type="submit"
            tone="primary"
            icon={<Send aria-hidden size={16} />}
            disabled={!isReady}
            isBusy={isBusy}
            className="max-md:flex-1"
          >
            Send
          </Button>
          <SessionControls sessionId={sessionId} pauseId={pause?.id ?? null} hasShortcuts />
        </div>
      </div>
    </form>
  );
}
