import { SearchX, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { RowsState } from "../../api/collection-query.ts";
import { IconButton } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { PanelHeader } from "../shell/side-panel.tsx";
import { SecretAccessLog } from "./secret-access-log.tsx";
import { SecretGrants } from "./secret-grants.tsx";
import { SecretDescription } from "./secret-description.tsx";
import { SecretValue } from "./secret-value.tsx";
import type { Secret } from "./secret.ts";

const DeleteSecretDialog = lazyPart(() => import("./delete-secret-dialog.tsx"));

interface SecretPanelProps {
  /** Undefined if the secret does not exist or is not loaded yet. */
  readonly secret: Secret | undefined;
  readonly state: RowsState<Secret>;
  /** Incremented when the caret must move into the description. */
  readonly editRequest: number;
  readonly onClose: () => void;
}

/** One secret: its value on request, its description, and its access log. */
export default function SecretPanel({ secret, state, editRequest, onClose }: SecretPanelProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = () => setIsDeleting(true);
  useShortcut("delete", remove, { isEnabled: secret !== undefined });
  return (
    <>
      <PanelHeader title="Secret" onClose={onClose}>
        {secret !== undefined && (
          <IconButton label="Delete" shortcut="delete" icon={<Trash2 size={16} />} onClick={remove} />
        )}
      </PanelHeader>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {secret === undefined ? (
          <LoadFailure state={state} />
        ) : (
          <div className="flex flex-col gap-5 px-5 py-5">
            <h2 className="font-mono text-16 font-semibold [overflow-wrap:anywhere] text-strong">{secret.key}</h2>
            <SecretDescription secret={secret} editRequest={editRequest} />
            <SecretValue secret={secret} />
            <p className="text-13 text-muted">
              An agent’s tool uses it as{" "}
              <code className="font-mono text-12 text-strong">{`{{secret:${secret.key}}}`}</code>; the value never
              reaches the model.
            </p>
            <SecretGrants key={`grants ${secret.key}`} secretKey={secret.key} />
            <SecretAccessLog secretKey={secret.key} />
            <p className="text-12 text-muted">
              Created <TimeAgo timestamp={secret.createdAt} />, changed <TimeAgo timestamp={secret.updatedAt} />
            </p>
          </div>
        )}
      </div>
      <Suspense>
        {isDeleting && secret !== undefined && (
          <DeleteSecretDialog secret={secret} onClose={() => setIsDeleting(false)} onDeleted={onClose} />
        )}
      </Suspense>
    </>
  );
}

function LoadFailure({ state: { isLoading, error, retry } }: { state: RowsState<Secret> }) {
  if (isLoading) {
    return (
      <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-5">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-20 w-full" />
      </div>
    );
  }
  if (error !== null) return <ErrorState title="The secret could not be opened" error={error} onRetry={retry} />;
  return (
    <EmptyState icon={<SearchX size={20} />} title="Secret not found">
      It may have been deleted, which cannot be undone.
    </EmptyState>
  );
}
