import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const SIZE = "3G";

/** How a disk is formatted: `ext4-without-journal` keeps no entry of a directory that was not synced. */
export type FileSystem = "ext4" | "ext4-without-journal" | "xfs";

/**
 * So that nothing but what is synced gets to the disk: the journal is not written by time, and a rename does not write the file.
 */
const MOUNT_OPTIONS: Readonly<Record<FileSystem, string>> = {
  ext4: "loop,commit=300,noauto_da_alloc,data=writeback",
  "ext4-without-journal": "loop,noauto_da_alloc",
  xfs: "loop",
};

const FORMAT: Readonly<Record<FileSystem, readonly [string, ...string[]]>> = {
  ext4: ["mkfs.ext4", "-q", "-F"],
  "ext4-without-journal": ["mkfs.ext4", "-q", "-F", "-O", "^has_journal"],
  xfs: ["mkfs.xfs", "-q", "-f"],
};

/** A file system in a file, whose power can be cut. Needs the rights to mount. */
export interface Disk {
  /** Where it is mounted. */
  readonly path: string;
  readonly image: string;
  readonly fileSystem: FileSystem;
}

/** Formats and mounts a disk below a folder. */
export async function createDisk(folder: string, name: string, fileSystem: FileSystem): Promise<Disk> {
  const disk = { path: join(folder, name), image: join(folder, `${name}.img`), fileSystem };
  await mkdir(disk.path);
  await run("truncate", ["-s", SIZE, disk.image]);
  const [program, ...args] = FORMAT[fileSystem];
  await run(program, [...args, disk.image]);
  await mount(disk);
  return disk;
}

/**
 * Cuts the power of several disks: kills everything that uses them, keeps what they have got so far, forgets what is in memory only,
 * and mounts them again.
 */
export async function cutPower(disks: readonly Disk[]): Promise<void> {
  await killUsers(disks);
  // At once, because the kernel goes on to write what was not synced.
  await Promise.all(disks.map(({ image }) => run("cp", ["--sparse=always", image, `${image}.cut`])));
  for (const disk of disks) {
    await unmount(disk);
    await rename(`${disk.image}.cut`, disk.image);
    if (disk.fileSystem === "ext4-without-journal") await repair(disk);
    await mount(disk);
  }
}

/** Writes everything to a disk, as before a round. */
export async function syncDisk({ path }: Disk): Promise<void> {
  await run("sync", ["-f", path]);
}

/** Kills everything that uses a disk, and removes it. */
export async function removeDisk(disk: Disk): Promise<void> {
  await killUsers([disk]);
  await unmount(disk);
  await rm(disk.image, { force: true });
}

async function mount({ path, image, fileSystem }: Disk): Promise<void> {
  await run("mount", ["-o", MOUNT_OPTIONS[fileSystem], image, path]);
}

async function unmount({ path }: Disk): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await run("umount", [path]);
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await killUsers([{ path }]);
    }
  }
}

/** Without a journal, the file system has to be made consistent first. Ends with 1 if something was repaired. */
async function repair({ image }: Disk): Promise<void> {
  await run("fsck.ext4", ["-f", "-y", image]).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === 1)) throw error;
  });
}

async function killUsers(disks: readonly Pick<Disk, "path">[]): Promise<void> {
  for (;;) {
    const users = await findUsers(disks.map(({ path }) => path));
    if (users.length === 0) return;
    for (const pid of users) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}

async function findUsers(paths: readonly string[]): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const uses = await Promise.all(pids.map(async (pid) => ((await usesAny(pid, paths)) ? [pid] : [])));
  return uses.flat();
}

async function usesAny(pid: number, paths: readonly string[]): Promise<boolean> {
  const isBelow = (target: string): boolean => paths.some((path) => target === path || target.startsWith(`${path}/`));
  const linkOf = (name: string): Promise<string> => readlink(`/proc/${pid}/${name}`).catch(() => "");
  if (isBelow(await linkOf("cwd"))) return true;
  const maps = await readFile(`/proc/${pid}/maps`, "utf8").catch(() => "");
  if (paths.some((path) => maps.includes(` ${path}/`))) return true;
  const files = await readdir(`/proc/${pid}/fd`).catch((): string[] => []);
  const targets = await Promise.all(files.map((file) => linkOf(`fd/${file}`)));
  return targets.some(isBelow);
}

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
