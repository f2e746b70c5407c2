import { KeyRound } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { useApiKeys } from "./api-key-collection.ts";
import type { ApiKey } from "./api-key.ts";

const RevokeKeyDialog = lazy(() => import("./revoke-key-dialog.tsx"));

/** The keys that open this server to other programs. */
export default function KeysView({ onCreate }: { readonly onCreate: () => void }) {
  const { keys, isLoading, error, retry } = useApiKeys();
  const [revokedId, setRevokedId] = useState<string | null>(null);
  const ids = useMemo(() => keys.map(idOf), [keys]);
  const rowHeight = useRowHeight();
  const heightOf = useCallback(() => rowHeight, [rowHeight]);
  // A key has nothing behind its row.
  const cursor = useListCursor(ids, { open: () => undefined, isPanelOpen: false });
  useListShortcuts(cursor, { remove: ([id]) => id !== undefined && setRevokedId(id) });
  const revoked = keys.find((key) => key.id === revokedId);

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The keys could not be loaded" error={error} onRetry={retry} />;
  if (keys.length === 0) return <NoKeys onCreate={onCreate} />;
  return (
    <>
      <VirtualList
        label="API keys"
        items={keys}
        idOf={idOf}
        heightOf={heightOf}
        cursorId={cursor.cursorId}
        focusRequest={cursor.focusRequest}
        renderRow={(apiKey, rowIndex) => (
          <ApiKeyRow apiKey={apiKey} rowIndex={rowIndex} cursor={cursor} onRevoke={setRevokedId} />
        )}
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
      A key lets one program in, to do what you allow, until it expires or you revoke it.
    </EmptyState>
  );
}

function idOf(apiKey: ApiKey): string {
  return apiKey.id;
}
