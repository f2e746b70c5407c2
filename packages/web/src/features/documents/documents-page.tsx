import { Link } from "@tanstack/react-router";
import { CalendarDays, FolderPlus, NotebookText, Settings2, Trash2, Upload } from "lucide-react";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { useRow } from "../../api/use-collection.ts";
import { firstData } from "../../client/first-data.ts";
import { useClient } from "../../client/use-client.ts";
import { writeStored } from "../../browser/stored-value.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { loadable, preloadAll } from "../../components/loadable.tsx";
import { EmptyState } from "../../components/states.tsx";
import { tooltip } from "../../components/tooltip.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { dialogs } from "../shell/dialogs.ts";
import { Page } from "../shell/page.tsx";
import { Panes } from "./beside/panes.tsx";
import { dayOf } from "../../dates/day.ts";
import { documentCollection } from "./document-collection.ts";
import { useKeptTemplates } from "./daily/use-kept-templates.ts";
import { useDailyNote } from "./daily/daily-note.ts";
import { plainDayOf } from "./daily/plain-day.ts";
import {
  useBeside,
  useCloseDocument,
  useOpenDay,
  useOpenDocumentId,
  useShowBeside,
  useShowDay,
  useShowDocument,
  type Beside,
} from "./document-url.ts";
import { uploadChosen } from "./files/file-menu.tsx";
import { FILES_VIEW_KEY, FilesPane } from "./files/files-pane.tsx";
import { PaneResizer, usePaneWidth } from "./files/pane-resizer.tsx";
import { loadEditor } from "./load-editor.ts";
import { dropNewFolder, showNewFolder } from "./vault/new-folder.ts";
import { createNote } from "./vault/vault-actions.ts";
import { parentOf, VAULT_ROOT } from "./vault/vault-path.ts";
import { useTagRequests } from "./properties/tag-requests.ts";
import { useOutsideUpdates } from "./session/use-outside-updates.ts";
import { useVault, type Vault } from "./vault/vault-store.ts";

// Without an open document, the first screen is the list.
const DocumentView = loadable(async () => (await import("./document-view.tsx")).DocumentView);
const DayView = lazyPart(() => import("./daily/day-view.tsx"));

const BesidePane = lazyPart(() => import("./beside/beside-pane.tsx"));

const DELETED: Record<string, string> = { kind: "document" };

/** The vault: its files beside the open one; on a phone, one or the other. */
export default function DocumentsPage() {
  const client = useClient();
  const vault = useVault();
  useOutsideUpdates();
  useKeptTemplates(vault);
  const day = useOpenDay();
  const showDay = useShowDay();
  const date = day === undefined ? undefined : plainDayOf(day);
  const { data: daily } = useDailyNote(date);
  useEffect(() => {
    if (date !== undefined && day !== date) showDay(dayOf(date), true);
  }, [day, date, showDay]);
  const documentId = useOpenDocumentId();
  const openId = date === undefined ? documentId : daily?.date === date ? (daily.id ?? undefined) : undefined;
  const isOpen = date !== undefined || openId !== undefined;
  const beside = useBeside();
  const showBeside = useShowBeside();
  const open = useShowDocument();
  const close = useCloseDocument();
  const isPhone = useMediaQuery(PHONE);
  const document = useRow(documentCollection(client), openId ?? "");
  const [freshId, setFreshId] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const newFolder = useNewFolder(setQuery);
  const openPath = document === undefined || document.deletedAt !== null ? null : pathInView(vault, document.id);
  const folder = openPath === null ? VAULT_ROOT : parentOf(openPath);

  const newNote = async (where: string) => {
    // A new note is edited right away: its editor must be ready when its name has been typed.
    const [note] = await Promise.all([createNote(client, where), loadEditor(), preloadAll([DocumentView])]);
    if (note === null) return;
    setFreshId(note.id);
    open(note.id);
  };
  useShortcut("create", () => void newNote(folder));
  useShortcut("newFolder", () => newFolder(folder));
  useShortcut("back", close, { isEnabled: isOpen });
  useShortcut("beside", () => showBeside(beside === undefined ? "reading" : undefined), {
    isEnabled: openId !== undefined && !isPhone,
  });
  useTagRequests((tag) => {
    setQuery(`#${tag}`);
    // On a phone, the files are instead of the text.
    if (isPhone) close();
  });
  usePreloadedEditor();

  const pane = (
    <FilesPane
      vault={vault}
      openId={openId}
      openPath={openPath}
      query={query}
      onQuery={setQuery}
      onOpen={open}
      onNewNote={(where) => void newNote(where)}
      onNewFolder={newFolder}
    />
  );
  const besideOpen = openId === undefined || isPhone ? undefined : beside;
  const main = (isActive: boolean) => {
    const pane = besideOpen === undefined ? undefined : { isActive, isBeside: false };
    if (date !== undefined) {
      return (
        <Suspense>
          <DayView date={date} vault={vault} pane={pane} onShow={(next) => showDay(next)} onClose={close} />
        </Suspense>
      );
    }
    return openId === undefined ? null : (
      <DocumentView key={openId} id={openId} vault={vault} isFresh={openId === freshId} pane={pane} onClose={close} />
    );
  };
  const view = !isOpen ? null : openId === undefined || beside === undefined ? (
    main(true)
  ) : (
    <Shown mainId={openId} beside={beside} isPhone={isPhone} vault={vault} main={main} />
  );
  // Covers all but the banners, including the bottom bar: a small screen is for the text.
  if (isPhone && view !== null) return <main className="absolute inset-0 z-20 flex flex-col bg-surface">{view}</main>;
  return (
    <Page
      title="Documents"
      tabTitle={document?.title}
      createLabel="New note"
      onCreate={() => void newNote(folder)}
      actions={<PageActions folder={folder} onNewFolder={() => newFolder(folder)} />}
    >
      <div className="flex min-h-0 flex-1">
        {isPhone ? pane : <FilesSection>{pane}</FilesSection>}
        {!isPhone && (view ?? <NothingOpen />)}
      </div>
    </Page>
  );
}

/** Returns a function that has a folder named, in the tree, and created. Leaving the page gives it up. */
function useNewFolder(onQuery: (query: string) => void): (where: string, from?: string) => void {
  const client = useClient();
  useEffect(() => () => dropNewFolder(client), [client]);
  return (where, from) => {
    onQuery("");
    writeStored(FILES_VIEW_KEY, "tree");
    showNewFolder(client, where, from ?? null);
  };
}

function FilesSection({ children }: { readonly children: ReactNode }) {
  const [width, setWidth] = usePaneWidth();
  return (
    <section
      aria-label="Files"
      style={{ width }}
      className="relative flex max-w-[50%] shrink-0 flex-col border-r border-border"
    >
      {children}
      <PaneResizer width={width} onResize={setWidth} />
    </section>
  );
}

interface ShownProps {
  readonly mainId: string;
  readonly beside: Beside;
  readonly isPhone: boolean;
  readonly vault: Vault;
  readonly main: (isActive: boolean) => ReactNode;
}

/** A note with another pane beside it; on a phone the graph instead of it. */
function Shown({ mainId, beside, isPhone, vault, main }: ShownProps) {
  if (!isPhone) return <Panes mainId={mainId} beside={beside} vault={vault} main={main} />;
  if (beside !== "graph") return main(true);
  return (
    <Suspense>
      <BesidePane mainId={mainId} beside={beside} vault={vault} isActive />
    </Suspense>
  );
}

function PageActions({ folder, onNewFolder }: { folder: string; onNewFolder: () => void }) {
  const client = useClient();
  const showDay = useShowDay();
  const isPhone = useMediaQuery(PHONE);
  return (
    <div className="flex items-center">
      <IconButton label="Today's note" shortcut="today" icon={<CalendarDays size={16} />} onClick={() => showDay()} />
      <IconButton label="New folder" shortcut="newFolder" icon={<FolderPlus size={16} />} onClick={onNewFolder} />
      <IconButton label="Upload files" icon={<Upload size={16} />} onClick={() => void uploadChosen(client, folder)} />
      {!isPhone && (
        <>
          <Link
            to="/deleted"
            search={DELETED}
            aria-label="Deleted files"
            className="flex size-(--control-height) items-center justify-center rounded-control text-muted hover:bg-hover hover:text-strong"
            {...tooltip("Deleted files")}
          >
            <Trash2 aria-hidden size={16} />
          </Link>
          <IconButton
            label="Daily notes and templates"
            icon={<Settings2 size={16} />}
            onClick={() => dialogs(client).open({ kind: "note-settings" })}
          />
        </>
      )}
    </div>
  );
}

function NothingOpen() {
  return (
    <div className="flex min-w-0 flex-1 flex-col justify-center">
      <EmptyState icon={<NotebookText size={20} />} title="No document open">
        Choose a file on the left, or press C to create a note.
      </EmptyState>
    </div>
  );
}

/** The path under which a document is shown, which already reflects a move in progress. */
function pathInView(vault: Vault, id: string): string | null {
  return vault.documents.find((document) => document.id === id)?.path ?? null;
}

/** The editor is large and loads after the list; by the time a note is clicked it is ready. */
function usePreloadedEditor(): void {
  const client = useClient();
  useEffect(
    () => void firstData(client).shown.then(() => Promise.all([preloadAll([DocumentView]), loadEditor()])),
    [client],
  );
}
