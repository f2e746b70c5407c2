import { join } from "node:path";
import { ConflictError, NotFoundError, UnavailableError } from "../platform/errors.ts";
import { linkRefused, systemErrorCode } from "./file-error.ts";
import { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { createSharedDirectories } from "./shared-directories.ts";
import { nameOf, parentOf, VAULT_ROOT, type VaultPath } from "./vault-path.ts";

/** The vault's root is missing, or is not the directory that it was. */
export class VaultMissingError extends UnavailableError {}

/** An open directory. Entries named through it are entries of this very directory, whatever its path becomes. */
export interface Directory {
  /** Whether that is so to the last: an open descriptor, through which nothing can be swapped in on the way. */
  readonly hasDescriptor: boolean;
  /** The path by which system calls reach an entry; they must not follow it if it is a link. */
  entry(name: string): string;
  stat(): Promise<FileStat>;
  /** Tells one directory from another. */
  key(): string;
  /** Whether it is where it was opened: not when it, or a directory above it, was moved or removed. */
  isInPlace(): Promise<boolean>;
  /** The directory of this name; a link is ENOTDIR, like everything else that is none. */
  openChild(name: string): Promise<Directory>;
  /** Makes what was created, renamed and removed in it survive a power cut. */
  sync(): Promise<void>;
  release(): void;
}

/** Opens directories below a root without ever following a link. */
export interface DirectoryOpener {
  /**
   * With `create`, missing directories are made, durably. Throws {@link VaultMissingError} where the root itself is missing,
   * ForbiddenError for a link on the way, and {@link NotFoundError} for a missing directory or a file in its place
   * ({@link ConflictError} for the latter with `create`).
   */
  open(path: VaultPath, options?: { readonly create?: boolean }): Promise<Directory>;
}

/** Where Linux shows a process its open descriptors, as links that only the kernel follows. */
const DESCRIPTORS = "/proc/self/fd";

/**
 * On Linux, walks from descriptor to descriptor: each name is opened inside the directory that the descriptor before it
 * holds, so a directory that is swapped for a link during the call cannot lead elsewhere. It is what openat(2) does, which
 * Node does not have.
 *
 * Elsewhere names are checked one by one before the whole path is used. A program on the same machine that may write to the
 * vault could swap a directory for a link in between.
 *
 * `checkRoot` sees each root that is opened and throws for one that must not be used.
 */
export function createDirectoryOpener(
  calls: FileSystemCalls,
  rootPath: string,
  checkRoot: (root: FileStat) => void,
): DirectoryOpener {
  let hasDescriptors: Promise<boolean> | undefined;
  const openUnchecked = async (): Promise<Directory> =>
    (await (hasDescriptors ??= hasDescriptorPaths(calls)))
      ? openDescriptorDirectory(calls, rootPath, O_PATH | O_DIRECTORY)
      : openPathDirectory(calls, rootPath);
  const openRoot = async (): Promise<Directory> => {
    try {
      const root = await openUnchecked();
      try {
        checkRoot(await root.stat());
        return root;
      } catch (error) {
        root.release();
        throw error;
      }
    } catch (error) {
      throw explainNoRoot(error);
    }
  };
  const shared = createSharedDirectories();

  async function open(path: VaultPath, create: boolean): Promise<Directory> {
    const found = await shared.find(path);
    if (found !== undefined) return found;
    const directory = path === VAULT_ROOT ? await openRoot() : await openBelow(path, create);
    return directory.hasDescriptor ? shared.share(path, directory) : directory;
  }

  async function openBelow(path: VaultPath, create: boolean): Promise<Directory> {
    const parent = await open(parentOf(path), create);
    try {
      return await openOrCreate(calls, parent, nameOf(path), create);
    } finally {
      parent.release();
    }
  }

  return { open: (path, { create = false } = {}) => open(path, create) };
}

async function openPathDirectory(calls: FileSystemCalls, path: string): Promise<Directory> {
  const look = async (): Promise<FileStat> => toFileStat(await calls.lstat(path));
  const opened = await look();
  if (opened.kind !== "directory") throw Object.assign(new Error(`not a directory: ${path}`), { code: "ENOTDIR" });
  return {
    ...pathDirectory(calls, path),
    async isInPlace() {
      const { device, inode } = await look();
      return device === opened.device && inode === opened.inode;
    },
  };
}

/** A directory of the service's own, outside the vault, where nobody else makes links and nobody moves anything. */
export function pathDirectory(calls: FileSystemCalls, path: string): Directory {
  return {
    hasDescriptor: false,
    entry: (name) => join(path, name),
    stat: async () => toFileStat(await calls.lstat(path)),
    key: () => path,
    isInPlace: async () => true,
    openChild: (name) => openPathDirectory(calls, join(path, name)),
    sync: () => syncDirectory(calls, path),
    release: () => undefined,
  };
}

/** Makes what was created, renamed and removed in a directory survive a power cut. */
export async function syncDirectory(calls: FileSystemCalls, path: string): Promise<void> {
  const fd = await openToSync(calls, path);
  try {
    await syncOpen(calls, fd);
  } finally {
    calls.release(fd);
  }
}

const openToSync = (calls: FileSystemCalls, path: string): Promise<number> =>
  calls.open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);

async function syncOpen(calls: FileSystemCalls, fd: number): Promise<void> {
  try {
    await calls.fsync(fd);
  } catch (error) {
    // Some network file systems have no such call for directories; they write through.
    if (systemErrorCode(error) !== "EINVAL" && systemErrorCode(error) !== "ENOTSUP") throw error;
  }
}

async function openDescriptorDirectory(calls: FileSystemCalls, path: string, flags: number): Promise<Directory> {
  const fd = await calls.open(path, flags);
  try {
    return descriptorDirectory(calls, fd);
  } catch (error) {
    calls.release(fd);
    throw error;
  }
}

function descriptorDirectory(calls: FileSystemCalls, fd: number): Directory {
  const entry = (name: string) => `${DESCRIPTORS}/${fd}/${name}`;
  // The kernel knows where an open directory is.
  const locate = () => calls.readDescriptorLink(`${DESCRIPTORS}/${fd}`);
  const openedAt = locate();
  /** A second descriptor, since the first, which needs no permission to read, cannot be synced. */
  let syncable: Promise<number> | undefined;
  let key: string | undefined;
  return {
    hasDescriptor: true,
    entry,
    stat: async () => toFileStat(calls.fstat(fd)),
    key: () => (key ??= keyOf(toFileStat(calls.fstat(fd)))),
    isInPlace: async () => locate() === openedAt,
    openChild: (name) => openDescriptorDirectory(calls, entry(name), O_PATH | O_DIRECTORY | O_NOFOLLOW),
    async sync() {
      syncable ??= openToSync(calls, entry(".")).catch((error: unknown) => {
        syncable = undefined;
        throw error;
      });
      await syncOpen(calls, await syncable);
    },
    release() {
      calls.release(fd);
      void syncable?.then(calls.release, () => undefined);
    },
  };
}

const keyOf = ({ device, inode }: FileStat): string => `${device}:${inode}`;

async function hasDescriptorPaths(calls: FileSystemCalls): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    calls.release(await calls.open(DESCRIPTORS, O_RDONLY | O_DIRECTORY));
    return true;
  } catch {
    return false;
  }
}

function explainNoRoot(cause: unknown): unknown {
  const code = systemErrorCode(cause);
  if (code === "EMFILE" || code === "ENFILE" || cause instanceof UnavailableError) return cause;
  return new VaultMissingError("The vault is not available.", { cause });
}

async function openOrCreate(
  calls: FileSystemCalls,
  parent: Directory,
  name: string,
  create: boolean,
): Promise<Directory> {
  try {
    return await parent.openChild(name);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOTDIR" || code === "ELOOP") throw await explainNoDirectory({ calls, parent, name, create }, error);
    if (code !== "ENOENT") throw error;
    if (!create) throw new NotFoundError("There is no such directory.", { cause: error });
  }
  await createDirectory(calls, parent, name);
  return openOrCreate(calls, parent, name, false);
}

/** Does nothing where another request has just made the directory. */
async function createDirectory(calls: FileSystemCalls, parent: Directory, name: string): Promise<void> {
  try {
    // The only hidden directory made here is the service's own, which holds what its users have deleted.
    await calls.mkdir(parent.entry(name), name.startsWith(".") ? 0o700 : 0o777);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return;
    throw error;
  }
  await parent.sync();
}

interface MissingDirectory {
  readonly calls: FileSystemCalls;
  readonly parent: Directory;
  readonly name: string;
  readonly create: boolean;
}

async function explainNoDirectory({ calls, parent, name, create }: MissingDirectory, cause: unknown): Promise<unknown> {
  const { kind } = toFileStat(await calls.lstat(parent.entry(name)));
  if (kind === "link") return linkRefused(cause);
  return create
    ? new ConflictError("A part of the path is a file, not a directory.", { cause })
    : new NotFoundError("There is no such directory.", { cause });
}
