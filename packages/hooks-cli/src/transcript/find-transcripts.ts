import * as fs from "node:fs";
import { basename, join } from "node:path";
import { tryStat } from "../files/atomic-file.ts";

/** A file in which an assistant recorded a session. */
export interface Transcript {
  readonly path: string;
  readonly size: number;
  readonly modifiedAtMs: number;
  /** A subagent's transcript belongs to the session that started it. */
  readonly sessionId: string;
  readonly isSubagent: boolean;
}

/** The transcripts in a folder and the folders in it. Links are followed; what cannot be read is left out. */
export function findTranscripts(root: string): readonly Transcript[] {
  return [...namesOfTranscripts(root)].flatMap((name) => {
    const path = join(root, name);
    const status = tryStat(path);
    if (status?.isFile() !== true) return [];
    const parent = /(?<![^/])([^/]+)\/subagents\/[^/]+$/.exec(name)?.[1];
    const { size, mtimeMs: modifiedAtMs } = status;
    const sessionId = parent ?? basename(name, ".jsonl");
    return [{ path, size, modifiedAtMs, sessionId, isSubagent: parent !== undefined }];
  });
}

/** Follows links to folders, but reads each folder once. Folders that cannot be read are left out. */
function* namesOfTranscripts(root: string, folder = "", known = new Set<string>()): Generator<string> {
  for (const entry of tryReadFolder(join(root, folder), known)) {
    const name = join(folder, entry.name);
    if (entry.name.endsWith(".jsonl")) yield name;
    else if (entry.isDirectory() || entry.isSymbolicLink()) yield* namesOfTranscripts(root, name, known);
  }
}

function tryReadFolder(path: string, known: Set<string>): readonly fs.Dirent[] {
  try {
    const realPath = fs.realpathSync(path);
    if (known.has(realPath)) return [];
    known.add(realPath);
    const entries = fs.readdirSync(realPath, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
