import { Cable, CalendarDays, Coins, KeyRound } from "lucide-react";
import { Suspense, useState } from "react";
import { Segmented } from "../../components/segmented.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page, Toolbar } from "../shell/page.tsx";
import type { CreatedApiKey, ScopeSet } from "./api-key.ts";
import { CONNECT_VIEWS, parseConnectSearch, type ConnectView } from "./connect-search.ts";
import { NewKeyBanner } from "./new-key-banner.tsx";
import { SetupView } from "./setup-view.tsx";

const KeysView = lazyPart(() => import("./keys-view.tsx"));
const CalendarsView = lazyPart(() => import("./calendars-view.tsx"));
const CreditsView = lazyPart(() => import("./credits-view.tsx"));
const NewKeyDialog = lazyPart(() => import("./new-key-dialog.tsx"));

const VIEWS = [
  { value: "setup", label: "Set up", icon: <Cable size={16} /> },
  { value: "keys", label: "API keys", icon: <KeyRound size={16} /> },
  { value: "calendars", label: "Calendars", icon: <CalendarDays size={16} /> },
  { value: "credits", label: "Credits", icon: <Coins size={16} /> },
] as const;

/** How other programs connect: what to paste, their keys, and what they may spend. */
export default function ConnectPage() {
  const [{ view }, setSearchParams] = useSearchParams(parseConnectSearch);
  const [scopeSet, setScopeSet] = useState<ScopeSet | null>(null);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const change = (next: ConnectView) => setSearchParams({ view: next === "setup" ? undefined : next });
  const create = () => setScopeSet("everything");
  useShortcut("create", create);
  useShortcut("view", () => change(CONNECT_VIEWS[(CONNECT_VIEWS.indexOf(view) + 1) % CONNECT_VIEWS.length] ?? "setup"));
  return (
    <Page
      title="Connect"
      createLabel="New key"
      onCreate={create}
      toolbar={
        <Toolbar>
          <Segmented
            label="View"
            shortcut="view"
            value={view}
            hasWords
            options={VIEWS}
            onChange={(next) => change(next)}
          />
        </Toolbar>
      }
    >
      {created !== null && <NewKeyBanner key={created.id} created={created} onDone={() => setCreated(null)} />}
      {view === "setup" && <SetupView createdKey={created?.key ?? null} onCreateKey={setScopeSet} />}
      <Suspense fallback={<SkeletonRows />}>
        {view === "keys" && <KeysView onCreate={create} />}
        {view === "calendars" && <CalendarsView onCreateKey={() => setScopeSet("tasks")} />}
        {view === "credits" && <CreditsView />}
      </Suspense>
      <Suspense>
        {scopeSet !== null && (
          <NewKeyDialog scopeSet={scopeSet} onCreated={setCreated} onClose={() => setScopeSet(null)} />
        )}
      </Suspense>
    </Page>
  );
}
