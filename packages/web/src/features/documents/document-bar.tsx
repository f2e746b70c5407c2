import {
  ArrowLeft,
  BookOpen,
  Columns2,
  Download,
  Ellipsis,
  FolderInput,
  Link2,
  ListTree,
  PanelRight,
  Pencil,
  PencilLine,
  Trash2,
  Waypoints,
  X,
} from "lucide-react";
import { Fragment, useState } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { DocumentSession } from "./session/document-session.ts";
import { downloadUrl, shownName, type Document } from "./document.ts";
import { pickFolder } from "./files/file-menu.tsx";
import { NameEditor } from "./files/name-editor.tsx";
import { SaveState, UnsentMark } from "./session/save-state.tsx";
import { ShareButton } from "./properties/share-button.tsx";
import { deleteEntries, renameEntry } from "./vault/vault-actions.ts";
import { foldersAbove, nameOf } from "./vault/vault-path.ts";
import { floating, type MenuItem } from "../../components/floating.ts";
import { loadable } from "../../components/loadable.tsx";
import { useShowBeside, type Beside } from "./document-url.ts";

const FavouriteButton = loadable(async () => (await import("../shelf/favourite-button.tsx")).default);

interface DocumentBarProps {
  readonly document: Document;
  /** The session of a text; null for files that are not edited here. */
  readonly session: DocumentSession | null;
  readonly reading: { readonly isReading: boolean; onToggle(): void } | null;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
  /** Whether this is the pane with the focus. */
  readonly isActive: boolean;
  /** Whether it is the pane beside another one. */
  readonly isBeside: boolean;
  /** Shows the outline on a phone; null for what has none. */
  readonly onShowOutline: (() => void) | null;
  readonly onClose: () => void;
}

/** Where a document is, whether it is saved, and what can be done with it. */
export function DocumentBar(props: DocumentBarProps) {
  const { document, session, reading, isPanelOpen, onTogglePanel, isActive, isBeside, onShowOutline, onClose } = props;
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  const isDeleted = document.deletedAt !== null;
  const [isRenaming, setIsRenaming] = useState(false);
  useShortcut("fileRename", () => setIsRenaming(true), { isEnabled: !isDeleted && isActive, isFallback: true });
  const showBeside = useShowBeside();
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-1 border-b border-border pr-2 pl-4 max-md:h-13 max-md:pl-1">
      {isPhone && <IconButton label="Back to the files" icon={<ArrowLeft size={20} />} onClick={onClose} />}
      {isRenaming ? (
        <NameEditor
          name={nameOf(document.path)}
          label="File name"
          className="max-w-80"
          onRename={(name) => void renameEntry(client, document.path, name)}
          onStop={() => setIsRenaming(false)}
        />
      ) : (
        <Breadcrumb path={document.path} onRename={isDeleted ? null : () => setIsRenaming(true)} />
      )}
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <UnsentMark id={document.id} />
        {session !== null && <SaveState session={session} />}
        {reading !== null && (
          <IconButton
            label={reading.isReading ? "Write" : "Read"}
            shortcut="readingView"
            aria-pressed={reading.isReading}
            icon={reading.isReading ? <PencilLine size={16} /> : <BookOpen size={16} />}
            onClick={reading.onToggle}
          />
        )}
        {isPhone && onShowOutline !== null && (
          <IconButton label="Outline" icon={<ListTree size={20} />} onClick={onShowOutline} />
        )}
        {!isDeleted && !isPhone && (
          <FavouriteButton
            item={{ kind: "document", id: document.id, title: document.title, path: document.path }}
            fallback={<span className="size-(--control-height)" />}
          />
        )}
        {!isDeleted && !isBeside && <ShareButton document={document} />}
        <IconButton
          label="Properties, links and versions"
          shortcut="documentPanel"
          aria-expanded={isPanelOpen}
          icon={<PanelRight size={16} />}
          onClick={onTogglePanel}
        />
        {!isDeleted && (
          <IconButton
            label="More"
            aria-haspopup="menu"
            icon={<Ellipsis size={16} />}
            onClick={(event) =>
              openDocumentMenu(client, event.currentTarget, document, {
                onClose,
                rename: setIsRenaming,
                showBeside: isBeside ? null : showBeside,
                isPhone,
              })
            }
          />
        )}
        {isBeside && <IconButton label="Close this pane" icon={<X size={16} />} onClick={onClose} />}
      </div>
    </header>
  );
}

function Breadcrumb({ path, onRename }: { path: string; onRename: (() => void) | null }) {
  const folders = foldersAbove(path);
  return (
    <nav aria-label="Location" className="flex min-w-0 items-center gap-1 text-13 text-muted">
      {folders.map((folder) => (
        <Fragment key={folder}>
          <span className="max-w-32 shrink-2 truncate max-md:hidden @max-xl:hidden">{nameOf(folder)}</span>
          <span aria-hidden className="max-md:hidden @max-xl:hidden">
            /
          </span>
        </Fragment>
      ))}
      <button
        type="button"
        disabled={onRename === null}
        className="min-w-0 truncate rounded-control px-1 py-0.5 font-medium text-strong hover:bg-hover"
        data-tooltip="Rename"
        data-tooltip-keys={SHORTCUT_KEYS.fileRename[0]}
        onClick={onRename ?? undefined}
      >
        {shownName(path)}
      </button>
    </nav>
  );
}

interface DocumentMenuActions {
  readonly onClose: () => void;
  readonly rename: (isRenaming: boolean) => void;
  /** Null in the second pane. */
  readonly showBeside: ((beside: Beside) => void) | null;
  readonly isPhone: boolean;
}

function besideItems(showBeside: (beside: Beside) => void, isPhone: boolean): MenuItem[] {
  // A phone has no room for a second pane: the graph is shown instead of the text.
  if (isPhone) return [{ label: "Graph", icon: <Waypoints size={16} />, run: () => showBeside("graph") }, "separator"];
  const keys = SHORTCUT_KEYS.beside[0];
  return [
    { label: "Reading view beside", icon: <Columns2 size={16} />, keys, run: () => showBeside("reading") },
    { label: "Links beside", icon: <Link2 size={16} />, run: () => showBeside("links") },
    { label: "Graph beside", icon: <Waypoints size={16} />, run: () => showBeside("graph") },
    "separator",
  ];
}

function openDocumentMenu(
  client: Client,
  anchor: HTMLElement,
  { path }: Document,
  { onClose, rename, showBeside, isPhone }: DocumentMenuActions,
): void {
  floating(client).openMenu(anchor, "Document", [
    ...(showBeside === null ? [] : besideItems(showBeside, isPhone)),
    { label: "Rename", icon: <Pencil size={16} />, run: () => rename(true) },
    { label: "Move to…", icon: <FolderInput size={16} />, run: () => pickFolder(client, anchor, [path]) },
    { label: "Download", icon: <Download size={16} />, run: () => window.location.assign(downloadUrl(path)) },
    "separator",
    {
      label: "Delete",
      icon: <Trash2 size={16} />,
      tone: "danger",
      run: () => {
        onClose();
        void deleteEntries(client, [path]);
      },
    },
  ]);
}
