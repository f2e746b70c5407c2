import { setTimeout as sleep } from "node:timers/promises";
import { BackupError } from "../backup-error.ts";
import type { BackupStorage, S3Access } from "./backup-storage.ts";
import { createS3Client, type S3Client } from "./s3-client.ts";
import { holdLease } from "./storage-lease.ts";

const URL_PATTERN = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;
const CONCURRENT_REMOVALS = 8;

/** Objects in a bucket of an S3-compatible store. `url` is `s3://bucket/path`. Throws {@link BackupError} if it is not. */
export function createS3Storage(url: string, access: S3Access): BackupStorage {
  const [, bucket, path = ""] = URL_PATTERN.exec(url) ?? [];
  if (bucket === undefined) {
    throw new BackupError(`"${url}" is not s3://bucket/path; the path may have letters, digits, and . _ - / in it.`);
  }
  const client = createS3Client(access, bucket);
  const folder = path.split("/").filter((name) => name !== "");
  const keyOf = (name: string): string => [...folder, name].join("/");
  const nameOf = (key: string): string => key.slice(keyOf("").length);
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
    read: (name) => client.get(keyOf(name)),
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
        if (purpose === "read" && isForbidden) return () => Promise.resolve();
        throw error;
      }
    },
  };
  return storage;
}

const LOCK_NAME = "lock.json";
/** For stores that ignore the condition of a write: another that wrote at the same time has done so by then. */
const SETTLE_MS = 300;

async function writeNew(client: S3Client, key: string, content: Buffer): Promise<boolean> {
  if ((await client.get(key)) !== null) return false;
  if (!(await client.putNew(key, content))) return false;
  await sleep(SETTLE_MS);
  return (await client.get(key))?.equals(content) === true;
}
