import { lazy, Suspense } from "react";
import { SkeletonRows } from "../../components/states.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { SidePanel, WithPanel } from "../shell/side-panel.tsx";
import { HookTimelineList } from "./hook-timeline-list.tsx";
import { HooksToolbar } from "./hooks-toolbar.tsx";
import { useHookSearch } from "./use-hook-search.ts";

const HookStatisticsView = lazy(() => import("./hook-statistics-view.tsx"));
const PolicyView = lazy(() => import("./policy-view.tsx"));
const HookEventPanel = lazy(() => import("./hook-event-panel.tsx"));

/** What coding assistants do and were kept from doing, as it happens and in figures. */
export default function HooksPage() {
  const state = useHookSearch();
  const panel = useItemPanel("event");
  useShortcut("back", panel.close, { isEnabled: panel.openId !== undefined });
  return (
    <WithPanel
      panel={
        panel.openId !== undefined && (
          <SidePanel label="Event">
            <Suspense>
              <HookEventPanel key={panel.openId} eventId={panel.openId} onClose={panel.close} />
            </Suspense>
          </SidePanel>
        )
      }
    >
      <Page title="Hooks" onCreate={null} toolbar={<HooksToolbar state={state} />}>
        {state.search.view === "timeline" && <HookTimelineList state={state} panel={panel} />}
        <Suspense fallback={<SkeletonRows />}>
          {state.search.view === "statistics" && <HookStatisticsView state={state} />}
          {state.search.view === "policy" && <PolicyView />}
        </Suspense>
      </Page>
    </WithPanel>
  );
}
