import { compareNames } from "../../../lib/compare-names.ts";
import type { Document } from "../document.ts";
import { childOf, nameOf, parentOf, VAULT_ROOT } from "./vault-path.ts";
import type { VaultContent } from "./vault-changes.ts";

/** A folder's direct contents, in display order. */
interface Folder {
  readonly folders: string[];
  readonly documents: Document[];
}

/** The folders of the vault by path. */
export type VaultTree = ReadonlyMap<string, Folder>;

/** One visible row of the tree. */
export type TreeRow = FolderRow | FileRow;

interface RowPosition {
  /** The id of a document, the path of a folder. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** 1 for entries at the top of the vault. */
  readonly level: number;
  /** The row's position among its siblings, from 1; `siblings` is their number. */
  readonly position: number;
  readonly siblings: number;
}

export interface FolderRow extends RowPosition {
  readonly kind: "folder";
  readonly isOpen: boolean;
}

export interface FileRow extends RowPosition {
  readonly kind: "file";
  readonly document: Document;
}

export function buildTree({ documents, folders }: VaultContent): VaultTree {
  const tree = new Map<string, Folder>([[VAULT_ROOT, { folders: [], documents: [] }]]);
  const addFolder = (path: string): Folder => {
    const known = tree.get(path);
    if (known !== undefined) return known;
    const folder: Folder = { folders: [], documents: [] };
    tree.set(path, folder);
    addFolder(parentOf(path)).folders.push(path);
    return folder;
  };
  folders.forEach(addFolder);
  for (const document of documents) addFolder(parentOf(document.path)).documents.push(document);
  for (const folder of tree.values()) {
    folder.folders.sort((a, b) => compareNames(nameOf(a), nameOf(b)));
    folder.documents.sort((a, b) => compareNames(nameOf(a.path), nameOf(b.path)));
  }
  return tree;
}

/** The visible rows: the contents of all open folders, folders first. */
export function flattenTree(tree: VaultTree, openFolders: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (path: string, level: number) => {
    const folder = tree.get(path);
    if (folder === undefined) return;
    const siblings = folder.folders.length + folder.documents.length;
    let position = 0;
    for (const child of folder.folders) {
      const isOpen = openFolders.has(child);
      const place = { level, position: ++position, siblings };
      rows.push({ kind: "folder", id: child, path: child, name: nameOf(child), ...place, isOpen });
      if (isOpen) visit(child, level + 1);
    }
    for (const document of folder.documents) {
      const { id, path: file } = document;
      rows.push({ kind: "file", id, path: file, name: nameOf(file), level, position: ++position, siblings, document });
    }
  };
  visit(VAULT_ROOT, 1);
  return rows;
}

/** Whether a file or folder has this name, ignoring case: some file systems are case-insensitive. */
export function isNameTaken(tree: VaultTree, folder: string, name: string): boolean {
  const content = tree.get(folder);
  if (content === undefined) return false;
  const wanted = childOf(folder, name).toLowerCase();
  return (
    content.folders.some((path) => path.toLowerCase() === wanted) ||
    content.documents.some(({ path }) => path.toLowerCase() === wanted)
  );
}
