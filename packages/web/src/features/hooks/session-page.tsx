import { useParams } from "@tanstack/react-router";
import { List, ScrollText, SquareTerminal } from "lucide-react";
import { lazy, useState } from "react";
import { WIDE, useMediaQuery } from "../../browser/use-media-query.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { shortSessionId } from "./hook-event.ts";
import { SessionEvents } from "./session-events.tsx";
import { SessionOverview } from "./session-overview.tsx";
import { useHookSession } from "./use-hook-session.ts";

const HookEventPanel = lazy(() => import("./hook-event-panel.tsx"));

const PARTS = [
  { value: "events", label: "Events", icon: <List size={16} /> },
  { value: "overview", label: "Overview", icon: <ScrollText size={16} /> },
] as const;

/** One session of an assistant: its events in order, what was blocked, and what came of it. */
export default function SessionPage() {
  const { sessionId } = useParams({ from: "/app/hooks/sessions/$sessionId" });
  const { session, ...state } = useHookSession(sessionId);
  const panel = useItemPanel("event");
  const isWide = useMediaQuery(WIDE);
  const [part, setPart] = useState<"events" | "overview">("events");
  useShortcut("view", () => setPart(part === "events" ? "overview" : "events"), { isEnabled: !isWide });
  const hasBoth = isWide && panel.openId === undefined;
  return (
    <PanelPage
      label="Event"
      panel={panel}
      renderPanel={(eventId) => <HookEventPanel key={eventId} eventId={eventId} onClose={panel.close} />}
    >
      <Page
        title={`Session ${shortSessionId(sessionId)}`}
        onCreate={null}
        lead={<SquareTerminal aria-hidden size={16} className="shrink-0 text-muted" />}
        actions={
          <>
            <CopyButton text={sessionId} what="the session’s id" />
            {!hasBoth && (
              <Segmented label="Part" shortcut="view" value={part} options={PARTS} onChange={(next) => setPart(next)} />
            )}
          </>
        }
      >
        {state.isLoading && <SkeletonRows />}
        {state.error !== null && (
          <ErrorState title="The session could not be opened" error={state.error} onRetry={state.retry} />
        )}
        {session !== undefined && (
          <div className="flex min-h-0 flex-1">
            {(hasBoth || part === "events") && <SessionEvents state={state} panel={panel} />}
            {(hasBoth || part === "overview") && <SessionOverview session={session} onEvent={panel.open} />}
          </div>
        )}
      </Page>
    </PanelPage>
  );
}
