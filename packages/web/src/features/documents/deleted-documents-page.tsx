import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Trash2, Undo2 } from "lucide-react";
import { useMemo, useRef } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button } from "../../components/button.tsx";
import { Instant } from "../../components/instant.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Page } from "../shell/page.tsx";
import { restoreDocuments } from "./document-actions.ts";
import { deletedDocumentsQuery, documentCollection } from "./document-collection.ts";
import type { Document } from "./document.ts";
import { useShowDocument } from "./documents-address.ts";
import { FileIcon } from "./file-icon.tsx";

const ROW_PX = 36;
const TOUCH_ROW_PX = 48;

/** Files that were deleted and can come back. */
export default function DeletedDocumentsPage() {
  const { isPending, error, refetch } = useQuery(deletedDocumentsQuery);
  const rows = useCollection(documentCollection);
  const documents = useMemo(() => newestDeletionFirst(rows.values()), [rows]);
  const isEmpty = documents.length === 0;
  return (
    <Page title="Deleted files" onCreate={null}>
      {isPending && isEmpty && <SkeletonRows />}
      {error !== null && isEmpty && (
        <ErrorState title="The deleted files could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!isPending && error === null && isEmpty && (
        <EmptyState icon={<Trash2 size={20} />} title="Nothing is deleted">
          Files that you delete wait here until you want them back, for 30 days at least.
        </EmptyState>
      )}
      {!isEmpty && <DeletedList documents={documents} />}
    </Page>
  );
}

function DeletedList({ documents }: { documents: readonly Document[] }) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery(TOUCH);
  const virtualizer = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => (isTouch ? TOUCH_ROW_PX : ROW_PX),
    getItemKey: (index) => documents[index]?.id ?? index,
    overscan: 10,
  });
  return (
    <div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto pb-20">
      <ul aria-label="Deleted files" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const document = documents[index];
          if (document === undefined) return null;
          return (
            <li
              key={key}
              aria-setsize={documents.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <DeletedRow document={document} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function DeletedRow({ document }: { document: Document }) {
  const open = useShowDocument();
  return (
    <div className="flex h-full items-center gap-3 pr-2 pl-4 hover:bg-hover">
      <FileIcon file={document} />
      <button
        type="button"
        className="flex h-full min-w-0 flex-1 items-center gap-2 text-left"
        onClick={() => open(document.id)}
      >
        <span className="flex min-w-0 flex-col">
          <span className="truncate text-strong">{document.title}</span>
          <span className="truncate text-12 text-muted md:hidden">
            Deleted <Instant timestamp={document.deletedAt ?? ""} /> · /{document.path}
          </span>
        </span>
        <span className="min-w-0 truncate font-mono text-12 text-muted max-md:hidden">/{document.path}</span>
      </button>
      <span className="shrink-0 text-12 text-muted max-md:hidden">
        Deleted <Instant timestamp={document.deletedAt ?? ""} />
      </span>
      <Button
        size="small"
        tone="ghost"
        icon={<Undo2 aria-hidden size={14} />}
        onClick={() => void restoreDocuments([document.id])}
      >
        Restore<span className="sr-only"> {document.title}</span>
      </Button>
    </div>
  );
}

function newestDeletionFirst(documents: Iterable<Document>): Document[] {
  const deleted: { document: Document; deletedAt: string }[] = [];
  for (const document of documents) {
    if (document.deletedAt !== null) deleted.push({ document, deletedAt: document.deletedAt });
  }
  return deleted.toSorted((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1)).map(({ document }) => document);
}
