import { sha256 } from "./sha256.ts";

/**
 * A valid name for a file that belongs to something which others named: readable if possible, since hashing takes longer than
 * everything else that a hook does with it.
 */
export function fileNameFor(text: string): string {
  const name = encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E");
  return name.length <= 180 && !/^(?:[\da-f]{64})?$/.test(name) ? name : sha256(text);
}

/** The same for a session. Some disks do not tell capital letters from small ones, so that these are marked. */
export function sessionFileName(id: string): string {
  return fileNameFor(id.replaceAll(/[A-Z^]/g, (character) => `^${character.toLowerCase()}`));
}
