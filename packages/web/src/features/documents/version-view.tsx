import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Undo2, X } from "lucide-react";
import { useMemo, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { newLocalId } from "../../api/local-id.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Instant } from "../../components/instant.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { showToast } from "../../components/toast.ts";
import { offerUndo } from "../../undo/undo-stack.ts";
import { diffRows, type DiffRow } from "./diff-rows.ts";
import { fileTextQuery, versionQuery } from "./document-queries.ts";
import { documentCollection } from "./document-collection.ts";
import type { Document } from "./document.ts";
import { flushSessions, keepOpened } from "./open-sessions.ts";

interface VersionViewProps {
  readonly document: Document;
  readonly versionId: string;
  readonly onClose: () => void;
}

/** An earlier version compared with what the document is now, and the way back to it. */
export function VersionView({ document, versionId, onClose }: VersionViewProps) {
  const isDeleted = document.deletedAt !== null;
  const version = useQuery(versionQuery(document.id, versionId));
  const current = useQuery({ ...fileTextQuery(document), enabled: !isDeleted });
  const [isBusy, setIsBusy] = useState(false);
  const restore = async () => {
    setIsBusy(true);
    if (await restoreVersion(document, versionId)) onClose();
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
              As it was <Instant timestamp={before.createdAt} />, compared with now
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
            Bring this version back
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
          <Comparison before={before.content} after={after ?? ""} />
        )}
      </div>
    </section>
  );
}

function Comparison({ before, after }: { before: string | null; after: string }) {
  const rows = useMemo(() => (before === null ? [] : diffRows(before, after)), [before, after]);
  if (before === null) {
    return (
      <EmptyState icon={<Undo2 size={20} />} title="This version is no text">
        It cannot be compared, but it can be brought back as it was.
      </EmptyState>
    );
  }
  if (before === after) return <p className="p-6 text-center text-muted">It is the same as now.</p>;
  return (
    <table className="w-full border-collapse font-mono text-12" aria-label="Changes from then to now">
      <tbody>
        {rows.map((row, index) => (
          // Rows have no name of their own; the list is made anew as a whole.
          <DiffLine key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
}

const SIGNS = { same: "", removed: "−", added: "+" } as const;
const READ_OUT = { same: "", removed: "removed: ", added: "added: " } as const;

function DiffLine({ row }: { row: DiffRow }) {
  if (row.kind === "gap") {
    return (
      <tr className="bg-background text-muted">
        <td colSpan={3} className="px-4 py-1 font-sans">
          {sayCountOf(row.count, "line")} the same
        </td>
      </tr>
    );
  }
  const { kind, line, text } = row;
  return (
    <tr className={clsx(kind === "added" && "bg-success/12", kind === "removed" && "bg-danger/12")}>
      <td className="tabular w-12 px-2 text-right align-top text-muted select-none">{line}</td>
      <td aria-hidden className="w-4 align-top text-strong select-none">
        {SIGNS[kind]}
      </td>
      <td className="py-px pr-4 leading-5 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
        <span className="sr-only">{READ_OUT[kind]}</span>
        {text}
      </td>
    </tr>
  );
}

/** Undoable: what the document has now becomes a version in turn. Answers whether it is done. */
async function restoreVersion({ id, ...shown }: Document, versionId: string): Promise<boolean> {
  try {
    await flushSessions();
    const { contentHash } = documentCollection.get(id) ?? shown;
    const { data } = await trpcClient.documents.restoreVersion.mutate({ id, versionId, expectedHash: contentHash });
    keepOpened(data);
    offerUndo({
      id: newLocalId(),
      label: "Brought an earlier version back",
      undo: () => void undoRestore(id, contentHash),
    });
    return true;
  } catch (error) {
    showToast({
      message: "Could not bring the version back",
      detail: toRequestError(error).message,
      tone: "danger",
    });
    return false;
  }
}

async function undoRestore(id: string, hash: string): Promise<void> {
  const { data: versions } = await trpcClient.documents.versions.query({ id });
  const replaced = versions.find(({ contentHash }) => contentHash === hash);
  if (replaced === undefined) return;
  const { data } = await trpcClient.documents.restoreVersion.mutate({ id, versionId: replaced.id });
  keepOpened(data);
}
