import type { Document } from "../document.ts";
import { isWithin, rebase } from "./vault-path.ts";

/** A change of the tree that the server has not confirmed yet. */
export type VaultChange =
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string };

/** The files and folders of the vault. */
export interface VaultContent {
  /** Excludes deleted documents. */
  readonly documents: readonly Document[];
  /** The paths of all known folders, including empty ones. */
  readonly folders: readonly string[];
}

/** Applies changes to the vault, in order. */
export function applyChanges(content: VaultContent, changes: readonly VaultChange[]): VaultContent {
  return changes.reduce(applyChange, content);
}

function applyChange({ documents, folders }: VaultContent, change: VaultChange): VaultContent {
  switch (change.kind) {
    case "move": {
      const { from, to } = change;
      return {
        documents: documents.map((document) =>
          isWithin(document.path, from) ? { ...document, path: rebase(document.path, from, to) } : document,
        ),
        folders: folders.map((folder) => rebase(folder, from, to)),
      };
    }
    case "remove":
      return {
        documents: documents.filter((document) => !isWithin(document.path, change.path)),
        folders: folders.filter((folder) => !isWithin(folder, change.path)),
      };
    case "folder":
      return { documents, folders: folders.includes(change.path) ? folders : [...folders, change.path] };
  }
}

/** Whether two changes concern the same file or folder, or one of them something inside what the other concerns. */
export function concernSameFiles(one: VaultChange, other: VaultChange): boolean {
  return pathsOf(one).some((a) => pathsOf(other).some((b) => isWithin(a, b) || isWithin(b, a)));
}

function pathsOf(change: VaultChange): readonly string[] {
  return change.kind === "move" ? [change.from, change.to] : [change.path];
}
