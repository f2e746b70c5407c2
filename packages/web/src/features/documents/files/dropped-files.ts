import type { IncomingFile } from "./uploads.ts";
import { childOf } from "../vault/vault-path.ts";

/**
 * The dropped files, including those in dropped folders. Must be called during the drop event: afterwards the transfer is
 * empty.
 */
export async function filesOf(transfer: DataTransfer): Promise<IncomingFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, relativePath: file.name }));
  const found = await Promise.all(entries.map((entry) => filesIn(entry, "")));
  return found.flat();
}

/** Hidden files, such as `.DS_Store`, do not belong in the vault. */
async function filesIn(entry: FileSystemEntry, folder: string): Promise<IncomingFile[]> {
  if (entry.name.startsWith(".")) return [];
  const relativePath = childOf(folder, entry.name);
  if (entry instanceof FileSystemFileEntry) return [{ file: await fileOf(entry), relativePath }];
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const children = await entriesOf(entry.createReader());
  const found = await Promise.all(children.map((child) => filesIn(child, relativePath)));
  return found.flat();
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A directory reader returns its entries in batches, the last of which is empty. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  return batch.length === 0 ? [] : [...batch, ...(await entriesOf(reader))];
}
