import { setTimeout as sleep } from "node:timers/promises";
import { createS3Client, parseStoreUrl, type S3Access, type S3Client } from "@workspace/object-store";
import { BackupError } from "../backup-error.ts";
import type { BackupStorage } from "./backup-storage.ts";
import { holdLease } from "./storage-lease.ts";
import { toBackupError, withBackupErrors } from "./store-errors.ts";

const CONCURRENT_REMOVALS = 8;
/** A network or a store that fails for a moment is no reason to give up a backup. */
const CLIENT_OPTIONS = { attempts: 5, deadlineMs: 120_000 };
/** Far more than there are chunks of 4 MB in 40 TB. */
const MAX_OBJECTS = 10_000_000;

/** Objects in a bucket of an S3-compatible store. `url` is `s3://bucket/path`. Throws {@link BackupError} if it is not. */
export function createS3Storage(url: string, access: S3Access): BackupStorage {
  const { prefix, client } = open(url, access);
  const keyOf = (name: string): string => `${prefix}${name}`;
  const nameOf = (key: string): string => key.slice(prefix.length);
  // Whoever has lost the lock must not store or remove anything any more.
  let assertHeld = (): void => {};

  const storage: BackupStorage = {
    name: url,
    async isEmpty() {
      const found = await client.list(keyOf(""));
      return [...found.keys()].every((key) => nameOf(key) === LOCK_NAME);
    },
    async list(name) {
      const found = await client.list(keyOf(`${name}/`));
      return new Map([...found].map(([key, size]) => [nameOf(key), size]));
    },
    read: (name) => client.read(keyOf(name)),
    async write(name, content) {
      assertHeld();
      await client.put(keyOf(name), content);
    },
    writeNew: (name, content) => writeNew(client, keyOf(name), content),
    async remove(names) {
      for (let start = 0; start < names.length; start += CONCURRENT_REMOVALS) {
        assertHeld();
        await Promise.all(names.slice(start, start + CONCURRENT_REMOVALS).map((name) => client.remove(keyOf(name))));
      }
    },
    // Whatever such a store has confirmed is durable, and nothing in it is half-written.
    keep: () => Promise.resolve(),
    flush: () => Promise.resolve(),
    removeDrafts: () => Promise.resolve(),
    async lock(purpose) {
      try {
        const lease = await holdLease(LOCK_NAME, {
          name: url,
          read: storage.read,
          writeNew: storage.writeNew,
          write: (name, content) => client.put(keyOf(name), content),
          remove: (name) => client.remove(keyOf(name)),
        });
        assertHeld = lease.assertHeld;
        return lease.release;
      } catch (error) {
        const isForbidden = error instanceof BackupError && error.message.includes("403");
        if (purpose === "read" && isForbidden) return null;
        throw error;
      }
    },
  };
  return storage;
}

const LOCK_NAME = "lock.json";
/** For stores that ignore the condition of a write: another that wrote at the same time has done so by then. */
const SETTLE_MS = 300;

interface BackupClient {
  list(prefix: string): Promise<Map<string, number>>;
  read(key: string): Promise<Buffer | null>;
  put(key: string, content: Buffer): Promise<void>;
  putNew(key: string, content: Buffer): Promise<boolean>;
  remove(key: string): Promise<void>;
}

/** What backups need of a client, with their own errors. */
function open(url: string, access: S3Access): { prefix: string; client: BackupClient } {
  try {
    const { bucket, prefix } = parseStoreUrl(url);
    const client = createS3Client(access, bucket, CLIENT_OPTIONS);
    return {
      prefix,
      client: {
        list: (start) => withBackupErrors(() => listAll(client, start)),
        read: (key) => withBackupErrors(() => client.read(key)),
        put: (key, content) => withBackupErrors(async () => void (await client.put(key, content))),
        putNew: (key, content) => withBackupErrors(async () => (await client.put(key, content, "new")) !== null),
        remove: (key) => withBackupErrors(() => client.remove(key)),
      },
    };
  } catch (error) {
    throw toBackupError(error);
  }
}

async function listAll(client: S3Client, prefix: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { objects } of client.list(prefix)) {
    for (const { key, size } of objects) found.set(key, size);
    if (found.size > MAX_OBJECTS) throw new BackupError("There are too many objects in the bucket.");
  }
  return found;
}

async function writeNew(client: BackupClient, key: string, content: Buffer): Promise<boolean> {
  if ((await client.read(key)) !== null) return false;
  if (!(await client.putNew(key, content))) return false;
  await sleep(SETTLE_MS);
  return (await client.read(key))?.equals(content) === true;
}
