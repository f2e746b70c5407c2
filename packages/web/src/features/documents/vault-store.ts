import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { queryClient } from "../../api/query-client.ts";
import { trpcClient, type Outputs } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import { documentCollection, documentsQuery } from "./document-collection.ts";
import type { Document } from "./document.ts";
import { applyChanges, type VaultChange, type VaultContent } from "./vault-changes.ts";
import { isWithin, rebase } from "./vault-path.ts";
import { buildTree, type VaultTree } from "./vault-tree.ts";
import { indexForLinks, type LinkIndex } from "./wiki-links.ts";

type FileEntry = Outputs["fs"]["list"]["data"][number];

const FOLDERS_STALE_AFTER_MS = 60_000;

/** The paths of all folders, which documents alone do not tell: a folder may be empty. */
const foldersQuery = queryOptions({
  queryKey: ["documents", "folders"],
  queryFn: async ({ signal }) => {
    const { data } = await trpcClient.fs.list.query({ recursive: "true" }, { signal });
    return folderPaths(data);
  },
  staleTime: FOLDERS_STALE_AFTER_MS,
});

let changes: readonly VaultChange[] = [];
const listeners = new Set<() => void>();

/** Shows a change of the tree at once. Answers how it ends: kept, or taken back. */
export function beginChange(change: VaultChange): { confirm(): void; rollback(): void } {
  setChanges([...changes, change]);
  const drop = () => setChanges(changes.filter((other) => other !== change));
  return {
    confirm: () => {
      keepChange(change);
      drop();
    },
    rollback: drop,
  };
}

export interface Vault extends VaultContent {
  readonly tree: VaultTree;
  readonly links: LinkIndex<Document>;
  /** Nothing is known yet. */
  readonly isLoading: boolean;
  /** Everything is known; until then more is being read. */
  readonly isComplete: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All files and folders that are known, kept fresh while anybody looks. */
export function useVault(): Vault {
  const documentsRead = useQuery(documentsQuery);
  const foldersRead = useQuery(foldersQuery);
  const rows = useCollection(documentCollection);
  const pending = useSyncExternalStore(subscribe, getChanges);
  const folders = foldersRead.data;
  const content = useMemo(() => {
    const documents = [...rows.values()].filter((row) => row.deletedAt === null);
    return applyChanges({ documents, folders: folders ?? [] }, pending);
  }, [rows, folders, pending]);
  const tree = useMemo(() => buildTree(content), [content]);
  const links = useMemo(() => indexForLinks(content.documents), [content]);
  const isEmpty = content.documents.length === 0 && content.folders.length === 0;
  return {
    ...content,
    tree,
    links,
    isLoading: (documentsRead.isPending || foldersRead.isPending) && isEmpty,
    isComplete: documentsRead.isSuccess && foldersRead.isSuccess,
    error: isEmpty ? (documentsRead.error ?? foldersRead.error) : null,
    retry: () => void refreshVault(),
  };
}

/** Reads anew what is in the vault, as after an upload. */
export async function refreshVault(): Promise<void> {
  await Promise.all([
    queryClient.refetchQueries({ queryKey: documentsQuery.queryKey }),
    queryClient.refetchQueries({ queryKey: foldersQuery.queryKey }),
  ]);
}

/** The vault as it is shown now, for actions. */
export function currentVault(): VaultContent & { tree: VaultTree } {
  const documents = [...documentCollection.getSnapshot().values()].filter((row) => row.deletedAt === null);
  const folders = queryClient.getQueryData(foldersQuery.queryKey) ?? [];
  const content = applyChanges({ documents, folders }, changes);
  return { ...content, tree: buildTree(content) };
}

/** What the server has accepted becomes what it is known to have. */
function keepChange(change: VaultChange): void {
  queryClient.setQueryData(foldersQuery.queryKey, (folders) =>
    folders === undefined ? undefined : [...applyChanges({ documents: [], folders }, [change]).folders],
  );
  const now = new Date().toISOString();
  switch (change.kind) {
    case "move":
      return keepRows(change.from, (row) => ({ ...row, path: rebase(row.path, change.from, change.to) }));
    case "remove":
      return keepRows(change.path, (row) => ({ ...row, deletedAt: now }));
    case "folder":
      return undefined;
  }
}

function keepRows(path: string, change: (row: Document) => Document): void {
  const rows = [...documentCollection.getSnapshot().values()];
  const changed = rows.filter((row) => row.deletedAt === null && isWithin(row.path, path)).map(change);
  documentCollection.put(changed);
}

function setChanges(next: readonly VaultChange[]): void {
  changes = next;
  listeners.forEach((listener) => listener());
}

function getChanges(): readonly VaultChange[] {
  return changes;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function folderPaths(entries: readonly FileEntry[]): string[] {
  return entries.flatMap(({ type, path, children = [] }) =>
    type === "directory" ? [path.replace(/^\//, ""), ...folderPaths(children)] : [],
  );
}
