import { Bot, CalendarDays, CircleUser, DatabaseBackup, HardDrive, Server, Users, Webhook } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page, Toolbar } from "../shell/page.tsx";

const VIEWS = [
  { value: "models", label: "Models", icon: <Bot size={16} />, View: lazyPart(() => import("./model-settings.tsx")) },
  {
    value: "calendar",
    label: "Calendar",
    icon: <CalendarDays size={16} />,
    View: lazyPart(() => import("./calendar-settings.tsx")),
  },
  {
    value: "account",
    label: "Account",
    icon: <CircleUser size={16} />,
    View: lazyPart(() => import("./account-settings.tsx")),
  },
  {
    value: "people",
    label: "People",
    icon: <Users size={16} />,
    View: lazyPart(() => import("./people-settings.tsx")),
  },
  {
    value: "webhooks",
    label: "Webhooks",
    icon: <Webhook size={16} />,
    View: lazyPart(() => import("../webhooks/webhook-settings.tsx")),
  },
  {
    value: "backups",
    label: "Backups",
    icon: <DatabaseBackup size={16} />,
    View: lazyPart(() => import("./backup-settings.tsx")),
  },
  {
    value: "storage",
    label: "Storage",
    icon: <HardDrive size={16} />,
    View: lazyPart(() => import("./storage-settings.tsx")),
  },
  {
    value: "server",
    label: "Server",
    icon: <Server size={16} />,
    View: lazyPart(() => import("./server-settings.tsx")),
  },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** How the workspace is set up: its models and calendar, the account, who uses it, which programs get its events, its backups, what is kept, the server. */
export default function SettingsPage() {
  const [{ view }, change] = useSearchParams(parseSearch);
  const show = (next: View) => change({ view: next === VIEWS[0].value ? undefined : next });
  const index = VIEWS.findIndex(({ value }) => value === view);
  const { View } = VIEWS[index] ?? VIEWS[0];
  useShortcut("view", () => show(VIEWS[(index + 1) % VIEWS.length]?.value ?? VIEWS[0].value));
  return (
    <Page
      title="Settings"
      onCreate={null}
      toolbar={
        <Toolbar>
          <Segmented<View> label="View" shortcut="view" hasWords value={view} options={VIEWS} onChange={show} />
        </Toolbar>
      }
    >
      <div
        tabIndex={0}
        role="region"
        aria-label={VIEWS[index]?.label}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:outline-none"
      >
        <div className="mx-auto flex max-w-180 flex-col gap-4 p-4 md:p-6">
          <Suspense fallback={<SkeletonRows />}>
            <View />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}

function parseSearch(search: Record<string, unknown>): { view: View } {
  return { view: VIEWS.find(({ value }) => value === search["view"])?.value ?? VIEWS[0].value };
}
