import { isUtf8 } from "node:buffer";
import type { Entry } from "yauzl";
import { DomainError } from "../../platform/errors.ts";
import { parseVaultPath } from "../vault/vault-path.ts";

/** What other programs leave in archives and folders, and nobody wants as a note. */
const LITTER = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)(?:\/|$)/i;
const HIDDEN = /(?:^|\/)\.[^/]/;
const CONTROL_CHARACTERS = /\p{Cc}/gu;
const SETTINGS = /(?:^|\/)\.obsidian\//;

/**
 * The path of an entry, and why it is not imported if it is not: it may lead nowhere but below the folder into which everything is
 * imported. Letters are composed, since archives from macOS have them decomposed.
 */
export function entryPath(entry: Pick<Entry, "fileNameRaw">): { path: string; reason: string | null } {
  const name = decodeName(entry.fileNameRaw);
  const path = name.normalize("NFC").replaceAll(CONTROL_CHARACTERS, " ");
  return { path, reason: reasonAgainst(path) };
}

function reasonAgainst(path: string): string | null {
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.includes("\\")) return "has a path outside of the archive";
  if (path.split("/").includes("..")) return "has a path outside of the archive";
  if (SETTINGS.test(path)) return "belongs to the settings of Obsidian";
  if (LITTER.test(path)) return "belongs to the system of a computer";
  if (HIDDEN.test(path)) return "is hidden: its name begins with a dot";
  try {
    parseVaultPath(path);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** Names are UTF-8, whether the archive says so or not; those of old programs get a readable form. */
function decodeName(bytes: Uint8Array): string {
  const decoder = new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252");
  return decoder.decode(bytes).replaceAll("\0", " ");
}
