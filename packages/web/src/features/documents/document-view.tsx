import { useQuery } from "@tanstack/react-query";
import { CloudOff, Undo2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useStored } from "../../browser/stored-value.ts";
import { PHONE, useMediaQuery, WIDE } from "../../browser/use-media-query.ts";
import { toRequestError } from "../../api/request-error.ts";
import { useRow } from "../../api/use-collection.ts";
import { useIsAway } from "../../api/use-is-away.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { restoreDocuments } from "./document-actions.ts";
import { DocumentBar } from "./document-bar.tsx";
import { documentCollection, documentQuery } from "./document-collection.ts";
import { DocumentPanel, PanelFrame } from "./document-panel.tsx";
import { isBasePath, kindOf, type Document, type OpenDocument } from "./document.ts";
import type { Editor } from "./editor/create-editor.ts";
import { BinaryViewer, ImageViewer, MediaViewer, PdfViewer } from "./file-viewers.tsx";
import { NoteNavigator } from "./outline/note-navigator.ts";
import { TextDocument } from "./text-document.tsx";
import { useSession } from "./session/use-session.ts";
import type { Vault } from "./vault/vault-store.ts";
import { VersionView } from "./versions/version-view.tsx";

const OutlineSheet = lazyPart(() => import("./outline/outline-sheet.tsx"));

interface DocumentViewProps {
  readonly id: string;
  readonly vault: Vault;
  /** Whether it was just created, so that its name is asked for. */
  readonly isFresh: boolean;
  readonly onClose: () => void;
  /** Whether there is another document beside it: its panel then floats, and only one of the two handles shortcuts. */
  readonly pane?: { readonly isActive: boolean; readonly isBeside: boolean } | undefined;
  /** Receives the editor as soon as it can be written in, for a note that was just created. */
  readonly onEditor?: ((editor: Editor) => void) | undefined;
}

/** One document: a bar, its content, and a panel with details. */
export function DocumentView(props: DocumentViewProps) {
  const { id, vault, onClose } = props;
  const client = useClient();
  const { data: opened, error, refetch } = useQuery(documentQuery(client, id));
  const known = useRow(documentCollection(client), id);
  const shown = vault.documents.find((document) => document.id === id) ?? known;
  if (opened !== undefined && shown !== undefined) {
    return <OpenedDocument {...props} opened={opened} document={shown} />;
  }
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      {error === null ? (
        <DocumentSkeleton />
      ) : (
        <>
          {toRequestError(error).kind === "no-response" ? (
            <EmptyState
              icon={<CloudOff size={20} />}
              title="Not kept on this device"
              action={<Button onClick={() => void refetch()}>Try again</Button>}
            >
              This device has not read it yet, or has no room for it. It is shown once the server responds.
            </EmptyState>
          ) : (
            <ErrorState title="The document could not be opened" error={error} onRetry={() => void refetch()} />
          )}
          <Button tone="ghost" className="self-center" onClick={onClose}>
            Back to the files
          </Button>
        </>
      )}
    </div>
  );
}

interface OpenedDocumentProps extends Omit<DocumentViewProps, "id"> {
  readonly opened: OpenDocument;
  readonly document: Document;
}

function OpenedDocument({ opened, document, vault, isFresh, onClose, pane, onEditor }: OpenedDocumentProps) {
  const kind = kindOf(document);
  const isText = kind === "markdown" || kind === "text";
  const session = useSession(opened);
  const [mode, setMode] = useStored("documents.mode");
  const isBase = kind === "text" && isBasePath(document.path);
  const [isBaseWritten, setIsBaseWritten] = useState(false);
  const [panel, setPanel] = usePanelState(pane !== undefined);
  const [navigator] = useState(() => new NoteNavigator());
  const [hasSheet, setHasSheet] = useState(false);
  const [outlineCalls, setOutlineCalls] = useState(0);
  const isActive = pane?.isActive !== false;
  const [versionId, setVersionId] = useState<string | null>(null);
  const canRead = kind === "markdown" || isBase;
  const isRead = isBase ? !isBaseWritten : mode === "read";
  const isReading = canRead && isRead && !isFresh && onEditor === undefined;
  const toggleReading = () => (isBase ? setIsBaseWritten(isReading) : setMode(isReading ? "write" : "read"));
  useShortcut("readingView", toggleReading, { isEnabled: canRead && isActive });
  useShortcut("documentPanel", () => setPanel(!panel), { isEnabled: isActive });
  const goToOutline = () => {
    setPanel(true);
    setOutlineCalls((count) => count + 1);
  };
  useShortcut("outline", goToOutline, { isEnabled: kind === "markdown" && isActive });
  useShortcut("back", () => setVersionId(null), { isEnabled: versionId !== null && isActive });

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <article aria-label={document.title} className="flex min-w-0 flex-1 flex-col">
        <DocumentBar
          document={document}
          session={isText ? session : null}
          reading={canRead ? { isReading, onToggle: toggleReading } : null}
          isPanelOpen={panel}
          isActive={isActive}
          isBeside={pane?.isBeside === true}
          onShowOutline={kind === "markdown" ? () => setHasSheet(true) : null}
          onTogglePanel={() => setPanel(!panel)}
          onClose={onClose}
        />
        {document.deletedAt !== null && <DeletedNote document={document} />}
        <OutdatedNote opened={opened} />
        {versionId !== null && (
          <VersionView document={document} versionId={versionId} onClose={() => setVersionId(null)} />
        )}
        {versionId === null && isText && session !== null && (
          <TextDocument
            key={document.id}
            document={document}
            session={session}
            vault={vault}
            isReading={isReading}
            isFresh={isFresh}
            takesFocus={pane?.isBeside !== true}
            navigator={navigator}
            onEditor={onEditor}
            onToggleReading={toggleReading}
          />
        )}
        {versionId === null && kind === "image" && <ImageViewer document={document} />}
        {versionId === null && kind === "media" && <MediaViewer document={document} />}
        {versionId === null && kind === "pdf" && <PdfViewer document={document} />}
        {versionId === null && kind === "other" && <BinaryViewer document={document} />}
      </article>
      {hasSheet && (
        <Suspense>
          <OutlineSheet session={session} navigator={navigator} onClose={() => setHasSheet(false)} />
        </Suspense>
      )}
      {panel && (
        <PanelFrame isNarrow={pane !== undefined} onClose={() => setPanel(false)}>
          <DocumentPanel
            navigator={navigator}
            outlineCalls={outlineCalls}
            document={document}
            metadata={opened.metadata}
            author={opened.author}
            session={isText ? session : null}
            versionId={versionId}
            onShowVersion={setVersionId}
            onClose={() => setPanel(false)}
          />
        </PanelFrame>
      )}
    </div>
  );
}

/** Open by default if there is room beside the document, until the user closes it; elsewhere only on request. */
function usePanelState(isNarrow: boolean): [boolean, (isOpen: boolean) => void] {
  const [stored, setStored] = useStored("documents.panel");
  const isWide = useMediaQuery(WIDE);
  const isPhone = useMediaQuery(PHONE);
  const [isOpenHere, setIsOpenHere] = useState(false);
  if (isWide && !isPhone && !isNarrow) return [stored !== "closed", (isOpen) => setStored(isOpen ? null : "closed")];
  return [isOpenHere, setIsOpenHere];
}

/** Says that the text is not as new as what is said about the document. */
function OutdatedNote({ opened: { document } }: { readonly opened: OpenDocument }) {
  const client = useClient();
  const isAway = useIsAway();
  const known = documentCollection(client).stored.get(document.id);
  if (!isAway || known === undefined || known.contentHash === document.contentHash) return null;
  return (
    <p role="status" className="shrink-0 border-b border-border bg-warning/8 px-4 py-2 text-13 text-strong">
      The text has been changed since this device read it. The latest one is shown once the server responds.
    </p>
  );
}

function DeletedNote({ document }: { document: Document }) {
  const client = useClient();
  return (
    <div
      role="status"
      className="flex shrink-0 items-center justify-between gap-3 border-b border-border bg-background px-4 py-2 text-13"
    >
      <span>This file has been deleted. It can be restored to its original location.</span>
      <Button
        size="small"
        icon={<Undo2 aria-hidden size={14} />}
        onClick={() => void restoreDocuments(client, [document.id])}
      >
        Restore
      </Button>
    </div>
  );
}

function DocumentSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto flex w-full max-w-180 flex-col gap-4 px-6 pt-20">
      <Skeleton className="h-8 w-3/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-5/6" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  );
}
