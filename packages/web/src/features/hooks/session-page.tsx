import { useParams } from "@tanstack/react-router";
import { List, MessagesSquare, ScrollText, SquareTerminal } from "lucide-react";
import { Suspense, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { PHONE, WIDE, useMediaQuery } from "../../browser/use-media-query.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page, Toolbar } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { CallFilterBar } from "./call-filter-bar.tsx";
import { shortSessionId } from "./hook-event.ts";
import { SessionEvents } from "./session-events.tsx";
import { titleOf, useSessionOutline } from "./session-outline.ts";
import { SessionOverview } from "./session-overview.tsx";
import type { CallFilter } from "./session-rows.ts";
import { SessionView } from "./session-view.tsx";
import { useHookSession } from "./use-hook-session.ts";

const HookEventPanel = lazyPart(() => import("./hook-event-panel.tsx"));
const SessionSteering = lazyPart(() => import("../steering/session-steering.tsx"));

const PARTS = [
  { value: "steps", label: "Session", icon: <MessagesSquare size={16} /> },
  { value: "events", label: "Events", icon: <List size={16} /> },
  { value: "overview", label: "Overview", icon: <ScrollText size={16} /> },
] as const;
type Part = (typeof PARTS)[number]["value"];

/** One session of an assistant: its prompts with what was said and done for each, its events, and what came of it. */
export default function SessionPage() {
  const { sessionId } = useParams({ from: "/app/hooks/sessions/$sessionId" });
  const { data: outline, error: failure, isPending, refetch } = useSessionOutline(sessionId);
  // What is read first does not wait for the details.
  const { data: session, error } = useHookSession(sessionId, { isEnabled: !isPending });
  const panel = useItemPanel("event");
  const isWide = useMediaQuery(WIDE);
  const isPhone = useMediaQuery(PHONE);
  const hasBoth = isWide && panel.openId === undefined;
  const parts = hasBoth ? PARTS.filter(({ value }) => value !== "overview") : PARTS;
  const [chosen, setPart] = useState<Part>("steps");
  const part = parts.find(({ value }) => value === chosen)?.value ?? "steps";
  const next = parts[(parts.findIndex(({ value }) => value === part) + 1) % parts.length]?.value ?? "steps";
  useShortcut("view", () => setPart(next));
  const [filter, setFilter] = useState<CallFilter>("all");
  const isUnknown = error !== null && session === undefined;
  const partChoice = (
    <Segmented<Part> label="Part" hasWords shortcut="view" value={part} options={parts} onChange={setPart} />
  );
  return (
    <PanelPage
      label="Event"
      panel={panel}
      renderPanel={(eventId) => <HookEventPanel key={eventId} eventId={eventId} onClose={panel.close} />}
    >
      <Page
        title={titleOf(outline) ?? `Session ${shortSessionId(sessionId)}`}
        onCreate={null}
        lead={<SquareTerminal aria-hidden size={16} className="shrink-0 text-muted" />}
        actions={
          <>
            <CopyButton text={sessionId} what="the session’s id" isBare={isPhone} />
            {/* The title gives way, not the parts. */}
            {!isPhone && <div className="flex min-w-0 lg:shrink-0">{partChoice}</div>}
          </>
        }
        toolbar={
          <>
            {/* Beside the title, a phone has no room for it. */}
            {isPhone && <Toolbar>{partChoice}</Toolbar>}
            {part === "steps" && outline !== undefined && (
              <CallFilterBar prompts={outline.prompts} filter={filter} onChange={setFilter} />
            )}
          </>
        }
      >
        {(isPending || (part === "overview" && session === undefined && error === null)) && <SkeletonRows />}
        {isUnknown && (
          <ErrorState title="The session could not be opened" error={error} onRetry={() => void refetch()} />
        )}
        {!isUnknown && !isPending && (
          <div className="flex min-h-0 flex-1">
            {part === "steps" && (
              <Steps
                sessionId={sessionId}
                outline={outline}
                failure={failure}
                session={session}
                filter={filter}
                onRetry={() => void refetch()}
              />
            )}
            {part === "events" && <SessionEvents sessionId={sessionId} panel={panel} />}
            {(hasBoth || part === "overview") && session !== undefined && (
              <SessionOverview session={session} prompts={outline?.prompts ?? []} onEvent={panel.open} />
            )}
          </div>
        )}
        {session !== undefined && session.totalEvents > 0 && (
          <Suspense>
            <SessionSteering key={sessionId} sessionId={sessionId} hasEnded={session.hasEnded} />
          </Suspense>
        )}
      </Page>
    </PanelPage>
  );
}

interface StepsProps extends Pick<Parameters<typeof SessionView>[0], "sessionId" | "session" | "filter"> {
  readonly outline: ReturnType<typeof useSessionOutline>["data"];
  readonly failure: unknown;
  readonly onRetry: () => void;
}

function Steps({ sessionId, outline, failure, session, filter, onRetry }: StepsProps) {
  const [{ turn: target }] = useSearchParams(parseTarget);
  if (outline === undefined && toRequestError(failure).status !== 404) {
    return (
      <div className="min-w-0 flex-1">
        <ErrorState title="The session could not be loaded" error={failure} onRetry={onRetry} />
      </div>
    );
  }
  if (outline === undefined || outline.prompts.length === 0) {
    return (
      <div className="min-w-0 flex-1">
        <EmptyState icon={<MessagesSquare size={20} />} title="Nothing was said or done yet">
          Prompts and calls of tools appear here as they happen; what the assistant says and what its tools return, when
          the session ends or its context is compacted.
        </EmptyState>
      </div>
    );
  }
  // Another target starts over, at that turn.
  return (
    <SessionView
      key={`${sessionId} ${target}`}
      sessionId={sessionId}
      outline={outline}
      session={session}
      target={target}
      filter={filter}
    />
  );
}

/** The turn to show, from the URL. */
function parseTarget({ turn }: Record<string, unknown>): { turn?: number } {
  const position = Number(turn);
  return Number.isInteger(position) && position > 0 ? { turn: position } : {};
}
