import { History, Settings, ShieldQuestion, SquareTerminal } from "lucide-react";
import { Suspense } from "react";
import { useIsAway } from "../../api/use-is-away.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Segmented } from "../../components/segmented.tsx";
import { AwayNotice } from "../../components/away-notice.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page } from "../shell/page.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { useOpenApprovals } from "./approvals.ts";
import { WaitingSessions } from "./waiting-sessions.tsx";

const ApprovalHistory = lazyPart(() => import("./approval-history.tsx"));
const ApprovalSettings = lazyPart(() => import("./approval-settings.tsx"));
const RunningSessions = lazyPart(() => import("../steering/running-sessions.tsx"));
const PushSettings = lazyPart(() => import("../notifications/push-settings.tsx"));

const VIEWS = [
  { value: "open", label: "Open", icon: <ShieldQuestion size={16} /> },
  { value: "sessions", label: "Sessions", icon: <SquareTerminal size={16} /> },
  { value: "history", label: "History", icon: <History size={16} /> },
  { value: "settings", label: "Settings", icon: <Settings size={16} /> },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** What cannot be done while the server is away. The calls themselves say so, too. */
const WHILE_AWAY: Readonly<Partial<Record<View, string>>> = {
  sessions: "Sessions can be told something, paused and stopped once the server responds.",
  settings: "What is set here can be changed once the server responds.",
};

/** Calls of assistants that a person decides about, here or on the phone. */
export default function ApprovalsPage() {
  const [{ view = "open", call }, change] = useSearchParams(parseSearch);
  const show = (next: View) => change({ view: next === "open" ? undefined : next, call: undefined });
  const isPhone = useMediaQuery(PHONE);
  const index = VIEWS.findIndex(({ value }) => value === view);
  useShortcut("view", () => show(VIEWS[(index + 1) % VIEWS.length]?.value ?? "open"));
  return (
    <Page
      title="Approvals"
      onCreate={null}
      actions={
        <Segmented<View>
          label="View"
          hasWords={!isPhone}
          shortcut="view"
          value={view}
          options={VIEWS}
          onChange={show}
        />
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-220 flex-col gap-4 p-4 md:p-6">
          {view in WHILE_AWAY && <AwayNotice>{WHILE_AWAY[view]}</AwayNotice>}
          <Suspense fallback={<SkeletonRows />}>
            {view === "open" && <OpenApprovals call={call} />}
            {view === "sessions" && <RunningSessions />}
            {view === "history" && <ApprovalHistory />}
            {view === "settings" && (
              <>
                <PushSettings />
                <ApprovalSettings />
              </>
            )}
          </Suspense>
        </div>
      </div>
    </Page>
  );
}

/** @param call The one that was opened from a notification. */
function OpenApprovals({ call }: { readonly call: string | undefined }) {
  const { open, error, refetch } = useOpenApprovals();
  const isAway = useIsAway();
  if (open === undefined) {
    if (error === null) return <SkeletonRows />;
    return <ErrorState title="The calls could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  const isGone = call !== undefined && !open.some(({ id }) => id === call);
  return (
    <>
      {isGone && (
        <FormAlert tone="info">The call of the notification does not wait any more. The history shows why.</FormAlert>
      )}
      {open.length === 0 && isAway && (
        <EmptyState icon={<ShieldQuestion size={24} />} title="Nothing to decide that is known here">
          Calls that an assistant asks about meanwhile are shown once the server responds.
        </EmptyState>
      )}
      {open.length === 0 && !isAway && (
        <EmptyState icon={<ShieldQuestion size={24} />} title="Nothing to decide">
          When a rule asks about a call of an assistant, you can decide here, if that is set under Settings.
        </EmptyState>
      )}
      {open.map((approval, position) => (
        <ApprovalCard key={approval.id} approval={approval} position={position} isMarked={approval.id === call} />
      ))}
      <WaitingSessions />
    </>
  );
}

function parseSearch({ view, call }: Record<string, unknown>): { view?: View; call?: string } {
  const known = VIEWS.find(({ value }) => value === view && value !== "open");
  return { ...(known !== undefined && { view: known.value }), ...(typeof call === "string" && { call }) };
}
