import { SearchX } from "lucide-react";
import { useMemo } from "react";
import { EmptyState, ErrorState } from "../../../components/states.tsx";
import type { DocumentHit } from "../document.ts";
import { ListRowView } from "./file-row.tsx";
import type { FilesPaneProps } from "./files-pane-props.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { isTagWithin, tagsOf } from "../properties/tag-form.ts";
import { useDocumentSearch } from "../use-document-search.ts";
import { useFileRows } from "./use-file-rows.ts";
import { parentOf } from "../vault/vault-path.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 52;
const TOUCH_ROW_PX = 60;

/** Files in a flat list: search results, best first, or all files, most recently changed first. */
export function FileList(props: FilesPaneProps) {
  const { query, vault, openId, onOpen } = props;
  const tag = query.startsWith("#") ? query.slice(1) : "";
  const recent = useMemo(
    (): DocumentHit[] =>
      vault.documents
        .filter((document) => tag === "" || tagsOf(document).some((other) => isTagWithin(other, tag)))
        .map((document) => ({ ...document, excerpt: null }))
        .toSorted((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1)),
    [vault.documents, tag],
  );
  const search = useDocumentSearch(tag === "" ? query : "", vault.documents);
  const files = query === "" || tag !== "" ? recent : search.hits;
  const { cursor, drop, actions, isTouch, stateOf } = useFileRows(props, {
    rows: files,
    isTree: false,
    folderAt: () => null,
    folderFor: parentOf,
    activate: (path) => {
      const file = files.find((other) => other.path === path);
      if (file !== undefined) onOpen(file.id);
    },
  });

  if (query !== "" && tag === "" && search.error !== null && files.length === 0) {
    return <ErrorState title="The search failed" error={search.error} onRetry={search.retry} />;
  }
  if (files.length === 0) return search.isSearching ? null : <NothingFound query={query} isOfKept={search.isOfKept} />;
  return (
    <>
      <VirtualRows
        label={query === "" ? "Files, most recent first" : "Search results"}
        rows={files}
        rowPx={isTouch ? TOUCH_ROW_PX : ROW_PX}
        cursor={cursor.cursor}
        focusRequest={cursor.focusRequest}
        openId={openId}
        isComplete={vault.isComplete}
        drop={drop}
        renderRow={(index) => {
          const file = files[index];
          if (file === undefined) return null;
          const state = stateOf(file, file);
          return <ListRowView document={file} excerpt={file.excerpt} actions={actions} {...state} />;
        }}
      />
      <SelectionBar cursor={cursor} />
    </>
  );
}

function NothingFound({ query, isOfKept }: { readonly query: string; readonly isOfKept: boolean }) {
  const where = isOfKept ? "its name, or in its text as far as that is kept on this device" : "its name or text";
  return (
    <EmptyState icon={<SearchX size={20} />} title="Nothing found">
      {query.startsWith("#") ? `No file has the tag ${query}.` : `No file has “${query}” in ${where}.`}
    </EmptyState>
  );
}
