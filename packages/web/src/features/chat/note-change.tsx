import { useQuery } from "@tanstack/react-query";
import type { Author } from "@workspace/core";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toRequestError } from "../../api/request-error.ts";
import { ErrorState } from "../../components/states.tsx";
import { versionsQuery } from "../documents/document-queries.ts";
import type { Document } from "../documents/document.ts";
import { openSessions } from "../documents/session/open-sessions.ts";
import TextComparison from "../documents/merge/text-comparison.tsx";
import { ItemLink } from "../home/item-link.tsx";
import { isBy, type CalledBy } from "./called-by.ts";
import { UndoButton } from "./undo-button.tsx";

/** A content that a note has or had. */
interface State {
  /** Null for what it has now. */
  readonly versionId: string | null;
  readonly contentHash: string;
  readonly author: Author | null;
}

/** What a call has changed in a note, from the versions that are kept of it. */
export function NoteChange({ path, by }: { readonly path: string; readonly by: CalledBy }) {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ["documents", "at-path", path],
    queryFn: async () => (await client.api.documents.byPath.mutate({ path })).data,
    staleTime: 0,
  });
  if (error !== null && toRequestError(error).kind === "missing")
    return <p className="text-muted">{path} has been moved or deleted since.</p>;
  if (error !== null) return <ErrorState title="What changed could not be loaded" error={error} />;
  return data === undefined ? null : <Change document={data.document} author={data.author} by={by} />;
}

interface ChangeProps {
  readonly document: Document;
  /** Who wrote what the note contains now. */
  readonly author: Author | null;
  readonly by: CalledBy;
}

function Change({ document, author, by }: ChangeProps) {
  const client = useClient();
  const { id, path, contentHash } = document;
  const versions = useQuery(versionsQuery(client, document));
  const states: readonly State[] = [
    { versionId: null, contentHash, author },
    ...(versions.data ?? []).map((version) => ({ ...version, versionId: version.id })),
  ];
  const index = states.findIndex((state) => isBy(state.author, by));
  const [later, after, before] = [states[index - 1], states[index], states[index + 1]];
  const texts = useQuery({
    queryKey: ["documents", "change", id, before?.contentHash, after?.contentHash],
    queryFn: async () => ({
      before: before === undefined ? "" : await textOf(client, document, before),
      after: after === undefined ? "" : await textOf(client, document, after),
    }),
    enabled: versions.data !== undefined && after !== undefined,
    staleTime: Infinity,
  });
  const error = versions.error ?? texts.error;
  if (error !== null) return <ErrorState title="What changed could not be loaded" error={error} />;
  if (versions.data === undefined) return null;
  if (after === undefined) return <p className="text-muted">{path} has no version of this change any more.</p>;
  const undo = async () => {
    await openSessions(client).flush();
    const expectedHash = after.contentHash;
    if (before?.versionId == null) await client.api.documents.delete.mutate({ id, expectedHash });
    else {
      const restored = await client.api.documents.restoreVersion.mutate({
        id,
        versionId: before.versionId,
        expectedHash,
      });
      openSessions(client).publish(restored.data);
    }
    await client.queries.invalidateQueries({ queryKey: ["documents"] });
  };
  const isUndone = before !== undefined && later?.contentHash === before.contentHash;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere] text-normal">
          {before === undefined ? "Created" : "Changed"}{" "}
          <ItemLink href={`/documents?doc=${id}`} className="text-accent-text underline">
            {path}
          </ItemLink>
          {later !== undefined && <span className="text-muted"> · {isUndone ? "undone" : "changed since"}</span>}
        </p>
        {later === undefined && (
          <UndoButton what={`${before === undefined ? "creating" : "changing"} ${path}`} onUndo={undo} />
        )}
      </div>
      {texts.data !== undefined && <Comparison {...texts.data} path={path} />}
    </div>
  );
}

function Comparison({ before, after, path }: { before: string | null; after: string | null; path: string }) {
  if (before === null || after === null) return <p className="text-muted">It is not text.</p>;
  return (
    <div className="max-h-80 overflow-auto rounded-control border border-border">
      <TextComparison label={`Changes of ${path}`} identical="Nothing is different." before={before} after={after} />
    </div>
  );
}

/** The text that a note has or had; null if it is not text. */
async function textOf(client: Client, { id, path }: Document, { versionId }: State): Promise<string | null> {
  if (versionId === null) return (await client.api.fs.read.query({ path: `/${path}` })).data.content;
  return (await client.api.documents.version.query({ id, versionId })).data.content;
}
