import { readTextIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import type { HarnessId } from "../harness/harness.ts";
import { isRecord, parseJson } from "../json/json-value.ts";
import type { CreatedParts } from "./hook-entries.ts";

export type Scope = "user" | "project" | "local";

/** What we have written into which file, and what was there before. */
export interface LedgerEntry {
  readonly harness: HarnessId;
  readonly scope: Scope;
  readonly file: string;
  /** Null if the file did not exist. */
  readonly hashBefore: string | null;
  readonly hashAfter: string;
  /** A backup of the original bytes; null if there was no file. */
  readonly backup: string | null;
  readonly created: CreatedParts;
  readonly createdDirs: readonly string[];
  readonly commands: readonly string[];
  readonly installedAt: string;
}

/** Every entry; none if there is no ledger, or an unreadable one: entries are then recognised by their commands. */
export function readLedger(path: string): readonly LedgerEntry[] {
  const value: unknown = parseJson(readTextIfExists(path) ?? "");
  return isLedger(value) ? value.entries : [];
}

/** Only this program writes the file, so it suffices to check that it is complete and one of its files. */
function isLedger(value: unknown): value is { readonly entries: readonly LedgerEntry[] } {
  return isRecord(value) && value["version"] === 1 && Array.isArray(value["entries"]);
}

export function findLedgerEntry(path: string, file: string): LedgerEntry | undefined {
  return readLedger(path).find((entry) => entry.file === file);
}

/** Replaces or adds the entry of a file; `undefined` removes it. */
export function writeLedgerEntry(path: string, file: string, entry: LedgerEntry | undefined): void {
  const others = readLedger(path).filter((other) => other.file !== file);
  const entries = entry === undefined ? others : [...others, entry];
  writeFileAtomic(path, `${JSON.stringify({ version: 1, entries }, undefined, 2)}\n`, { isDurable: true });
}
