import { useMemo } from "react";
import { parseStored, readStored, useStored, writeStored } from "../../../browser/stored-value.ts";
import { foldersAbove } from "../vault/vault-path.ts";

const KEY = "documents.open-folders";

/** The expanded folders of the tree, stored in this browser. */
export function useOpenFolders(): ReadonlySet<string> {
  const [stored] = useStored(KEY);
  return useMemo(() => new Set(parseStored(stored, toPaths)), [stored]);
}

export function setFolderOpen(path: string, isOpen: boolean): void {
  const paths = readOpenFolders().filter((other) => other !== path);
  writeStored(KEY, JSON.stringify(isOpen ? [...paths, path] : paths));
}

/** Expands all folders above a path. */
export function revealPath(path: string): void {
  const known = readOpenFolders();
  const missing = foldersAbove(path).filter((folder) => !known.includes(folder));
  if (missing.length > 0) writeStored(KEY, JSON.stringify([...known, ...missing]));
}

function readOpenFolders(): readonly string[] {
  return parseStored(readStored(KEY), toPaths);
}

function toPaths(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
