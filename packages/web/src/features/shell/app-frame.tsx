import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../../api/session.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { useRealtime } from "../../realtime/use-realtime.ts";
import { useLeftDrafts } from "../documents/use-left-drafts.ts";
import { UnsavedTasksBanner } from "../tasks/unsaved-tasks-banner.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { OverlayHosts } from "./overlay-hosts.tsx";
import { useOpenTaskId } from "./panel-address.ts";
import { Sidebar } from "./sidebar.tsx";
import { TaskPanelSlot } from "./task-panel-slot.tsx";
import { useGlobalShortcuts } from "./use-global-shortcuts.ts";

/** The frame around every page: sidebar or bottom bar, banners, the page, and the panel for what is selected. */
export function AppFrame() {
  const isPhone = useMediaQuery(PHONE);
  // On a phone the panel lies over the page, which then is neither seen nor reached.
  const isCovered = useOpenTaskId() !== undefined && isPhone;
  useGlobalShortcuts();
  useSessionCheck();
  useRealtime();
  useLeftDrafts();
  return (
    <div className="flex h-full pt-[env(safe-area-inset-top)]">
      <a
        href="#page"
        className="sr-only z-60 rounded-control bg-raised px-3 py-2 text-strong shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      {!isPhone && <Sidebar />}
      <div className="relative flex min-w-0 flex-1 flex-col bg-surface md:my-2 md:mr-2 md:overflow-hidden md:rounded-panel md:border md:border-border">
        <ConnectionBanner />
        <UnsavedTasksBanner />
        <div className="flex min-h-0 flex-1">
          <div
            id="page"
            tabIndex={-1}
            inert={isCovered}
            className="flex min-w-0 flex-1 flex-col focus-visible:outline-none"
          >
            <Outlet />
          </div>
          <TaskPanelSlot />
        </div>
        {isPhone && !isCovered && <BottomBar />}
      </div>
      <OverlayHosts />
    </div>
  );
}

/** Leaves for the sign-in when it turns out, as after a reconnect, that nobody is signed in any more. */
function useSessionCheck(): void {
  const { data: user } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const href = useRouterState({ select: (state) => state.location.href });
  const isOver = user === null;
  useEffect(() => {
    if (isOver && !href.startsWith("/sign-in"))
      void navigate({ to: "/sign-in", search: { next: href, ended: true }, replace: true });
  }, [isOver, href, navigate]);
}
