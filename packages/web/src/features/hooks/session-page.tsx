import { useParams } from "@tanstack/react-router";
import { List, MessagesSquare, ScrollText, SquareTerminal } from "lucide-react";
import { Suspense, useState } from "react";
import { PHONE, WIDE, useMediaQuery } from "../../browser/use-media-query.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { SessionEvents } from "./session-events.tsx";
import { SessionOverview } from "./session-overview.tsx";
import { SessionTranscript } from "./session-transcript.tsx";
import { useHookSession } from "./use-hook-session.ts";
import { useSessionTitle } from "./use-session-title.ts";

const HookEventPanel = lazyPart(() => import("./hook-event-panel.tsx"));
const SessionSteering = lazyPart(() => import("../steering/session-steering.tsx"));

const PARTS = [
  { value: "transcript", label: "Transcript", icon: <MessagesSquare size={16} /> },
  { value: "events", label: "Events", icon: <List size={16} /> },
  { value: "overview", label: "Overview", icon: <ScrollText size={16} /> },
] as const;
type Part = (typeof PARTS)[number]["value"];

/** One session of an assistant: what was said and done, its events in order, what was blocked, and what came of it. */
export default function SessionPage() {
  const { sessionId } = useParams({ from: "/app/hooks/sessions/$sessionId" });
  const { session, ...state } = useHookSession(sessionId);
  const title = useSessionTitle(sessionId, session, state.rows);
  const panel = useItemPanel("event");
  const isWide = useMediaQuery(WIDE);
  const isPhone = useMediaQuery(PHONE);
  const [{ turn: target }] = useSearchParams(parseTarget);
  const hasBoth = isWide && panel.openId === undefined;
  const parts = hasBoth ? PARTS.filter(({ value }) => value !== "overview") : PARTS;
  const [chosen, setPart] = useState<Part>();
  const usual = session?.transcript == null ? "events" : "transcript";
  const part = parts.find(({ value }) => value === chosen)?.value ?? usual;
  const next = parts[(parts.findIndex(({ value }) => value === part) + 1) % parts.length]?.value ?? usual;
  useShortcut("view", () => setPart(next));
  return (
    <PanelPage
      label="Event"
      panel={panel}
      renderPanel={(eventId) => <HookEventPanel key={eventId} eventId={eventId} onClose={panel.close} />}
    >
      <Page
        title={title}
        onCreate={null}
        lead={<SquareTerminal aria-hidden size={16} className="shrink-0 text-muted" />}
        actions={
          <>
            <CopyButton text={sessionId} what="the session’s id" />
            <Segmented<Part>
              label="Part"
              hasWords={!isPhone}
              shortcut="view"
              value={part}
              options={parts}
              onChange={setPart}
            />
          </>
        }
      >
        {state.isLoading && <SkeletonRows />}
        {state.error !== null && (
          <ErrorState title="The session could not be opened" error={state.error} onRetry={state.retry} />
        )}
        {session !== undefined && (
          <div className="flex min-h-0 flex-1">
            {part === "transcript" && <SessionTranscript session={session} target={target} />}
            {part === "events" && <SessionEvents state={state} panel={panel} />}
            {(hasBoth || part === "overview") && (
              <SessionOverview session={session} events={state.rows} onEvent={panel.open} />
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

/** The turn to show, from the URL. */
function parseTarget({ turn }: Record<string, unknown>): { turn?: number } {
  const position = Number(turn);
  return Number.isInteger(position) && position > 0 ? { turn: position } : {};
}
