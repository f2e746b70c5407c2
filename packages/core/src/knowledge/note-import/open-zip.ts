import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";

/**
 * Opens a ZIP archive. It is closed by its `close`, as soon as nothing is read any more. Rejects for what is no archive.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
    return await fromRandomAccessReaderPromise(new FileReader(path, file), size, options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a file for the library. Its own reader crashes the process when a stream is destroyed while its next read waits for those of
 * other streams, which happens whenever one of several files cannot be written.
 */
class FileReader extends RandomAccessReader {
  readonly #path: string;
  readonly #file: FileHandle;

  constructor(path: string, file: FileHandle) {
    super();
    this.#path = path;
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number) {
    // With a descriptor of its own, which it closes when it is destroyed.
    return createReadStream(this.#path, { start, end: end - 1 });
  }

  override read(...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader["read"]>): void {
    this.#file
      .read(buffer, offset, length, position)
      .then(({ bytesRead }) => callback(bytesRead < length ? new Error("The archive ends early.") : null), callback);
  }

  override close(callback: (error: Error | null) => void): void {
    this.#file.close().then(() => callback(null), callback);
  }
}
