import { Ellipsis, KeyRound, RefreshCw, SearchX } from "lucide-react";
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { openMenu } from "../../components/anchored.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel, type ItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { SidePanel, WithPanel } from "../shell/side-panel.tsx";
import { useSecrets, type SecretsState } from "./secret-collection.ts";
import { SecretRow } from "./secret-row.tsx";
import type { Secret } from "./secret.ts";

const SecretPanel = lazy(() => import("./secret-panel.tsx"));
const NewSecretDialog = lazy(() => import("./new-secret-dialog.tsx"));
const RotateKeyDialog = lazy(() => import("./rotate-key-dialog.tsx"));

/** Values that programs need and nobody should see. */
export default function SecretsPage() {
  const state = useSecrets();
  const { secrets } = state;
  const panel = useItemPanel("secret");
  const [text, setText] = useState("");
  const deferredText = useDeferredValue(text);
  const [dialog, setDialog] = useState<"new" | "rotate" | null>(null);
  const [editRequest, setEditRequest] = useState(0);
  const create = () => setDialog("new");
  useShortcut("create", create);
  useShortcut("back", panel.close, { isEnabled: panel.openId !== undefined });
  const open = secrets.find((secret) => secret.key === panel.openId);
  const edit = (key: string) => {
    panel.open(key);
    setEditRequest((count) => count + 1);
  };
  return (
    <WithPanel
      panel={
        panel.openId !== undefined && (
          <SidePanel label="Secret">
            <Suspense>
              <SecretPanel
                key={panel.openId}
                secret={open}
                state={state}
                editRequest={editRequest}
                onClose={panel.close}
              />
            </Suspense>
          </SidePanel>
        )
      }
    >
      <Page
        title="Secrets"
        createLabel="New secret"
        onCreate={create}
        actions={
          secrets.length > 0 && (
            <IconButton
              size="small"
              label="More"
              aria-haspopup="menu"
              icon={<Ellipsis size={16} />}
              onClick={(event) =>
                openMenu(event.currentTarget, "More", [
                  { label: "Rotate the encryption key", icon: <RefreshCw size={16} />, run: () => setDialog("rotate") },
                ])
              }
            />
          )
        }
        toolbar={
          secrets.length > 0 && (
            <div className="flex h-12 shrink-0 items-center border-b border-border px-3 touch:h-14 max-md:px-2">
              <TextFilter text={text} onText={setText} />
            </div>
          )
        }
      >
        <Secrets
          state={state}
          text={deferredText}
          panel={panel}
          onEdit={edit}
          onCreate={create}
          onClear={() => setText("")}
        />
      </Page>
      <Suspense>
        {dialog === "new" && <NewSecretDialog secrets={secrets} onClose={() => setDialog(null)} />}
        {dialog === "rotate" && <RotateKeyDialog count={secrets.length} onClose={() => setDialog(null)} />}
      </Suspense>
    </WithPanel>
  );
}

interface SecretsProps {
  readonly state: SecretsState;
  readonly text: string;
  readonly panel: ItemPanel;
  readonly onEdit: (key: string) => void;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

function Secrets({ state, text, panel, onEdit, onCreate, onClear }: SecretsProps) {
  const { secrets, isLoading, error, retry } = state;
  const shown = useMemo(() => secrets.filter((secret) => matches(secret, text)), [secrets, text]);
  const ids = useMemo(() => shown.map(idOf), [shown]);
  const rowHeight = useRowHeight();
  const heightOf = useCallback(() => rowHeight, [rowHeight]);
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined });
  useListShortcuts(cursor, { edit: onEdit });

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The secrets could not be loaded" error={error} onRetry={retry} />;
  if (secrets.length === 0) return <NoSecrets onCreate={onCreate} />;
  if (shown.length === 0) return <NoMatch onClear={onClear} />;
  return (
    <VirtualList
      label="Secrets"
      items={shown}
      idOf={idOf}
      heightOf={heightOf}
      cursorId={cursor.cursorId}
      focusRequest={cursor.focusRequest}
      renderRow={(secret, rowIndex) => (
        <SecretRow secret={secret} rowIndex={rowIndex} cursor={cursor} isOpen={secret.key === panel.openId} />
      )}
    />
  );
}

function NoSecrets({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<KeyRound size={20} />}
      title="No secrets yet"
      action={
        <Button tone="primary" shortcut="create" onClick={onCreate}>
          Create a secret
        </Button>
      }
    >
      Keep tokens and passwords here, encrypted; your agents use them by name and never see them.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No secret matches"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No name or description here has these words.
    </EmptyState>
  );
}

function matches({ key, description }: Secret, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const found = `${key}\n${description ?? ""}`.toLowerCase();
  return words.every((word) => found.includes(word));
}

/** The name, which never changes and is in the address. */
function idOf(secret: Secret): string {
  return secret.key;
}
