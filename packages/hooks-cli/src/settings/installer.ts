import * as fs from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, readTextIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { sha256 } from "../files/sha256.ts";
import { type Harness, installedEvents } from "../harness/harness.ts";
import { PLUGIN_MARK } from "../harness/opencode-plugin.ts";
import {
  type CreatedParts,
  NOTHING_CREATED,
  addEntries,
  findEntries,
  isEmptyDocument,
  removeEntries,
} from "./hook-entries.ts";
import { JsonSyntaxError } from "./json-tree.ts";
import { type LedgerEntry, type Scope, findLedgerEntry, writeLedgerEntry } from "./ledger.ts";
import {
  type SettingsFile,
  SettingsFileError,
  createParents,
  deleteSettingsFile,
  readSettingsFile,
  removeEmptyDirs,
  replaceSettingsFile,
} from "./settings-file.ts";
import type { SettingsTarget } from "./settings-target.ts";

/** A planned change to one settings file. An undefined text means that there is no such file. */
export interface PlannedChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface InstallRequest {
  readonly harness: Harness;
  readonly scope: Scope;
  readonly target: SettingsTarget;
  readonly home: Home;
  readonly now: Date;
}

const MAX_ATTEMPTS = 5;

/** What installing would change. Throws a SettingsFileError for a file that must not be touched. */
export function planInstall({ target, home }: InstallRequest): PlannedChange {
  const file = readSettingsFile(target.file);
  return { before: file.text, after: installedText(file, target, findLedgerEntry(home.ledger, target.file)).after };
}

/** Adds our entries to a settings file, replacing older ones of ours. Idempotent. */
export function install(request: InstallRequest): PlannedChange {
  const { target, home } = request;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const file = readSettingsFile(target.file);
    const known = findLedgerEntry(home.ledger, target.file);
    const { original, after, created } = installedText(file, target, known);
    const createdDirs = [...(known?.createdDirs ?? []), ...createParents(file.target)];
    const backup = original === undefined ? null : saveBackup(home, target.file, original);
    // The ledger is written first: after a crash it may record a change that was not made, but never miss one.
    writeLedgerEntry(home.ledger, target.file, entryOf(request, { original, after, created, createdDirs, backup }));
    if (file.text === after || replaceSettingsFile(file, after)) {
      if (known?.backup !== backup) removeBackup(known);
      return { before: file.text, after };
    }
  }
  throw new SettingsFileError(`${target.file} keeps changing; nothing has been written.`);
}

/** What uninstalling would change. */
export function planUninstall({ target, home }: InstallRequest): PlannedChange {
  const file = readSettingsFile(target.file);
  return { before: file.text, after: originalText(file, target, findLedgerEntry(home.ledger, target.file)) };
}

/** Removes our entries. Restores the exact original bytes if nobody has changed the file since. */
export function uninstall({ target, home }: InstallRequest): PlannedChange {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const file = readSettingsFile(target.file);
    const known = findLedgerEntry(home.ledger, target.file);
    const after = originalText(file, target, known);
    const isDone =
      file.text === after || (after === undefined ? deleteSettingsFile(file) : replaceSettingsFile(file, after));
    if (!isDone) continue;
    if (after === undefined) removeEmptyDirs(known?.createdDirs ?? []);
    if (known !== undefined) writeLedgerEntry(home.ledger, target.file, undefined);
    removeBackup(known);
    return { before: file.text, after };
  }
  throw new SettingsFileError(`${target.file} keeps changing; nothing has been written.`);
}

/** Which of the events that should call us do not, or with fewer hooks than there should be: entries are gone, or of an older version. */
export function missingEvents(target: SettingsTarget, harness: Harness): readonly string[] {
  const { text } = readSettingsFile(target.file);
  if (target.kind === "plugin")
    return text?.startsWith(PLUGIN_MARK) === true ? [] : installedEvents(harness).map(({ name }) => name);
  const found = text === undefined ? [] : rejectMalformed(target.file, () => findEntries(text, target.plan.dialect));
  const count = (entries: readonly { readonly event: string }[], name: string): number =>
    entries.filter(({ event }) => event === name).length;
  return installedEvents(harness)
    .map(({ name }) => name)
    .filter((name) => count(found, name) < count(target.plan.entries, name));
}

interface InstalledText {
  /** The file as it would be without us. */
  readonly original: string | undefined;
  readonly after: string;
  readonly created: CreatedParts;
}

function installedText(file: SettingsFile, target: SettingsTarget, known: LedgerEntry | undefined): InstalledText {
  const original = originalText(file, target, known);
  if (target.kind === "plugin") return { original, after: target.source, created: NOTHING_CREATED };
  return rejectMalformed(target.file, () => {
    const { text, created } = addEntries(original ?? "", target.plan);
    return { original, after: text, created };
  });
}

function originalText(file: SettingsFile, target: SettingsTarget, known: LedgerEntry | undefined): string | undefined {
  const { text } = file;
  if (text === undefined) return undefined;
  const hash = sha256(text);
  if (known !== undefined && hash === known.hashBefore) return text;
  if (known !== undefined && hash === known.hashAfter) {
    const backup = known.backup === null ? undefined : readTextIfExists(known.backup);
    if (known.hashBefore === null) return undefined;
    if (backup !== undefined && sha256(backup) === known.hashBefore) return backup;
  }
  if (target.kind === "plugin") return originalPlugin(text, target.file);
  const { dialect } = target.plan;
  return rejectMalformed(target.file, () => {
    const without = removeEntries(text, dialect, known?.created);
    const isOurs = known?.hashBefore === null && isEmptyDocument(without, dialect, known.created);
    return isOurs ? undefined : without;
  });
}

function originalPlugin(text: string, file: string): undefined {
  if (text.startsWith(PLUGIN_MARK)) return undefined;
  throw new SettingsFileError(`${file} is not ours; it was left unchanged.`);
}

function rejectMalformed<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new SettingsFileError(`${file}, ${error.message}. It was left unchanged.`, { cause: error });
    throw error;
  }
}

interface LedgerFacts extends InstalledText {
  readonly createdDirs: readonly string[];
  readonly backup: string | null;
}

function entryOf({ harness, scope, target, now }: InstallRequest, facts: LedgerFacts): LedgerEntry {
  const commands =
    target.kind === "plugin" ? [] : findEntries(facts.after, target.plan.dialect).map(({ command }) => command);
  return {
    harness: harness.id,
    scope,
    file: target.file,
    hashBefore: facts.original === undefined ? null : sha256(facts.original),
    hashAfter: sha256(facts.after),
    backup: facts.backup,
    created: facts.created,
    createdDirs: facts.createdDirs,
    commands,
    installedAt: now.toISOString(),
  };
}

function saveBackup(home: Home, file: string, text: string): string {
  ensurePrivateDir(home.backups);
  const path = join(home.backups, `${sha256(file).slice(0, 16)}-${sha256(text).slice(0, 16)}.bak`);
  if (readTextIfExists(path) !== text) writeFileAtomic(path, text, { isDurable: true });
  return path;
}

function removeBackup(known: LedgerEntry | undefined): void {
  if (known !== undefined && known.backup !== null) fs.rmSync(known.backup, { force: true });
}
