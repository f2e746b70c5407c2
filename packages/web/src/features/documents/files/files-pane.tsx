import { Clock, FolderTree, Hash, Search, X } from "lucide-react";
import { useRef, type KeyboardEvent } from "react";
import { useStored } from "../../../browser/stored-value.ts";
import { IconButton } from "../../../components/button.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";
import { FileList } from "./file-list.tsx";
import { FileTree } from "./file-tree.tsx";
import { MirrorNotice } from "./mirror-notice.tsx";
import { KeptNotice } from "../offline/kept-notice.tsx";
import { TagList } from "./tag-list.tsx";
import { UploadList } from "./upload-list.tsx";
import { UnsavedDrafts } from "../session/unsaved-drafts.tsx";
import { VaultEmpty } from "./vault-empty.tsx";
import type { FilesPaneProps } from "./files-pane-props.ts";

/** How the files are listed, as stored in this browser. */
export const FILES_VIEW_KEY = "documents.view";

/** The files: as a tree, by last change, by tag, or as search results. */
export function FilesPane(props: FilesPaneProps) {
  const { vault, query, onQuery: setQuery } = props;
  const [stored, setStored] = useStored(FILES_VIEW_KEY);
  const searchRef = useRef<HTMLInputElement>(null);
  const paneRef = useRef<HTMLDivElement>(null);
  useShortcut("find", () => searchRef.current?.focus());

  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      setQuery("");
      searchRef.current?.blur();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      const [first] = paneRef.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
      if (event.key === "ArrowDown") first?.focus();
      else first?.click();
    }
  };
  const view = stored === "recent" || stored === "tags" ? stored : "tree";
  return (
    <div ref={paneRef} className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-border p-2">
        <div className="relative min-w-0 flex-1">
          <Search aria-hidden size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <input
            ref={searchRef}
            type="text"
            aria-label="Search the documents"
            placeholder="Search, or #tag"
            value={query}
            className="h-(--control-height-small) w-full rounded-control border border-control bg-surface pr-7 pl-8 text-strong"
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={onSearchKey}
          />
          {query !== "" && (
            <IconButton
              size="small"
              label="Clear the search"
              className="absolute top-0 right-0"
              icon={<X size={14} />}
              onClick={() => setQuery("")}
            />
          )}
        </div>
        <Segmented
          label="How files are listed"
          value={view}
          options={[
            { value: "tree", label: "Folders", icon: <FolderTree aria-hidden size={16} /> },
            { value: "recent", label: "Most recent first", icon: <Clock aria-hidden size={16} /> },
            { value: "tags", label: "Tags", icon: <Hash aria-hidden size={16} /> },
          ]}
          onChange={setStored}
        />
      </div>
      <MirrorNotice />
      <KeptNotice />
      <UnsavedDrafts documents={vault.documents} openId={props.openId} onOpen={props.onOpen} />
      <PaneBody {...props} view={view} words={query.trim()} onPickTag={(tag) => setQuery(`#${tag}`)} />
      <UploadList />
    </div>
  );
}

interface PaneBodyProps extends FilesPaneProps {
  readonly view: "tree" | "recent" | "tags";
  readonly words: string;
  readonly onPickTag: (tag: string) => void;
}

function PaneBody({ view, words, onPickTag, ...props }: PaneBodyProps) {
  const { vault, onNewNote } = props;
  if (vault.error !== null) {
    return <ErrorState title="The documents could not be loaded" error={vault.error} onRetry={vault.retry} />;
  }
  if (vault.isLoading) return <SkeletonRows />;
  if (words !== "") return <FileList key="search" {...props} query={words} />;
  const isEmpty = vault.documents.length === 0 && vault.folders.length === 0;
  if (isEmpty && !vault.isComplete) return <SkeletonRows />;
  if (isEmpty) return <VaultEmpty onNewNote={onNewNote} />;
  if (view === "tags") return <TagList vault={vault} onPick={onPickTag} />;
  if (view === "tree") return <FileTree {...props} />;
  if (vault.documents.length > 0) return <FileList key="recent" {...props} query="" />;
  return (
    <EmptyState icon={<Clock size={20} />} title="No files yet">
      Notes and files appear here when they change, most recent first.
    </EmptyState>
  );
}
