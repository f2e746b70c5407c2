import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, hasCode, temporaryPathFor, tryStat } from "../files/atomic-file.ts";

/**
 * The characters of names that a shell looks for in the folder, besides letters: all others say more than themselves in JSON, in a
 * place such as `main.ts:12`, or in a comparison without regard to capitals.
 */
export const PLAIN_CHARACTERS = "0123456789._+@()[]$=~,%#& -";

/** Longer paths are not compared as a whole. */
const MAX_PLAIN_LENGTH = 200;

/**
 * Makes a folder hold an empty file for each of these names in small letters, as far as all of their characters are plain, and
 * nothing else. A folder that is there has all names from the beginning.
 */
export function storeFileNames(folder: string, names: readonly string[]): void {
  const wanted = new Set(names.filter(isPlain));
  if (tryStat(folder) === undefined) createFolder(folder, wanted);
  const present = new Set(readdirSync(folder));
  addFiles(
    folder,
    [...wanted].filter((name) => !present.has(name)),
  );
  for (const name of present) if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
  // What has not been stored for long is removed.
  const now = Date.now() / 1_000;
  utimesSync(folder, now, now);
}

function createFolder(folder: string, names: Iterable<string>): void {
  ensurePrivateDir(dirname(folder));
  const unfinished = temporaryPathFor(folder);
  try {
    ensurePrivateDir(unfinished);
    addFiles(unfinished, names);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST")) throw error;
  }
}

function addFiles(folder: string, names: Iterable<string>): void {
  for (const name of names) writeFileSync(join(folder, name), "", { mode: 0o600 });
}

function isPlain(name: string): boolean {
  const isLetterOrPlain = (character: string): boolean =>
    /[a-z]/.test(character) || PLAIN_CHARACTERS.includes(character);
  return name.length <= MAX_PLAIN_LENGTH && !/^\.{0,2}$/.test(name) && Array.from(name).every(isLetterOrPlain);
}
