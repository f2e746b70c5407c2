import { Suspense } from "react";
import { SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { HookTimelineList } from "./hook-timeline-list.tsx";
import { HooksToolbar } from "./hooks-toolbar.tsx";
import { useHookSearch } from "./use-hook-search.ts";

const HookStatisticsView = lazyPart(() => import("./hook-statistics-view.tsx"));
const SessionList = lazyPart(() => import("./session-list.tsx"));
const PolicyView = lazyPart(() => import("./policy-view.tsx"));
const MemorySettingsView = lazyPart(() => import("./memory-settings-view.tsx"));
const HookEventPanel = lazyPart(() => import("./hook-event-panel.tsx"));

/** What coding assistants do and which of their calls were blocked, live and as statistics. */
export default function HooksPage() {
  const state = useHookSearch();
  const panel = useItemPanel("event");
  const isTimeline = state.search.view === "timeline";
  return (
    <PanelPage
      label="Event"
      // An event belongs to the timeline, and is shown again when the user returns to it.
      panel={isTimeline ? panel : { ...panel, openId: undefined }}
      renderPanel={(eventId) => <HookEventPanel key={eventId} eventId={eventId} onClose={panel.close} />}
    >
      <Page title="Hooks" onCreate={null} toolbar={<HooksToolbar state={state} />}>
        {isTimeline && <HookTimelineList state={state} panel={panel} />}
        <Suspense fallback={<SkeletonRows />}>
          {state.search.view === "sessions" && <SessionList />}
          {state.search.view === "statistics" && <HookStatisticsView state={state} />}
          {state.search.view === "policy" && <PolicyView />}
          {state.search.view === "memory" && <MemorySettingsView />}
        </Suspense>
      </Page>
    </PanelPage>
  );
}
