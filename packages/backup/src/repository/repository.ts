import { createHash, randomUUID } from "node:crypto";
import * as z from "zod";
import { BackupError, DamagedError } from "../backup-error.ts";
import { manifestSchema, type Manifest } from "../manifest.ts";
import type { BackupStorage, StoragePlace } from "../storage/backup-storage.ts";
import { openStorage } from "../storage/open-storage.ts";
import { type ChunkCodec, createChunkCodec } from "./chunk-codec.ts";
import { type ChunkStore, listChunks, openChunkStore } from "./chunk-store.ts";
import { createRepositoryKey, openRepositoryKey, wrappedKeySchema } from "./repository-key.ts";

const CONFIG = "workspace-backups.json";
const MANIFESTS = "backups";
const BACKUP_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const ENDING = ".manifest";

const configSchema = z.object({
  format: z.literal(1, { error: "these backups were made by a newer version" }),
  id: z.uuid(),
  encryption: wrappedKeySchema.nullable(),
});

/** Backups at one place. */
export interface Repository {
  readonly id: string;
  /** Where it is: a folder, or `s3://bucket/path`. */
  readonly dir: string;
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
  /** Removes what killed processes have left half-written. */
  removeDrafts(): Promise<void>;
  /** Releases the place to other processes. Idempotent. */
  close(): Promise<void>;
}

export interface RepositoryOptions extends StoragePlace {
  /** Null if the backups are not encrypted. */
  readonly passphrase: string | null;
  /**
   * `write` to store or remove anything; a repository that is only read may be on a disk without write access. `list` reads
   * manifests only, also while another process uses the repository.
   */
  readonly access: "list" | "read" | "write";
}

/** Whether there are backups at a place, or there have been. */
export async function hasRepository(place: StoragePlace): Promise<boolean> {
  return (await openStorage(place).read(CONFIG)) !== null;
}

/** Creates an empty repository, or does nothing if there is one. Throws {@link BackupError} if the place holds anything else. */
export async function ensureRepository({ passphrase, ...place }: Omit<RepositoryOptions, "access">): Promise<void> {
  const storage = openStorage(place);
  if ((await storage.read(CONFIG)) !== null) return;
  if (!(await storage.isEmpty())) {
    throw new BackupError(`${storage.name} is neither empty nor a folder of backups. Choose another folder.`);
  }
  const encryption = passphrase === null ? null : (await createRepositoryKey(passphrase)).wrapped;
  const config: z.input<typeof configSchema> = { format: 1, id: randomUUID(), encryption };
  // If another process was first, its is used.
  await storage.writeNew(CONFIG, Buffer.from(`${JSON.stringify(config, null, 2)}\n`));
  await storage.flush();
}

/**
 * Opens the backups at a place, for this process alone unless they are only listed. Throws {@link BackupError} if there are none,
 * the passphrase is wrong or missing, or another process uses them.
 */
export async function openRepository({ passphrase, access, ...place }: RepositoryOptions): Promise<Repository> {
  const storage = openStorage(place);
  const config = await readConfig(storage);
  const codec = createChunkCodec(await openKey(config.encryption, passphrase));
  const release = access === "list" ? null : await storage.lock(access);
  try {
    // Lists of backups need none of them, and there may be hundreds of thousands.
    const known = access === "list" ? new Map<string, number>() : await listChunks(storage);
    const chunks = openChunkStore(storage, codec, { known, isLocked: release !== null });
    return openLocked({ storage, id: config.id, codec, release: release ?? (() => Promise.resolve()) }, chunks);
  } catch (error) {
    await release?.();
    throw error;
  }
}

interface Opened {
  readonly storage: BackupStorage;
  readonly id: string;
  readonly codec: ChunkCodec;
  readonly release: () => Promise<void>;
}

function openLocked({ storage, id, codec, release }: Opened, chunks: ChunkStore): Repository {
  return {
    id,
    dir: storage.name,
    isEncrypted: codec.isEncrypted,
    chunks,
    async listBackups() {
      return [...(await storage.list(MANIFESTS)).keys()]
        .filter((name) => name.endsWith(ENDING))
        .map((name) => name.slice(MANIFESTS.length + 1, -ENDING.length))
        .filter((name) => BACKUP_ID.test(name))
        .toSorted();
    },
    readManifest: (backupId) => readManifest(storage, codec, backupId),
    async writeManifest(manifest) {
      await storage.flush();
      const json = JSON.stringify(manifestSchema.parse(manifest));
      await storage.write(nameOf(manifest.id), await codec.seal(labelOf(manifest.id), withChecksum(json)));
      await storage.flush();
      await readManifest(storage, codec, manifest.id);
    },
    async removeManifests(ids) {
      await storage.remove(ids.map(nameOf));
      await storage.flush();
    },
    removeDrafts: storage.removeDrafts,
    close: release,
  };
}

const nameOf = (id: string): string => `${MANIFESTS}/${id}${ENDING}`;
const labelOf = (id: string): string => `backup ${id}`;

async function readManifest(storage: BackupStorage, codec: ChunkCodec, id: string): Promise<Manifest> {
  if (!BACKUP_ID.test(id)) throw new BackupError(`There is no backup "${id}".`);
  const sealed = await storage.read(nameOf(id));
  if (sealed === null) throw new BackupError(`There is no backup "${id}".`);
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
  if (checksumOf(json) !== text.slice(0, end)) throw new DamagedError(`The list of the backup ${id} is damaged.`);
  return json;
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function readConfig(storage: BackupStorage) {
  const content = await storage.read(CONFIG);
  if (content === null) throw new BackupError(`There are no backups in ${storage.name}.`);
  try {
    return configSchema.parse(JSON.parse(content.toString("utf8")));
  } catch (cause) {
    const message = `${CONFIG} in ${storage.name} cannot be read: it is damaged, or of a newer version.`;
    throw new BackupError(message, { cause });
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
