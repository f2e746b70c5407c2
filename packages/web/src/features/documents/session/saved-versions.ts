import { SAVED_VERSIONS_KEY } from "../../../browser/session-values.ts";
import { parseStored, readStored, writeStored } from "../../../browser/stored-value.ts";
import { hasEdits, isVersion, type TextVersion } from "./text-version.ts";

/** No page of this browser is further behind the others than that. */
const MAX_AGE_MS = 10 * 60 * 1_000;
const MAX_DOCUMENTS = 20;

interface SavedVersion {
  readonly id: string;
  readonly hash: string;
  readonly version: TextVersion;
  readonly savedAt: number;
}

/**
 * Records which edits of this browser's pages a text includes that was saved. A page that opens it next then knows that it has them
 * already, when another page, which has not heard of it yet, still shows an older text.
 */
export function recordSavedVersion(id: string, hash: string, version: TextVersion): void {
  const all = readAll();
  if (!hasEdits(version) || all.some((saved) => saved.id === id && saved.hash === hash)) return;
  const others = all.filter((saved) => saved.id !== id).slice(1 - MAX_DOCUMENTS);
  writeStored(SAVED_VERSIONS_KEY, JSON.stringify([...others, { id, hash, version, savedAt: Date.now() }]));
}

/** Which edits a text of the server includes, as far as is known. */
export function savedVersionOf(id: string, hash: string): TextVersion {
  const since = Date.now() - MAX_AGE_MS;
  const isIt = (saved: SavedVersion) => saved.id === id && saved.hash === hash && saved.savedAt > since;
  return readAll().find(isIt)?.version ?? {};
}

function readAll(): readonly SavedVersion[] {
  return parseStored(readStored(SAVED_VERSIONS_KEY), (value) =>
    Array.isArray(value) ? value.filter(isSavedVersion) : [],
  );
}

function isSavedVersion(value: unknown): value is SavedVersion {
  if (typeof value !== "object" || value === null) return false;
  if (!("id" in value) || !("hash" in value) || !("version" in value) || !("savedAt" in value)) return false;
  const { id, hash, version, savedAt } = value;
  return typeof id === "string" && typeof hash === "string" && typeof savedAt === "number" && isVersion(version);
}
