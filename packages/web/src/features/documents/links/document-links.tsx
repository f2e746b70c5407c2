import { useQuery } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { useRow } from "../../../api/use-collection.ts";
import { useClient } from "../../../client/use-client.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartError, Skeleton } from "../../../components/states.tsx";
import { documentCollection } from "../document-collection.ts";
import { linksQuery } from "../document-queries.ts";
import { isMarkdownPath, type Document } from "../document.ts";
import { useShowDocument } from "../document-url.ts";
import { FileIcon } from "../files/file-icon.tsx";
import { UnlinkedMentions } from "./unlinked-mentions.tsx";
import { createNote } from "../vault/vault-actions.ts";
import { nameOf, parentOf } from "../vault/vault-path.ts";
import { pathForNewNote } from "./wiki-links.ts";

const LinkedTasks = lazyPart(() => import("../../tasks/linked-tasks.tsx"));

const ROW = "flex min-h-9 w-full items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-hover touch:min-h-12";

/** What links to a document, and what it links to. */
export function DocumentLinks({ document }: { readonly document: Document }) {
  const client = useClient();
  const open = useShowDocument();
  const { data, error, refetch } = useQuery(linksQuery(client, document));
  if (error !== null && data === undefined) {
    return (
      <div className="p-4">
        <PartError part="The links" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <LinksSkeleton />;
  const { backlinks, links } = data;
  const create = async (target: string) => {
    const newPath = pathForNewNote(target, document.path);
    const note = newPath === null ? null : await createNote(client, parentOf(newPath), nameOf(newPath));
    if (note !== null) open(note.id);
  };
  return (
    <div className="flex flex-col gap-5 p-3">
      <LinkSection title="Linked from" empty="No other note links here yet.">
        {backlinks.map((linked) => (
          <button key={linked.id} type="button" className={ROW} onClick={() => open(linked.id)}>
            <LinkedNames linked={linked} />
          </button>
        ))}
      </LinkSection>
      <Suspense>
        <LinkedTasks kind="note" targetId={document.id} />
      </Suspense>
      <UnlinkedMentions document={document} />
      <LinkSection title="Links to" empty="Type [[ in the text to link to a note.">
        {links.map(({ target, document: linked }) =>
          linked === null ? (
            <button key={target} type="button" className={ROW} onClick={() => void create(target)}>
              <FilePlus2 aria-hidden size={16} className="shrink-0 text-muted" />
              <span className="min-w-0 truncate text-muted">{target}</span>
              <span className="ml-auto shrink-0 text-12 text-accent-text">Create</span>
            </button>
          ) : (
            <button key={target} type="button" className={ROW} onClick={() => open(linked.id)}>
              <LinkedNames linked={linked} />
            </button>
          ),
        )}
      </LinkSection>
    </div>
  );
}

function LinkSection({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h2 className="px-2 pb-1 text-12 font-medium text-muted">
        {title} {children.length > 0 && <span className="tabular">{children.length}</span>}
      </h2>
      {children.length === 0 ? <p className="px-2 text-13 text-muted">{empty}</p> : children}
    </section>
  );
}

/** A linked document as it is called now, also if it has been renamed since the links were read. */
function LinkedNames({ linked }: { linked: Pick<Document, "id" | "title" | "path"> }) {
  const { title, path } = useRow(documentCollection(useClient()), linked.id) ?? linked;
  return (
    <>
      <FileIcon file={{ path, fileType: isMarkdownPath(path) ? "markdown" : "binary" }} />
      <span className="flex min-w-0 flex-col">
        <span dir="auto" className="truncate text-strong">
          {title}
        </span>
        {parentOf(path) !== "" && <span className="truncate text-12 text-muted">{parentOf(path)}</span>}
      </span>
    </>
  );
}

function LinksSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}
