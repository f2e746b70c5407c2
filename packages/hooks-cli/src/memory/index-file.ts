import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../delivery/api-call.ts";
import { getProjectMemories } from "../delivery/workspace-api.ts";
import { ensurePrivateDir, readIfExists, statIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { findRoot } from "../project/project.ts";
import { storeFileNames } from "./file-names.ts";
import { indexWords, plainIdentifier } from "./index-words.ts";
import type { Memory } from "./memory.ts";
import { LocalIndex, createIndex } from "./local-index.ts";

/** A project by its identity, and the folder that a session works in. */
export interface IndexedProject {
  readonly identity: string;
  readonly directory: string;
}

const MAX_MEMORIES = 2_000;

export function indexFile({ indexes }: Home, identity: string): string {
  return join(indexes, `${nameHash(identity)}.txt`);
}

/** What the memories of the project rest on. */
export function citationFile(home: Home, identity: string): string {
  return indexFile(home, identity).replace(/txt$/, "json");
}

/** The folder with an empty file for the name of each file that a project's memories mention. */
export function namesFolder({ fileNames }: Home, identity: string): string {
  return join(fileNames, nameHash(identity));
}

/** How long ago a project's index was made; infinite if never. */
export function indexAgeMs(home: Home, identity: string, nowMs: number): number {
  const status = statIfExists(indexFile(home, identity));
  return status === undefined ? Infinity : Math.abs(nowMs - status.mtimeMs);
}

/** The index of a project; undefined if there is none that can be read. */
export function readIndex(home: Home, identity: string): LocalIndex | undefined {
  try {
    const bytes = readIfExists(indexFile(home, identity));
    return bytes && LocalIndex.parse(bytes, identity);
  } catch {
    return undefined;
  }
}

/** Makes the index of what the server remembers about a project. Returns the problem; undefined if there is none. */
export async function refreshIndex(
  home: Home,
  connection: Connection,
  project: IndexedProject,
  deadlineMs: number,
): Promise<string | undefined> {
  const result = await getProjectMemories(connection, project, MAX_MEMORIES, deadlineMs);
  if (result.kind !== "ok") return result.message;
  storeIndex(home, project.identity, result.value);
  storeNames(home, project, result.value);
  return undefined;
}

export function storeIndex(home: Home, identity: string, memories: readonly Memory[]): void {
  ensurePrivateDir(home.indexes);
  writeFileAtomic(indexFile(home, identity), createIndex(identity, memories));
}

/**
 * Stores the names of all files that a memory may be given for: those at the end of a path, and those in the project's root, of
 * which a memory may mention just the name.
 */
function storeNames(home: Home, { identity, directory }: IndexedProject, memories: readonly Memory[]): void {
  const terms = new Set(memories.flatMap(({ content }) => indexWords(content).map(({ term }) => term)));
  const ends = [...terms].filter((term) => term.includes("/")).map((term) => term.slice(term.lastIndexOf("/") + 1));
  const index = readIndex(home, identity);
  const inRoot = [findRoot(directory), directory].flatMap(namesIn).filter((name) => index?.find(name).length !== 0);
  storeFileNames(namesFolder(home, identity), [...ends, ...inRoot]);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).map(plainIdentifier);
  } catch {
    return [];
  }
}

/** A hash for a file's name (FNV-1a, twice): loading `node:crypto` would take longer than the search. */
function nameHash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x1000193];
  for (let index = 0; index < text.length; index += 1) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
  }
  return [one, other].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
