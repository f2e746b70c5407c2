import { open, readlink, type FileHandle } from "node:fs/promises";

/** The paths of files and folders that have been synced, in order. */
export interface SyncRecord {
  readonly paths: readonly string[];
  stop(): void;
}

/** Records what this process syncs by file handles, on Linux. */
export async function recordSyncs(): Promise<SyncRecord> {
  const handle = await open("/", "r");
  const prototype: Pick<FileHandle, "sync"> = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  const paths: string[] = [];
  prototype.sync = async function (this: FileHandle) {
    await sync.call(this);
    paths.push(await readlink(`/proc/self/fd/${this.fd}`));
  };
  return { paths, stop: () => void (prototype.sync = sync) };
}
