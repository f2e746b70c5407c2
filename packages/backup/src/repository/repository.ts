import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DataDirInUseError, lockDataDir, makeDirectory } from "@workspace/db";
import * as z from "zod";
import { BackupError } from "../backup-error.ts";
import { manifestSchema, type Manifest } from "../manifest.ts";
import { type ChunkCodec, createChunkCodec } from "./chunk-codec.ts";
import { type ChunkStore, openChunkStore, removeDrafts } from "./chunk-store.ts";
import { placeFile, placeNewFile, syncFolder } from "./durable-file.ts";
import { createRepositoryKey, openRepositoryKey, wrappedKeySchema } from "./repository-key.ts";

const CONFIG_FILE = "workspace-backups.json";
const CHUNKS_FOLDER = "chunks";
const MANIFESTS_FOLDER = "backups";
const BACKUP_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const ENDING = ".manifest";

const configSchema = z.object({
  format: z.literal(1, { error: "these backups were made by a newer version" }),
  id: z.uuid(),
  encryption: wrappedKeySchema.nullable(),
});

/** A folder of backups. */
export interface Repository {
  readonly id: string;
  readonly dir: string;
  readonly chunksDir: string;
  readonly isEncrypted: boolean;
  readonly chunks: ChunkStore;
  /** The ids of all whole backups, the oldest first. */
  listBackups(): Promise<string[]>;
  /** Throws {@link BackupError} if there is no such backup, or its manifest is damaged. */
  readManifest(id: string): Promise<Manifest>;
  /** The last step of a backup: once it resolves, the backup is whole, whatever happens. */
  writeManifest(manifest: Manifest): Promise<void>;
  /** Removes manifests; once it resolves, no power failure brings them back. */
  removeManifests(ids: readonly string[]): Promise<void>;
  /** Releases the folder to other processes. Idempotent. */
  close(): Promise<void>;
}

export interface RepositoryOptions {
  readonly dir: string;
  /** Null if the backups are not encrypted. */
  readonly passphrase: string | null;
  /**
   * `write` to store or remove anything; a repository that is only read may be on a disk without write access. `list` reads
   * manifests only, also while another process uses the repository.
   */
  readonly access: "list" | "read" | "write";
}

/** Creates an empty repository, or does nothing if the folder is one. Throws {@link BackupError} if it holds anything else. */
export async function ensureRepository({ dir, passphrase }: Omit<RepositoryOptions, "access">): Promise<void> {
  await makeDirectory(dir, { mode: 0o700 });
  const names = await readdir(dir);
  if (names.includes(CONFIG_FILE)) return;
  // What a first backup leaves if it is killed before it has written the file.
  const others = names.filter((name) => name !== "instance.lock" && !name.startsWith("."));
  if (others.length > 0) {
    throw new BackupError(`${dir} is neither empty nor a folder of backups. Choose another folder.`);
  }
  const encryption = passphrase === null ? null : (await createRepositoryKey(passphrase)).wrapped;
  const config: z.input<typeof configSchema> = { format: 1, id: randomUUID(), encryption };
  try {
    await placeNewFile(join(dir, CONFIG_FILE), Buffer.from(`${JSON.stringify(config, null, 2)}\n`));
  } catch (error) {
    const isCreatedByAnother = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isCreatedByAnother) throw error;
  }
  await syncFolder(dir);
}

/**
 * Opens a folder of backups, for this process alone unless it is only listed. Throws {@link BackupError} if there are no backups, the passphrase is wrong or
 * missing, or another process uses it.
 */
export async function openRepository({ dir, passphrase, access }: RepositoryOptions): Promise<Repository> {
  const config = await readConfig(dir);
  const codec = createChunkCodec(await openKey(config.encryption, passphrase));
  const release = await lock(dir, access);
  try {
    return await openLocked(dir, config.id, codec, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function openLocked(
  dir: string,
  id: string,
  codec: ChunkCodec,
  release: () => Promise<void>,
): Promise<Repository> {
  const chunksDir = join(dir, CHUNKS_FOLDER);
  const manifestsDir = join(dir, MANIFESTS_FOLDER);
  for (const folder of [chunksDir, manifestsDir]) {
    if ((await stat(folder).catch(() => null)) === null) await makeDirectory(folder, { mode: 0o700 });
  }
  const chunks = await openChunkStore(chunksDir, codec);
  const pathOf = (backupId: string): string => join(manifestsDir, `${backupId}${ENDING}`);
  return {
    id,
    dir,
    chunksDir,
    isEncrypted: codec.isEncrypted,
    chunks,
    async listBackups() {
      const names = (await readdir(manifestsDir)).filter((name) => name.endsWith(ENDING));
      return names
        .map((name) => name.slice(0, -ENDING.length))
        .filter((name) => BACKUP_ID.test(name))
        .toSorted();
    },
    readManifest: (backupId) => readManifest(pathOf, codec, backupId),
    async writeManifest(manifest) {
      await chunks.flush();
      const json = JSON.stringify(manifestSchema.parse(manifest));
      await placeFile(pathOf(manifest.id), await codec.seal(labelOf(manifest.id), withChecksum(json)));
      await syncFolder(manifestsDir);
      await readManifest(pathOf, codec, manifest.id);
    },
    async removeManifests(ids) {
      for (const backupId of ids) await rm(pathOf(backupId), { force: true });
      await removeDrafts(manifestsDir);
      await syncFolder(manifestsDir);
    },
    close: release,
  };
}

const labelOf = (id: string): string => `backup ${id}`;

async function readManifest(pathOf: (id: string) => string, codec: ChunkCodec, id: string): Promise<Manifest> {
  if (!BACKUP_ID.test(id)) throw new BackupError(`There is no backup "${id}".`);
  const sealed = await readFile(pathOf(id)).catch((cause: unknown) => {
    throw new BackupError(`There is no backup "${id}", or it cannot be read.`, { cause });
  });
  const json = withoutChecksum(await codec.open(labelOf(id), sealed), id);
  const { data, error } = manifestSchema.safeParse(JSON.parse(json));
  if (data === undefined) throw new BackupError(`The backup ${id} was made by another version: ${error.message}`);
  return data;
}

/** Without a key, nothing else would show that a bit has changed. */
function withChecksum(json: string): Buffer {
  return Buffer.from(`${checksumOf(json)}\n${json}`);
}

function withoutChecksum(content: Buffer, id: string): string {
  const text = content.toString("utf8");
  const end = text.indexOf("\n");
  const json = text.slice(end + 1);
  if (checksumOf(json) !== text.slice(0, end)) throw new BackupError(`The list of the backup ${id} is damaged.`);
  return json;
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function readConfig(dir: string) {
  const text = await readFile(join(dir, CONFIG_FILE), "utf8").catch(() => null);
  if (text === null) throw new BackupError(`There are no backups in ${dir}.`);
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(`${join(dir, CONFIG_FILE)} cannot be read: it is damaged, or of a newer version.`, { cause });
  }
}

async function openKey(wrapped: z.output<typeof configSchema>["encryption"], passphrase: string | null) {
  if (wrapped === null) {
    // Whoever sets a passphrase expects that nobody can read the backups without it.
    if (passphrase !== null) throw new BackupError("These backups are not encrypted, but there is a passphrase.");
    return null;
  }
  if (passphrase === null) throw new BackupError("These backups are encrypted: their passphrase is needed.");
  return openRepositoryKey(wrapped, passphrase);
}

async function lock(dir: string, access: RepositoryOptions["access"]): Promise<() => Promise<void>> {
  if (access === "list") return () => Promise.resolve();
  try {
    const held = await lockDataDir(dir);
    return () => held.release();
  } catch (error) {
    if (error instanceof DataDirInUseError) {
      throw new BackupError(`Another backup, restore or check is using ${dir}. Wait for it to end.`, { cause: error });
    }
    const isReadOnly = error instanceof Error && "code" in error && /^(EROFS|EACCES|EPERM)$/.test(String(error.code));
    if (access === "read" && isReadOnly) return () => Promise.resolve();
    throw error;
  }
}
