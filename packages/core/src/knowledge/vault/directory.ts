import { join } from "node:path";
import { ConflictError, NotFoundError, UnavailableError } from "../../platform/errors.ts";
import { linkRefused, systemErrorCode } from "./file-error.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { createSharedDirectories } from "./shared-directories.ts";
import { nameOf, parentOf, VAULT_ROOT, type VaultPath } from "./vault-path.ts";

/** The vault's root is missing or is a different directory than before. */
export class VaultMissingError extends UnavailableError {}

/** An open directory. Paths obtained from it refer to entries of this very directory, even if it is moved or replaced. */
export interface Directory {
  /** Whether that is guaranteed by an open descriptor, so that no path component can be swapped. */
  readonly hasDescriptor: boolean;
  /** The path of an entry for system calls, which must not follow it if it is a link. */
  entry(name: string): string;
  stat(): Promise<FileStat>;
  /** Identifies the directory. */
  key(): string;
  /** Whether it is still where it was opened, meaning that neither it nor a parent has been moved or removed. */
  isInPlace(): Promise<boolean>;
  /** Opens a subdirectory. Fails with ENOTDIR for a link or anything else that is not a directory. */
  openChild(name: string): Promise<Directory>;
  /** Makes the creation, renaming and removal of entries durable. */
  sync(): Promise<void>;
  release(): void;
}

/** Opens directories below a root without ever following a link. */
export interface DirectoryOpener {
  /**
   * With `create`, missing directories are created durably. Throws {@link VaultMissingError} if the root itself is missing,
   * ForbiddenError for a link anywhere in the path, and {@link NotFoundError} for a missing directory or a file in its place
   * ({@link ConflictError} for the latter with `create`).
   */
  open(path: VaultPath, options?: { readonly create?: boolean }): Promise<Directory>;
}

/** Where Linux exposes a process's open descriptors, as magic links. */
const DESCRIPTORS = "/proc/self/fd";

/**
 * On Linux, walks from descriptor to descriptor: each name is resolved relative to the directory that is already open, so
 * that swapping a directory for a link during the call cannot lead elsewhere. This is what openat(2) does, which Node does
 * not offer.
 *
 * On other systems, names are checked one by one before the whole path is used. A program on the same machine with write
 * access to the vault could swap a directory for a link in between.
 *
 * `assertRoot` is called with each root that is opened, and throws if it must not be used.
 */
export function createDirectoryOpener(
  calls: FileSystemCalls,
  rootPath: string,
  assertRoot: (root: FileStat) => void,
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
        assertRoot(await root.stat());
        return root;
      } catch (error) {
        root.release();
        throw error;
      }
    } catch (error) {
      throw toRootError(error);
    }
  };
  const shared = createSharedDirectories<Directory>();

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
  const lstat = async (): Promise<FileStat> => toFileStat(await calls.lstat(path));
  const opened = await lstat();
  if (opened.kind !== "directory") throw Object.assign(new Error(`not a directory: ${path}`), { code: "ENOTDIR" });
  return {
    ...pathDirectory(calls, path),
    async isInPlace() {
      const { device, inode } = await lstat();
      return device === opened.device && inode === opened.inode;
    },
  };
}

/** A directory outside the vault that belongs to the service, where nobody else creates links or moves anything. */
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

/** Makes the creation, renaming and removal of entries in a directory durable. */
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
    // Some network file systems do not support this for directories, but write through anyway.
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
  // The kernel tracks the path of an open directory.
  const locate = () => calls.readDescriptorLink(`${DESCRIPTORS}/${fd}`);
  const openedAt = locate();
  /** A second descriptor: the first is opened with O_PATH, which requires no read permission but cannot be synced. */
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

function toRootError(cause: unknown): unknown {
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
    if (code === "ENOTDIR" || code === "ELOOP") throw await toDirectoryError({ calls, parent, name, create }, error);
    if (code !== "ENOENT") throw error;
    if (!create) throw new NotFoundError("There is no such directory.", { cause: error });
  }
  await createDirectory(calls, parent, name);
  return openOrCreate(calls, parent, name, false);
}

/** Does nothing if another request has just created the directory. */
async function createDirectory(calls: FileSystemCalls, parent: Directory, name: string): Promise<void> {
  try {
    // The only hidden directory created here is the service's own, which contains deleted files, so it is private.
    await calls.mkdir(parent.entry(name), name.startsWith(".") ? 0o700 : 0o777);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return;
    throw error;
  }
  await parent.sync();
}

interface FailedOpen {
  readonly calls: FileSystemCalls;
  readonly parent: Directory;
  readonly name: string;
  readonly create: boolean;
}

async function toDirectoryError({ calls, parent, name, create }: FailedOpen, cause: unknown): Promise<unknown> {
  const { kind } = toFileStat(await calls.lstat(parent.entry(name)));
  if (kind === "link") return linkRefused(cause);
  return create
    ? new ConflictError("A part of the path is a file, not a directory.", { cause })
    : new NotFoundError("There is no such directory.", { cause });
}
