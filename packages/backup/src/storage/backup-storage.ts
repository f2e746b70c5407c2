import type { S3Access } from "@workspace/object-store";

/** Objects by name, such as `chunks/ab/abcd…`: all that a repository needs of a folder, or of a store elsewhere. */
export interface BackupStorage {
  /** As people know it. */
  readonly name: string;
  /** Whether nothing is there but what a first backup leaves if it is killed before it has begun. */
  isEmpty(): Promise<boolean>;
  /** The objects whose names begin like this, up to a slash, with their sizes. */
  list(folder: string): Promise<Map<string, number>>;
  /** Null if there is no such object. */
  read(name: string): Promise<Buffer | null>;
  /** Stores an object, in place of an earlier one: whatever happens, it is missing or whole. Durable after the next `flush`. */
  write(name: string, content: Buffer): Promise<void>;
  /** Makes an object survive as if it had been written now: whoever wrote it may have been killed before the next `flush`. */
  keep(name: string): Promise<void>;
  /** Stores an object unless there is one; returns whether it did. */
  writeNew(name: string, content: Buffer): Promise<boolean>;
  /** Removes objects; those that are missing are removed already. Durable after the next `flush`. */
  remove(names: readonly string[]): Promise<void>;
  /** Makes what was stored and removed survive a power failure. */
  flush(): Promise<void>;
  /** Removes what killed processes have left half-written. Only for whoever holds the lock. */
  removeDrafts(): Promise<void>;
  /**
   * Locks it for this process; returns the function that releases it, which is idempotent. Throws `BackupError` if another process
   * uses it. With `read`, a storage that cannot be written needs no lock, and the result is null.
   */
  lock(access: "read" | "write"): Promise<(() => Promise<void>) | null>;
}

/** Where a storage is, and how it is reached. */
export interface StoragePlace {
  /** A folder, or `s3://bucket/path`. */
  readonly dir: string;
  /** Needed for `s3://…`. */
  readonly s3?: S3Access | null;
}
