import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Undo2, X } from "lucide-react";
import { memo, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { newLocalId } from "../../api/local-id.ts";
import type { Pausable } from "../../browser/compute-in-slices.ts";
import { useInSlices } from "../../browser/use-in-slices.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { pluralize } from "../../numbers/number-format.ts";
import { compareTexts, diffRows, type DiffRow } from "./diff-rows.ts";
import { fileTextQuery, versionQuery } from "./document-queries.ts";
import { documentCollection } from "./document-collection.ts";
import type { Document } from "./document.ts";
import { openSessions } from "./open-sessions.ts";
import { toasts } from "../../components/toast.ts";
import { undoStack } from "../../undo/undo-stack.ts";

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
              As it was <TimeAgo timestamp={before.createdAt} />, compared with now
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
          <Comparison key={`${versionId} ${document.contentHash}`} before={before.content} after={after ?? ""} />
        )}
      </div>
    </section>
  );
}

/** Longer lines are truncated. */
const MAX_LINE = 4_000;
/** How much of a comparison is shown at a time. */
const ROWS_AT_A_TIME = 80;
const CHARACTERS_AT_A_TIME = 6_000;

type Part = readonly DiffRow[];

/** The parts of a comparison that are shown, and those to come. */
interface ShownParts {
  readonly parts: readonly Part[];
  readonly next: Part | undefined;
  readonly rest: Generator<Part, undefined>;
}

function Comparison({ before, after }: { before: string | null; after: string }) {
  const start = useInSlices(startComparison, before ?? after, after);
  if (before === null) {
    return (
      <EmptyState icon={<Undo2 size={20} />} title="This version is not text">
        It cannot be compared, but it can be restored.
      </EmptyState>
    );
  }
  if (before === after) return <p className="p-6 text-center text-muted">Identical to the current version.</p>;
  return start === null ? <SkeletonRows /> : <Changes start={start} />;
}

function Changes({ start }: { start: ShownParts }) {
  const [{ parts, next, rest }, setShown] = useState(start);
  return (
    <>
      {parts.map((part, index) => (
        // Parts have no id of their own, and are only ever appended.
        <DiffPart key={index} number={index + 1} part={part} />
      ))}
      {next !== undefined && (
        <div className="flex justify-center p-4">
          <Button size="small" onClick={() => setShown({ parts: [...parts, next], next: rest.next().value, rest })}>
            Show more changes
          </Button>
        </div>
      )}
    </>
  );
}

function* startComparison(before: string, after: string): Pausable<ShownParts> {
  const rest = partsOf(diffRows(yield* compareTexts(before, after)));
  return { parts: [rest.next().value ?? []], next: rest.next().value, rest };
}

/** Divides rows into parts that can each be laid out without blocking the page. */
function* partsOf(rows: Iterable<DiffRow>): Generator<Part, undefined> {
  let part: DiffRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = row.kind === "gap" ? 0 : Math.min(row.text.length, MAX_LINE);
    if (part.length >= ROWS_AT_A_TIME || (part.length > 0 && characters + length > CHARACTERS_AT_A_TIME)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  if (part.length > 0) yield part;
}

/** A table of its own, so that the earlier parts need not be laid out again. */
const DiffPart = memo(function DiffPart({ number, part }: { number: number; part: Part }) {
  const label = number === 1 ? "Changes since this version" : `Changes since this version, part ${number}`;
  return (
    <table className="w-full table-fixed border-collapse font-mono text-12" aria-label={label}>
      <colgroup>
        <col className="w-16" />
        <col className="w-4" />
        <col />
      </colgroup>
      <tbody>
        {part.map((row, index) => (
          <DiffLine key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
});

const SIGNS = { same: "", removed: "−", added: "+" } as const;
const SPOKEN_PREFIXES = { same: "", removed: "removed: ", added: "added: " } as const;

function DiffLine({ row }: { row: DiffRow }) {
  if (row.kind === "gap") {
    return (
      <tr className="bg-background text-muted">
        <td colSpan={3} className="px-4 py-1 font-sans">
          {pluralize(row.count, "line")} the same
        </td>
      </tr>
    );
  }
  const { kind, line, text } = row;
  return (
    <tr className={clsx(kind === "added" && "bg-success/12", kind === "removed" && "bg-danger/12")}>
      <td className="tabular px-2 text-right align-top text-muted select-none">{line}</td>
      <td aria-hidden className="align-top text-strong select-none">
        {SIGNS[kind]}
      </td>
      <td className="py-px pr-4 leading-5 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
        <span className="sr-only">{SPOKEN_PREFIXES[kind]}</span>
        {text.slice(0, MAX_LINE)}
        {text.length > MAX_LINE && (
          <span className="text-muted"> … and {pluralize(text.length - MAX_LINE, "more character")}</span>
        )}
      </td>
    </tr>
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
