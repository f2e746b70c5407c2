import { ConflictError, InvalidInputError } from "../../platform/errors.ts";
import type { Directory } from "./directory.ts";
import { createFileSlot, type FileSlot } from "./file-slot.ts";
import { toFileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { moveEntry, removeEntry } from "./move-entry.ts";
import { assertRegular } from "./regular-file.ts";
import type { MadeMove } from "./vault-files.ts";
import type { VaultReader } from "./vault-reader.ts";
import {
  childOf,
  isWithin,
  nameOf,
  parentOf,
  temporaryName,
  VAULT_ROOT,
  writerOfTemporary,
  type VaultPath,
} from "./vault-path.ts";

/** A directory is renamed with this prefix before it is removed. */
const DISCARDED_PREFIX = ".given-up-";

export interface VaultWriterOptions {
  readonly calls: FileSystemCalls;
  readonly reader: VaultReader;
  readonly writerId: string;
  readonly assertWritable: () => void;
}

/** The part of `VaultFiles` that changes files and directories. */
export function createVaultWriter({ calls, reader, writerId, assertWritable }: VaultWriterOptions) {
  const { inDirectory, openDirectory, readNames } = reader;
  let lastWrite = 0;
  const newTemporaryName = () => temporaryName(writerId, String((lastWrite += 1)));

  const removeTree = (path: VaultPath): Promise<void> =>
    inDirectory(parentOf(path), (directory) => removeEntry(calls, { directory, name: nameOf(path) }));

  return {
    async openSlot(path: VaultPath, options: { readonly create: boolean }): Promise<FileSlot> {
      assertWritable();
      if (path === VAULT_ROOT) throw new InvalidInputError("The path is a directory.");
      const directory = await openDirectory(parentOf(path), options);
      const temporaryNames = { staged: newTemporaryName(), backup: newTemporaryName() };
      return createFileSlot({ calls, directory, name: nameOf(path), temporaryNames });
    },

    async createDirectory(path: VaultPath): Promise<void> {
      assertWritable();
      if (path === VAULT_ROOT) throw new ConflictError("The vault itself exists already.");
      await inDirectory(
        parentOf(path),
        async (parent) => {
          await calls.mkdir(parent.entry(nameOf(path)), 0o777);
          await parent.sync();
        },
        { create: true },
      );
    },

    async move(from: VaultPath, to: VaultPath): Promise<MadeMove> {
      assertWritable();
      assertMovable(from, to);
      await inDirectory(parentOf(from), async (source) => {
        await assertSupported(calls, source, nameOf(from));
        await inDirectory(
          parentOf(to),
          (target) =>
            moveEntry({
              calls,
              from: { directory: source, name: nameOf(from) },
              to: { directory: target, name: nameOf(to) },
              temporaryName: newTemporaryName(),
            }),
          { create: true },
        );
      });
      return { finish: () => Promise.resolve(), leave: () => undefined };
    },

    removeTree,

    discard: (path: VaultPath): Promise<void> =>
      inDirectory(parentOf(path), (directory) =>
        calls.rename(directory.entry(nameOf(path)), directory.entry(`${DISCARDED_PREFIX}${nameOf(path)}`)),
      ),

    async removeDiscarded(parent: VaultPath): Promise<void> {
      const names = await readNames(parent);
      for (const name of names.filter((each) => each.startsWith(DISCARDED_PREFIX))) {
        await removeTree(childOf(parent, name));
      }
    },

    async removeLeftover(path: VaultPath, name: string): Promise<void> {
      if (writerOfTemporary(name) === null) throw new Error(`not an unfinished file: ${name}`);
      await inDirectory(path, (directory) => calls.unlink(directory.entry(name)));
    },
  };
}

/** Throws for a missing entry, a link or a special file. */
async function assertSupported(calls: FileSystemCalls, directory: Directory, name: string): Promise<void> {
  const stat = toFileStat(await calls.lstat(directory.entry(name)));
  if (stat.kind !== "directory") assertRegular(stat);
}

/** Throws unless these paths may be those of a move. */
export function assertMovable(from: VaultPath, to: VaultPath): void {
  if (from === VAULT_ROOT) throw new InvalidInputError("The vault itself cannot be deleted, renamed or moved.");
  if (to === VAULT_ROOT || from === to) throw new ConflictError("Something is at the new path already.");
  if (isWithin(to, from)) throw new InvalidInputError("A directory cannot be moved into itself.");
}
