import { KeyRound } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ResourceList } from "../../lists/resource-list.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { useApiKeys } from "./api-key-collection.ts";

const RevokeKeyDialog = lazyPart(() => import("./revoke-key-dialog.tsx"));

/** The API keys of this server. */
export default function KeysView({ onCreate }: { readonly onCreate: () => void }) {
  const state = useApiKeys();
  const [revokedId, setRevokedId] = useState<string | null>(null);
  const revoked = state.rows.find((key) => key.id === revokedId);
  return (
    <>
      <ResourceList
        label="API keys"
        plural="keys"
        state={state}
        remove={([id]) => id !== undefined && setRevokedId(id)}
        renderRow={(apiKey, place) => <ApiKeyRow apiKey={apiKey} position={place} onRevoke={setRevokedId} />}
        empty={<NoKeys onCreate={onCreate} />}
      />
      <Suspense>
        {revoked !== undefined && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevokedId(null)} />}
      </Suspense>
    </>
  );
}

function NoKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<KeyRound size={20} />}
      title="No keys yet"
      action={
        <Button tone="primary" shortcut="create" onClick={onCreate}>
          Create a key
        </Button>
      }
    >
      A key gives one program the access you choose, until it expires or you revoke it.
    </EmptyState>
  );
}
