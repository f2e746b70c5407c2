import { Ellipsis, KeyRound, RefreshCw } from "lucide-react";
import { Suspense, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { floating } from "../../components/floating.ts";
import { EmptyState } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { NoMatch, ResourceList } from "../../lists/resource-list.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useTextFilter } from "../../lists/use-text-filter.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page, Toolbar } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { useSecrets } from "./secret-collection.ts";
import { SecretRow } from "./secret-row.tsx";
import type { Secret } from "./secret.ts";

const SecretPanel = lazyPart(() => import("./secret-panel.tsx"));
const NewSecretDialog = lazyPart(() => import("./new-secret-dialog.tsx"));
const RotateKeyDialog = lazyPart(() => import("./rotate-key-dialog.tsx"));

/** Values that programs need and nobody should see. */
export default function SecretsPage() {
  const state = useSecrets();
  const { rows: secrets } = state;
  const { text, setText, shown } = useTextFilter(state, textOf);
  const panel = useItemPanel("secret");
  const [dialog, setDialog] = useState<"new" | "rotate" | null>(null);
  const [editRequest, setEditRequest] = useState(0);
  const create = () => setDialog("new");
  useShortcut("create", create);
  const edit = (key: string) => {
    panel.open(key);
    setEditRequest((count) => count + 1);
  };
  return (
    <PanelPage
      label="Secret"
      panel={panel}
      renderPanel={(key) => (
        <SecretPanel
          key={key}
          secret={secrets.find((secret) => secret.key === key)}
          state={state}
          editRequest={editRequest}
          onClose={panel.close}
        />
      )}
    >
      <Page
        title="Secrets"
        createLabel="New secret"
        onCreate={create}
        actions={secrets.length > 0 && <MoreButton onRotate={() => setDialog("rotate")} />}
        toolbar={
          secrets.length > 0 && (
            <Toolbar>
              <TextFilter text={text} onText={setText} />
            </Toolbar>
          )
        }
      >
        <ResourceList
          label="Secrets"
          state={shown}
          idOf={idOf}
          panel={panel}
          edit={edit}
          renderRow={(secret, place) => <SecretRow secret={secret} place={place} />}
          empty={
            secrets.length === 0 ? (
              <NoSecrets onCreate={create} />
            ) : (
              <NoMatch title="No matching secrets" onClear={() => setText("")}>
                No secret has these words in its name or description.
              </NoMatch>
            )
          }
        />
      </Page>
      <Suspense>
        {dialog === "new" && <NewSecretDialog secrets={secrets} onClose={() => setDialog(null)} />}
        {dialog === "rotate" && <RotateKeyDialog count={secrets.length} onClose={() => setDialog(null)} />}
      </Suspense>
    </PanelPage>
  );
}

function MoreButton({ onRotate }: { onRotate: () => void }) {
  const client = useClient();
  return (
    <IconButton
      size="small"
      label="More"
      aria-haspopup="menu"
      icon={<Ellipsis size={16} />}
      onClick={(event) =>
        floating(client).openMenu(event.currentTarget, "More", [
          { label: "Rotate the encryption key", icon: <RefreshCw size={16} />, run: onRotate },
        ])
      }
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

function textOf({ key, description }: Secret): string {
  return `${key}\n${description ?? ""}`;
}

/** The name is unique, never changes, and appears in the URL. */
function idOf(secret: Secret): string {
  return secret.key;
}
