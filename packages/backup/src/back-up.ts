import { randomBytes } from "node:crypto";
import { isInStore, type S3Access } from "@workspace/object-store";
import type { ClientConfig } from "pg";
import { createContentReader } from "./content-reader.ts";
import { createContentWriter, type ContentWriter } from "./content-writer.ts";
import { readDatabase } from "./database/read-database.ts";
import { readFileList, writeFileList } from "./file-list.ts";
import { recordLastBackup } from "./known-place.ts";
import {
  countRows,
  type BackedUpFile,
  type BackedUpTable,
  type Disagreement,
  type Manifest,
  type Part,
} from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";
import { sortNewestFirst } from "./retention.ts";
import { findShrinkage, listSpared, type Shrinkage } from "./shrinkage.ts";
import { isMissing } from "./vault/list-folder.ts";
import { createFolderSource } from "./vault/folder-source.ts";
import { openStoredVault } from "./vault/stored-vault.ts";
import { readFileInto } from "./vault/read-file.ts";
import { readVault, SERVICE_FOLDER, type ReadVaultOptions } from "./vault/read-vault.ts";
import { identifyWorkspace } from "./workspace-id.ts";

/** A chunk of which less is still used is not kept for an unchanged remainder, which is stored anew. */
const MIN_LIVE_SHARE = 0.4;

export interface BackUpOptions {
  readonly repository: Repository;
  readonly config: ClientConfig;
  /** A folder, or `s3://bucket/path`. */
  readonly vaultRoot: string;
  /** How the store of the vault is reached; not needed for a folder. */
  readonly vaultS3?: S3Access | null;
  /** The data folder, and the names of its files that hold keys; those that are missing are left out. */
  readonly dataDir: string;
  readonly keyFiles: readonly string[];
  /** Of the service. */
  readonly version: string;
  /** Whether to go on with the backups of another workspace, which this one replaces. */
  readonly takesOver?: boolean;
  readonly now: Date;
}

export interface BackUpResult {
  readonly id: string;
  readonly durationMs: number;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number;
  /** What this backup has added to the repository. */
  readonly writtenBytes: number;
  readonly writtenChunks: number;
  /** Of the chunks that the backup before needs, how many were lost: this one has stored their content anew, if it is still the same. */
  readonly lostChunks: number;
  /** Whether the keys are in it that are needed to use its secrets. */
  readonly hasKeys: boolean;
  readonly disagreements: readonly Disagreement[];
  /** Null if it has about as many files as the backup before, or more. */
  readonly shrinkage: Shrinkage | null;
}

/**
 * Makes a backup while the service runs: the database as it is at one moment, then the vault, brought in agreement with it. What
 * has not changed since an earlier backup is neither read nor stored again. Everything is stored and read back before the manifest
 * is, so a backup that is interrupted does not exist, and the next one finds what it had stored. Throws {@link BackupError} if the
 * repository has the backups of another workspace.
 */
export async function backUp(options: BackUpOptions): Promise<BackUpResult> {
  const { repository, now, version, takesOver = false } = options;
  const { chunks } = repository;
  const startedAt = performance.now();
  // Before the database is read, so that a workspace restored from this backup has it too.
  const workspaceId = await identifyWorkspace(options.config, repository, { takesOver });
  await repository.removeDrafts();
  const writer = createContentWriter(chunks);
  const { lostChunks, manifest: before, ...latest } = await readLatest(repository, now);
  const { database, documents } = await readDatabase({
    config: options.config,
    writer,
    repositoryId: repository.id,
    findEarlier: (id) => findEarlierTables(repository, id),
  });
  // Each kind has its own chunks, because each is kept or stored anew on its own.
  await writer.finish();
  const { vaultRoot, vaultS3 } = options;
  const source = isInStore(vaultRoot) ? openStoredVault(vaultRoot, vaultS3) : createFolderSource(vaultRoot);
  const vault = await readVault({ source, writer, ...latest, documents });
  await writer.finish();
  const keys = await readKeys(options, writer);
  await writer.finish();
  const fileCount = vault.files.length;
  const ownFileCount = vault.files.filter(({ path }) => !path.startsWith(SERVICE_FOLDER)).length;
  const shrinkage = findShrinkage(before, { fileCount, ownFileCount }, now);
  const manifest: Manifest = {
    format: 1,
    id: newBackupId(now),
    createdAt: now.toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
    version,
    workspaceId,
    database,
    vault: {
      files: await writeFileList(vault.files, writer),
      fileCount,
      ownFileCount,
      totalBytes: vault.files.reduce((sum, { size }) => sum + size, 0),
      folders: [...vault.folders],
      links: [...vault.links],
    },
    keys,
    disagreements: [...vault.disagreements],
    spared: listSpared(before, shrinkage, now),
  };
  await repository.writeManifest(manifest);
  await recordLastBackup(options.config, repository, manifest.id);
  return {
    id: manifest.id,
    durationMs: Math.round(performance.now() - startedAt),
    rows: countRows(manifest),
    files: manifest.vault.fileCount,
    vaultBytes: manifest.vault.totalBytes,
    writtenBytes: chunks.writtenBytes,
    writtenChunks: chunks.writtenChunks,
    lostChunks,
    hasKeys: keys.length > 0,
    disagreements: manifest.disagreements,
    shrinkage,
  };
}

/** Sorts by time, to the millisecond; unique even if two are made in the same one. */
function newBackupId(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const milliseconds = now.getUTCMilliseconds().toString(16).padStart(4, "0");
  return `${time}-${milliseconds}${randomBytes(2).toString("hex")}`;
}

async function readKeys({ dataDir, keyFiles }: BackUpOptions, writer: ContentWriter): Promise<BackedUpFile[]> {
  const keys: BackedUpFile[] = [];
  for (const name of keyFiles) {
    try {
      const file = await readFileInto(dataDir, name, { writer, findStored: () => undefined });
      if (file !== null) keys.push(file);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return keys;
}

interface Latest extends Pick<ReadVaultOptions, "earlier" | "lost"> {
  /** The newest that can be read; null if there is none. */
  readonly manifest: Manifest | null;
  /** Of all that it needs. */
  readonly lostChunks: number;
}

/** The files of the newest backup whose chunks are all there and mostly used, and the paths of those whose chunks are lost. */
async function readLatest(repository: Repository, now: Date): Promise<Latest> {
  const manifest = await readNewestManifest(repository, now);
  const nothing = { manifest, earlier: [], lost: [], lostChunks: 0 };
  if (manifest === null) return nothing;
  const { database, keys, vault } = manifest;
  const others = [...vault.files, ...keys.flatMap(({ parts }) => parts), ...partsOf(database.tables)];
  const files: BackedUpFile[] = [];
  const read = createContentReader(repository.chunks);
  try {
    for await (const file of readFileList(vault.files, read)) files.push(file);
  } catch {
    return { ...nothing, lostChunks: countLost(repository, others) };
  }
  const parts = files.flatMap((file) => file.parts);
  const isKept = keptChunks(repository, parts);
  return {
    manifest,
    earlier: files.filter((file) => file.parts.every(isKept)),
    lost: findLost(repository, files),
    lostChunks: countLost(repository, [...others, ...parts]),
  };
}

async function readNewestManifest(repository: Repository, now: Date): Promise<Manifest | null> {
  for (const id of sortNewestFirst(await repository.listBackups(), now)) {
    const manifest = await repository.readManifest(id).catch(() => null);
    if (manifest !== null) return manifest;
  }
  return null;
}

function countLost({ chunks }: Repository, parts: readonly Part[]): number {
  return new Set(parts.flatMap(([id]) => (chunks.has(id) ? [] : [id]))).size;
}

function findLost({ chunks }: Repository, files: readonly BackedUpFile[]): string[][] {
  const lost = new Map<string, { path: string; offset: number }[]>();
  for (const { path, parts } of files) {
    for (const [id, offset] of parts) {
      if (chunks.has(id)) continue;
      const group = lost.get(id);
      if (group === undefined) lost.set(id, [{ path, offset }]);
      else group.push({ path, offset });
    }
  }
  return [...lost.values()].map((group) => group.toSorted((a, b) => a.offset - b.offset).map(({ path }) => path));
}

async function findEarlierTables(repository: Repository, id: string): Promise<readonly BackedUpTable[]> {
  const manifest = await repository.readManifest(id).catch(() => null);
  if (manifest === null) return [];
  const { tables } = manifest.database;
  const isKept = keptChunks(repository, partsOf(tables));
  return tables.map((table) => ({
    ...table,
    segments: table.segments.map((segment) =>
      segment.parts.every(isKept) ? segment : { ...segment, fingerprint: "missing" },
    ),
  }));
}

function partsOf(tables: readonly BackedUpTable[]): Part[] {
  return tables.flatMap(({ segments }) => segments.flatMap(({ parts }) => parts));
}

/** Tells of parts whether their chunk is stored, and mostly used by these parts. */
function keptChunks({ chunks }: Repository, parts: readonly Part[]): (part: Part) => boolean {
  const used = new Map<string, { bytes: number; end: number }>();
  // Equal contents share a part, which counts once.
  for (const [id, offset, length] of new Map(parts.map((part) => [part.join(":"), part])).values()) {
    const { bytes, end } = used.get(id) ?? { bytes: 0, end: 0 };
    used.set(id, { bytes: bytes + length, end: Math.max(end, offset + length) });
  }
  return ([id]) => {
    const { bytes, end } = used.get(id) ?? { bytes: 0, end: 0 };
    return chunks.has(id) && bytes >= end * MIN_LIVE_SHARE;
  };
}
