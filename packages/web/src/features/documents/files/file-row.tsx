import { clsx } from "clsx";
import { ChevronRight, CloudOff, Ellipsis, Folder, FolderOpen, Globe, Link2 } from "lucide-react";
import { memo, type MouseEvent } from "react";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { IconButton } from "../../../components/button.tsx";
import { contextMenuPlace } from "../../../components/context-menu.ts";
import type { PopupAnchor } from "../../../components/floating.ts";
import { TimeAgo } from "../../../components/time-ago.tsx";
import { FileIcon } from "./file-icon.tsx";
import { NameEditor } from "./name-editor.tsx";
import { shownName, type Document } from "../document.ts";
import { startFileDrag } from "./use-file-drop.ts";
import type { FileCursorActions } from "./use-file-cursor.ts";
import { createNamedFolder, dropNewFolder, newFolder } from "../vault/new-folder.ts";
import { problemWithRename, renameEntry } from "../vault/vault-actions.ts";
import { nameOf, parentOf } from "../vault/vault-path.ts";
import type { TreeRow } from "../vault/vault-tree.ts";

const INDENT_PX = 16;

/** The state of a row in a list of files. */
export interface RowState {
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  /** Whether anything is selected, in which case a tap selects instead of opening. */
  readonly isSelecting: boolean;
  readonly isRenaming: boolean;
  readonly isOpenDocument: boolean;
  readonly isDropTarget: boolean;
  readonly isTouch: boolean;
  /** Whether its text cannot be read now, because the server is away and this device has not kept it. */
  readonly isMissing: boolean;
}

export interface RowActions {
  readonly cursor: FileCursorActions;
  /** Opens a file; folds or unfolds a folder. */
  activate(path: string): void;
  openMenu(place: HTMLElement | PopupAnchor, path: string): void;
}

interface TreeRowViewProps extends RowState {
  readonly row: TreeRow;
  readonly actions: RowActions;
}

/** A file or folder in the tree. */
export const TreeRowView = memo(function TreeRowView({ row, actions, ...state }: TreeRowViewProps) {
  const { path, level, position, siblings } = row;
  const isFolder = row.kind === "folder";
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isFolder ? row.isOpen : undefined}
      aria-selected={state.isSelected}
      aria-current={state.isOpenDocument ? "page" : undefined}
      tabIndex={state.isCursor ? 0 : -1}
      data-path={path}
      data-folder={isFolder ? path : parentOf(path)}
      draggable={!state.isTouch && !state.isRenaming}
      className={rowClass(state)}
      style={{ paddingLeft: 8 + (level - 1) * INDENT_PX }}
      onClick={(event) => onRowClick(event, path, state, actions)}
      onContextMenu={(event) => onRowMenu(event, path, actions)}
      onDragStart={(event) => startFileDrag(event, actions.cursor.targetsOf(path))}
      onFocus={() => actions.cursor.follow(path)}
    >
      <span className="flex w-4 shrink-0 justify-center">
        {isFolder && (
          <ChevronRight
            aria-hidden
            size={14}
            className={clsx("text-muted transition-transform duration-120", row.isOpen && "rotate-90")}
          />
        )}
      </span>
      {row.kind === "file" ? <FileIcon file={row.document} /> : <FolderIcon isOpen={row.isOpen} />}
      {state.isRenaming ? (
        <RowName path={path} actions={actions.cursor} />
      ) : (
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {isFolder ? row.name : shownName(path)}
        </span>
      )}
      {row.kind === "file" && <SharedMark document={row.document} />}
      <MissingMark isMissing={state.isMissing} />
      {!state.isRenaming && <MenuButton path={path} actions={actions} />}
    </div>
  );
});

interface ListRowViewProps extends RowState {
  readonly document: Pick<Document, "id" | "path" | "title" | "fileType" | "modifiedAt">;
  /** The text around the search match. */
  readonly excerpt: string | null;
  readonly actions: RowActions;
}

/** A file in a list: its title, where it is, and when it changed or where the search matched. */
export const ListRowView = memo(function ListRowView({ document, excerpt, actions, ...state }: ListRowViewProps) {
  const { path, title, modifiedAt } = document;
  const folder = parentOf(path);
  return (
    <div
      role="treeitem"
      aria-level={1}
      aria-selected={state.isSelected}
      aria-current={state.isOpenDocument ? "page" : undefined}
      tabIndex={state.isCursor ? 0 : -1}
      data-path={path}
      data-folder={folder}
      draggable={!state.isTouch && !state.isRenaming}
      className={clsx(rowClass(state), "pl-3")}
      onClick={(event) => onRowClick(event, path, state, actions)}
      onContextMenu={(event) => onRowMenu(event, path, actions)}
      onDragStart={(event) => startFileDrag(event, actions.cursor.targetsOf(path))}
      onFocus={() => actions.cursor.follow(path)}
    >
      <FileIcon file={document} />
      {state.isRenaming ? (
        <RowName path={path} actions={actions.cursor} />
      ) : (
        <span className="flex min-w-0 flex-1 flex-col">
          <span dir="auto" className="truncate text-strong">
            {title}
          </span>
          <span className="truncate text-12 text-muted">
            {excerpt ?? (
              <>
                <TimeAgo timestamp={modifiedAt} />
                {folder !== "" && ` · ${folder}`}
              </>
            )}
          </span>
        </span>
      )}
      <MissingMark isMissing={state.isMissing} />
      {!state.isRenaming && <MenuButton path={path} actions={actions} />}
    </div>
  );
});

function RowName({ path, actions }: { path: string; actions: FileCursorActions }) {
  const client = useClient();
  const unnamed = useStore(newFolder(client));
  if (unnamed?.path === path) return <NewFolderName path={path} from={unnamed.from} actions={actions} />;
  return (
    <NameEditor
      name={nameOf(path)}
      label={`New name for ${nameOf(path)}`}
      onRename={(name) => void renameEntry(client, path, name)}
      onStop={actions.stopRename}
    />
  );
}

/** The name of a folder that is created by it. */
function NewFolderName({ path, from, actions }: { path: string; from: string | null; actions: FileCursorActions }) {
  const client = useClient();
  const stop = () => {
    actions.stopRename();
    dropNewFolder(client);
  };
  return (
    <NameEditor
      isNew
      name={nameOf(path)}
      label="Name of the new folder"
      check={(name) => problemWithRename(client, path, name)}
      onRename={(name) => void createNamedFolder(client, path, name)}
      onStop={stop}
      onCancel={() => {
        if (from === null) actions.leave([path]);
        else actions.moveTo(from);
        stop();
      }}
    />
  );
}

function FolderIcon({ isOpen }: { isOpen: boolean }) {
  const Icon = isOpen ? FolderOpen : Folder;
  return <Icon aria-hidden size={16} className="shrink-0 text-muted" />;
}

function SharedMark({ document: { shared, shareType } }: { document: Document }) {
  if (!shared) return null;
  const isPublic = shareType === "public";
  const Icon = isPublic ? Globe : Link2;
  return <Icon size={14} className="shrink-0 text-info" aria-label={isPublic ? "Public" : "Shared by link"} />;
}

function MissingMark({ isMissing }: Pick<RowState, "isMissing">) {
  if (!isMissing) return null;
  return <CloudOff role="img" size={14} className="shrink-0 text-muted" aria-label="Not kept on this device" />;
}

function MenuButton({ path, actions }: { path: string; actions: RowActions }) {
  return (
    <IconButton
      size="small"
      tabIndex={-1}
      label={`Actions for ${nameOf(path)}`}
      icon={<Ellipsis size={16} />}
      className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 touch:opacity-100"
      onClick={(event) => {
        event.stopPropagation();
        actions.openMenu(event.currentTarget, path);
      }}
    />
  );
}

function rowClass({ isSelected, isOpenDocument, isDropTarget }: RowState): string {
  return clsx(
    "group mx-1 flex h-full items-center gap-2 rounded-control pr-1 select-none focus-visible:-outline-offset-2",
    isDropTarget && "bg-accent-soft",
    isSelected && "bg-accent-soft text-strong",
    isOpenDocument && !isSelected && "bg-pressed font-medium text-strong",
    !isSelected && !isOpenDocument && "hover:bg-hover",
  );
}

function onRowClick(event: MouseEvent, path: string, { isSelecting, isRenaming }: RowState, actions: RowActions): void {
  if (isRenaming) return;
  if (event.shiftKey) actions.cursor.selectTo(path);
  else if (event.metaKey || event.ctrlKey || isSelecting) actions.cursor.toggle(path);
  else {
    actions.cursor.touch(path);
    actions.activate(path);
  }
}

function onRowMenu(event: MouseEvent<HTMLElement>, path: string, actions: RowActions): void {
  const place = contextMenuPlace(event);
  if (place === null) return;
  actions.cursor.touch(path);
  actions.openMenu(place, path);
}
