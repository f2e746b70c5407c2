import { useMemo } from "react";
import { OPEN_FOLDERS_KEY } from "../../../browser/session-values.ts";
import { parseStored, readStored, useStored, writeStored } from "../../../browser/stored-value.ts";
import { foldersAbove } from "../vault/vault-path.ts";

/** The expanded folders of the tree, stored in this browser. */
export function useOpenFolders(): ReadonlySet<string> {
  const [stored] = useStored(OPEN_FOLDERS_KEY);
  return useMemo(() => new Set(parseStored(stored, toPaths)), [stored]);
}

export function setFolderOpen(path: string, isOpen: boolean): void {
  const paths = readOpenFolders().filter((other) => other !== path);
  writeStored(OPEN_FOLDERS_KEY, JSON.stringify(isOpen ? [...paths, path] : paths));
}

/** Expands all folders above a path. */
export function revealPath(path: string): void {
  const known = readOpenFolders();
  const missing = foldersAbove(path).filter((folder) => !known.includes(folder));
  if (missing.length > 0) writeStored(OPEN_FOLDERS_KEY, JSON.stringify([...known, ...missing]));
}

function readOpenFolders(): readonly string[] {
  return parseStored(readStored(OPEN_FOLDERS_KEY), toPaths);
}

function toPaths(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
