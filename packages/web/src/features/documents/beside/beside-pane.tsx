import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Suspense, useMemo, useRef } from "react";
import { useRow } from "../../../api/use-collection.ts";
import { PHONE, useMediaQuery } from "../../../browser/use-media-query.ts";
import { useClient } from "../../../client/use-client.ts";
import { IconButton } from "../../../components/button.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { Skeleton } from "../../../components/states.tsx";
import { documentCollection, documentQuery } from "../document-collection.ts";
import { DocumentLinks } from "../links/document-links.tsx";
import { PaneContext, useShowBeside, useShowDocument, type Beside } from "../document-url.ts";
import { DocumentView } from "../document-view.tsx";
import { kindOf, type Document, type OpenDocument } from "../document.ts";
import type { TextPlace } from "../editor/text-place.ts";
import { useLinkOpener } from "../links/use-link-opener.ts";
import { useSession, useSessionState } from "../session/use-session.ts";
import type { Vault } from "../vault/vault-store.ts";

const NotePreview = lazyPart(() => import("../note-preview.tsx"));
const GraphView = lazyPart(() => import("./graph-view.tsx"));

const VIEWS = ["reading", "links", "graph"] as const;
type View = (typeof VIEWS)[number];
const LABELS: Readonly<Record<View, string>> = { reading: "Read", links: "Links", graph: "Graph" };

interface BesidePaneProps {
  /** The id of the document in the main pane. */
  readonly mainId: string;
  readonly beside: Beside;
  readonly vault: Vault;
  readonly isActive: boolean;
}

/** The second pane: another view of the note in the first one, or another document. */
export default function BesidePane({ mainId, beside, vault, isActive }: BesidePaneProps) {
  const show = useShowBeside();
  const close = () => show(undefined);
  const isPhone = useMediaQuery(PHONE);
  const view = VIEWS.find((known) => known === beside);
  if (view === undefined) {
    const pane = { isActive, isBeside: true };
    return (
      <PaneContext value="beside">
        <DocumentView key={beside} id={beside} vault={vault} isFresh={false} pane={pane} onClose={close} />
      </PaneContext>
    );
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex h-11 shrink-0 items-center justify-between gap-2 border-b border-border px-2">
        {isPhone ? (
          <h1 className="px-1 font-medium text-strong">Graph</h1>
        ) : (
          <Segmented
            label="What is shown beside"
            value={view}
            hasWords
            options={VIEWS.map((value) => ({ value, label: LABELS[value], icon: null }))}
            onChange={show}
          />
        )}
        <IconButton label={isPhone ? "Back to the note" : "Close this pane"} icon={<X size={16} />} onClick={close} />
      </header>
      <OtherView mainId={mainId} view={view} vault={vault} />
    </div>
  );
}

function OtherView({ mainId, view, vault }: { mainId: string; view: View; vault: Vault }) {
  const client = useClient();
  const open = useShowDocument();
  const { data: opened } = useQuery(documentQuery(client, mainId));
  const document = useRow(documentCollection(client), mainId);
  if (opened === undefined || document === undefined) return <Skeleton className="m-6 h-4 w-2/3" />;
  return (
    <Suspense fallback={<Skeleton className="m-6 h-4 w-2/3" />}>
      {view === "reading" && <ReadingView key={mainId} opened={opened} document={document} vault={vault} />}
      {view === "links" && (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <DocumentLinks document={document} />
        </div>
      )}
      {view === "graph" && <GraphView key={mainId} document={document} onOpen={open} />}
    </Suspense>
  );
}

interface ReadingViewProps {
  readonly opened: OpenDocument;
  readonly document: Document;
  readonly vault: Vault;
}

/** The text as it is being written in the other pane. */
function ReadingView({ opened, document, vault: { links, documents } }: ReadingViewProps) {
  const session = useSession(opened);
  const { text } = useSessionState(session);
  const placeRef = useRef<TextPlace>(null);
  const { path } = document;
  const context = useMemo(() => ({ path, links, documents }), [path, links, documents]);
  const openLink = useLinkOpener(context);
  if (kindOf(document) !== "markdown") return <p className="p-4 text-13 text-muted">Only notes have a reading view.</p>;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain" data-text-scroll>
      <div className="mx-auto w-full max-w-168 px-8 pt-8">
        <NotePreview
          text={text.toString()}
          context={context}
          positionRef={placeRef}
          onOpenLink={openLink}
          {...(session !== null && { onEdit: (next: string, from: string) => session.edit(next, from) })}
        />
      </div>
    </div>
  );
}
