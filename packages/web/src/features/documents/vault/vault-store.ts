import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Outputs } from "../../../api/api.ts";
import { useCollection } from "../../../api/use-collection.ts";
import { useClient } from "../../../client/use-client.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { Listeners } from "../../../client/listeners.ts";
import { Store, useStore } from "../../../client/store.ts";
import { documentCollection, documentsQuery } from "../document-collection.ts";
import type { KeptChange } from "../../outbox/kept-change.ts";
import { outbox, useKeptChanges } from "../../outbox/outbox.ts";
import type { Document } from "../document.ts";
import { unsentFolders } from "../new-notes/unsent-folders.ts";
import { applyChanges, type VaultChange, type VaultContent } from "./vault-changes.ts";
import { childOf, freeName, isWithin, nameOf, parentOf, rebase } from "./vault-path.ts";
import { buildTree, isNameTaken, type VaultTree } from "./vault-tree.ts";
import { buildLinkIndex, type LinkIndex } from "../links/wiki-links.ts";

type FileEntry = Outputs["fs"]["list"]["data"][number];

const FOLDERS_STALE_AFTER_MS = 60_000;

/** The paths of all folders. They cannot be derived from the documents alone, since a folder may be empty. */
export function foldersQuery(client: Client) {
  return queryOptions({
    queryKey: ["documents", "folders"],
    queryFn: async ({ signal }) => {
      const { data } = await client.api.fs.list.query({ recursive: "true", type: "directory" }, { signal });
      return folderPaths(data);
    },
    staleTime: FOLDERS_STALE_AFTER_MS,
  });
}

/** Reads the paths of all folders from the server. */
export function readFolders(client: Client): Promise<string[]> {
  return client.queries.fetchQuery({ ...foldersQuery(client), staleTime: 0 });
}

/** Changes that the server has not confirmed yet. */
const pendingChanges = clientPart(() => new Store<readonly VaultChange[]>([]));

/** Moves and renames made here, as soon as they are shown, for whatever refers to files or folders by path. */
export const vaultMoves = clientPart(() => new Listeners<{ readonly from: string; readonly to: string }>());

interface ShownVaultChange {
  confirm(): void;
  /** It is kept until the server responds, and shown from there. */
  keep(): void;
  rollback(): void;
}

/** Shows a change of the tree immediately, until it is confirmed or rolled back. */
export function beginChange(client: Client, change: VaultChange): ShownVaultChange {
  const changes = pendingChanges(client);
  changes.set([...changes.get(), change]);
  if (change.kind === "move") vaultMoves(client).emit(change);
  const drop = () => changes.set(changes.get().filter((other) => other !== change));
  return {
    confirm: () => {
      applyToCache(client, change);
      drop();
    },
    keep: drop,
    rollback: () => {
      drop();
      if (change.kind === "move") vaultMoves(client).emit({ from: change.to, to: change.from });
    },
  };
}

export interface Vault extends VaultContent {
  readonly tree: VaultTree;
  readonly links: LinkIndex<Document>;
  /** No data has been loaded yet. */
  readonly isLoading: boolean;
  /** Everything has been loaded; until then more is on its way. */
  readonly isComplete: boolean;
  /** Why loading failed; null while there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All loaded files and folders, kept up to date while mounted. */
export function useVault(): Vault {
  const client = useClient();
  const documentsRead = useQuery(documentsQuery(client));
  const foldersRead = useQuery(foldersQuery(client));
  const rows = useCollection(documentCollection(client));
  const pending = useStore(pendingChanges(client));
  const kept = useKeptChanges();
  const folders = foldersRead.data;
  const content = useMemo(() => {
    const documents = [...rows.values()].filter((row) => row.deletedAt === null);
    return applyChanges({ documents, folders: folders ?? [] }, [...unsentAsChanges(kept), ...pending]);
  }, [rows, folders, kept, pending]);
  const tree = useMemo(() => buildTree(content), [content]);
  const links = useMemo(
    () => buildLinkIndex(content.documents, formerPlaces(content.documents, kept)),
    [content, kept],
  );
  const isEmpty = content.documents.length === 0 && content.folders.length === 0;
  return {
    ...content,
    tree,
    links,
    isLoading: (documentsRead.isPending || foldersRead.isPending) && isEmpty,
    isComplete: documentsRead.data !== undefined && foldersRead.data !== undefined,
    error: isEmpty ? (documentsRead.error ?? foldersRead.error) : null,
    retry: () => void refreshVault(client),
  };
}

/** Refetches the contents of the vault, for example after an upload. */
export async function refreshVault(client: Client): Promise<void> {
  await Promise.all([
    client.queries.refetchQueries({ queryKey: documentsQuery(client).queryKey }),
    client.queries.refetchQueries({ queryKey: foldersQuery(client).queryKey }),
  ]);
}

/** The vault as currently shown, for actions. */
export function currentVault(client: Client): VaultContent & { tree: VaultTree } {
  const documents = [...documentCollection(client).getSnapshot().values()].filter((row) => row.deletedAt === null);
  const folders = client.queries.getQueryData(foldersQuery(client).queryKey) ?? [];
  const changes = [...unsentAsChanges(outbox(client).changes.get()), ...pendingChanges(client).get()];
  const content = applyChanges({ documents, folders }, changes);
  return { ...content, tree: buildTree(content) };
}

/** Loads what is at which path, unless that is known. A failure leaves it unknown. */
export async function loadPaths(client: Client): Promise<void> {
  await Promise.allSettled([
    client.queries.ensureQueryData(documentsQuery(client)),
    client.queries.ensureQueryData(foldersQuery(client)),
  ]);
}

/** A path beside this one that nothing is known to have. */
export function freePathBeside(client: Client, path: string): string {
  const { tree } = currentVault(client);
  const folder = parentOf(path);
  const isTaken = (name: string) => childOf(folder, name) === path || isNameTaken(tree, folder, name);
  return childOf(folder, freeName(nameOf(path), isTaken));
}

/** The folders that are still to be created, as changes of the tree. */
function unsentAsChanges(kept: readonly KeptChange[]): VaultChange[] {
  return unsentFolders(kept).map(({ change }) => ({ kind: "folder", path: change.path }));
}

/** Where the documents that are still to be moved on the server were before. */
function formerPlaces(documents: readonly Document[], kept: readonly KeptChange[]) {
  return kept.flatMap(({ rowId, change }) => {
    const file = change.kind === "move-document" ? documents.find(({ id }) => id === rowId) : undefined;
    if (change.kind !== "move-document" || file === undefined) return [];
    return change.formerPaths.filter((path) => path !== file.path).map((path) => ({ path, file }));
  });
}

/** Whether the server is known to have a file or folder at a path. */
export function isOnServer(client: Client, path: string): boolean {
  const folders = client.queries.getQueryData(foldersQuery(client).queryKey) ?? [];
  const rows = [...documentCollection(client).stored.values()];
  return folders.includes(path) || rows.some((row) => row.deletedAt === null && isWithin(row.path, path));
}

/** Records a change that the server has accepted. */
export function applyToCache(client: Client, change: VaultChange): void {
  client.queries.setQueryData(foldersQuery(client).queryKey, (folders) =>
    folders === undefined ? undefined : [...applyChanges({ documents: [], folders }, [change]).folders],
  );
  const now = new Date().toISOString();
  switch (change.kind) {
    case "move":
      return updateCachedRows(client, change.from, (row) => ({
        ...row,
        path: rebase(row.path, change.from, change.to),
      }));
    case "remove":
      return updateCachedRows(client, change.path, (row) => ({ ...row, deletedAt: now }));
    case "folder":
      return undefined;
  }
}

function updateCachedRows(client: Client, path: string, change: (row: Document) => Document): void {
  const rows = [...documentCollection(client).stored.values()];
  const changed = rows.filter((row) => row.deletedAt === null && isWithin(row.path, path)).map(change);
  documentCollection(client).put(changed);
}

function folderPaths(entries: readonly FileEntry[]): string[] {
  return entries.flatMap(({ path, children = [] }) => [path.replace(/^\//, ""), ...folderPaths(children)]);
}
