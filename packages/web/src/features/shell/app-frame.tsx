import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { useRealtime } from "../../realtime/use-realtime.ts";
import { OverlayHosts } from "./overlay-hosts.tsx";
import { useOpenTaskId } from "./task-panel-url.ts";
import { Sidebar } from "./sidebar.tsx";
import { TaskPanelSlot } from "./task-panel-slot.tsx";
import { useGlobalShortcuts } from "./use-global-shortcuts.ts";
import { loadable } from "../../components/loadable.tsx";

// Of the first screen, whose size is limited, only what is always on it comes with it.
const AFTER_DATA = { afterData: true };
const ConnectionBanner = loadable(async () => (await import("./connection-banner.tsx")).ConnectionBanner, AFTER_DATA);
const BottomBar = loadable(async () => (await import("./bottom-bar.tsx")).BottomBar, AFTER_DATA);
const UnsavedTasksBanner = loadable(
  async () => (await import("../tasks/unsaved-tasks-banner.tsx")).default,
  AFTER_DATA,
);
const OutboxBanner = loadable(async () => (await import("../outbox/outbox-banner.tsx")).default, AFTER_DATA);
const ApprovalBanner = loadable(async () => (await import("../approvals/approval-banner.tsx")).default, AFTER_DATA);

/** The frame around every page: sidebar or bottom bar, banners, the page, and the task panel. */
export function AppFrame() {
  const isPhone = useMediaQuery(PHONE);
  // On a phone the panel covers the page, which is then hidden from screen readers and the keyboard.
  const isCovered = useOpenTaskId() !== undefined && isPhone;
  useGlobalShortcuts();
  useSessionCheck();
  useRealtime();
  return (
    <div className="flex h-full pt-[env(safe-area-inset-top)]">
      <a
        href="#page"
        className="sr-only z-60 rounded-control bg-raised px-3 py-2 text-strong shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      {!isPhone && <Sidebar />}
      <div className="flex min-w-0 flex-1 flex-col overflow-clip bg-surface md:my-2 md:mr-2 md:rounded-panel md:border md:border-border">
        <ConnectionBanner />
        <OutboxBanner />
        <UnsavedTasksBanner />
        <ApprovalBanner />
        {/* On a phone, an open note or panel covers all of this, but not the banners. */}
        <div className="relative flex min-h-0 flex-1 flex-col">
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
          {isPhone && !isCovered && (
            <BottomBar fallback={<div className="h-14 border-t border-border bg-background" />} />
          )}
        </div>
      </div>
      <OverlayHosts />
    </div>
  );
}

/** Redirects to the sign-in page when it turns out, for example after reconnecting, that nobody is signed in. */
function useSessionCheck(): void {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  const navigate = useNavigate();
  const href = useRouterState({ select: (state) => state.location.href });
  const isOver = user === null;
  useEffect(() => {
    if (isOver && !href.startsWith("/sign-in"))
      void navigate({ to: "/sign-in", search: { next: href, ended: true }, replace: true });
  }, [isOver, href, navigate]);
}
