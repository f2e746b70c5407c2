import { useQuery } from "@tanstack/react-query";
import { Undo2, X } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../../api/request-error.ts";
import { newLocalId } from "../../../api/local-id.ts";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { TimeAgo } from "../../../components/time-ago.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { AuthorLabel } from "../../authors/author-label.tsx";
import { fileTextQuery, versionQuery } from "../document-queries.ts";
import { documentCollection } from "../document-collection.ts";
import type { Document } from "../document.ts";
import { openSessions } from "../session/open-sessions.ts";
import TextComparison from "../merge/text-comparison.tsx";
import { toasts } from "../../../components/toast.ts";
import { undoStack } from "../../../undo/undo-stack.ts";

interface VersionViewProps {
  readonly document: Document;
  readonly versionId: string;
  readonly onClose: () => void;
}

/** An earlier version compared with the current one, and an action to restore it. */
export function VersionView({ document, versionId, onClose }: VersionViewProps) {
  const client = useClient();
  const isDeleted = document.deletedAt !== null;
  const version = useQuery(versionQuery(client, document.id, versionId));
  const current = useQuery({ ...fileTextQuery(client, document), enabled: !isDeleted });
  const [isBusy, setIsBusy] = useState(false);
  const restore = async () => {
    setIsBusy(true);
    if (await restoreVersion(client, document, versionId)) onClose();
    setIsBusy(false);
  };
  const before = version.data;
  const after = current.data;
  const error = version.error ?? current.error;
  return (
    <section aria-label="Earlier version" className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-border bg-background py-1.5 pr-2 pl-4 text-13">
        <p className="min-w-0 flex-1 text-strong">
          {before !== undefined && (
            <>
              As it was <TimeAgo timestamp={before.createdAt} />
              {before.author !== null && (
                <>
                  , by <AuthorLabel author={before.author} />
                </>
              )}
              , compared with now
            </>
          )}
        </p>
        {!isDeleted && (
          <Button
            size="small"
            tone="primary"
            icon={<Undo2 aria-hidden size={14} />}
            isBusy={isBusy}
            onClick={() => void restore()}
          >
            Restore this version
          </Button>
        )}
        <IconButton
          size="small"
          label="Back to the document"
          shortcut="back"
          icon={<X size={16} />}
          onClick={onClose}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {error !== null && <ErrorState title="The version could not be loaded" error={error} />}
        {error === null && before === undefined && <SkeletonRows />}
        {before !== undefined && (after !== undefined || isDeleted) && (
          <VersionComparison key={`${versionId} ${document.contentHash}`} before={before.content} after={after ?? ""} />
        )}
      </div>
    </section>
  );
}

function VersionComparison({ before, after }: { before: string | null; after: string }) {
  if (before === null) {
    return (
      <EmptyState icon={<Undo2 size={20} />} title="This version is not text">
        It cannot be compared, but it can be restored.
      </EmptyState>
    );
  }
  return (
    <TextComparison
      label="Changes since this version"
      identical="Identical to the current version."
      before={before}
      after={after}
    />
  );
}

/** Restores a version; undoable, since the current text becomes a version in turn. Returns whether it succeeded. */
async function restoreVersion(client: Client, { id, ...shown }: Document, versionId: string): Promise<boolean> {
  try {
    await openSessions(client).flush();
    const { contentHash } = documentCollection(client).get(id) ?? shown;
    const { data } = await client.api.documents.restoreVersion.mutate({ id, versionId, expectedHash: contentHash });
    openSessions(client).publish(data);
    undoStack(client).offer({
      id: newLocalId(),
      label: "Restored an earlier version",
      undo: () => void undoRestore(client, id, contentHash),
    });
    return true;
  } catch (error) {
    toasts(client).show({
      message: "Could not restore the version",
      detail: toRequestError(error).message,
      tone: "danger",
    });
    return false;
  }
}

async function undoRestore(client: Client, id: string, hash: string): Promise<void> {
  const { data: versions } = await client.api.documents.versions.query({ id });
  const replaced = versions.find(({ contentHash }) => contentHash === hash);
  if (replaced === undefined) return;
  const { data } = await client.api.documents.restoreVersion.mutate({ id, versionId: replaced.id });
  openSessions(client).publish(data);
}
