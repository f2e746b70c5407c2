import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ExportedFile } from "@workspace/core";
import { ZipFile } from "yazl";

/** The files as a ZIP archive, which is made while it is read. A file that cannot be read, or an archive that nobody reads any more, ends it. */
export function toArchive(files: AsyncIterable<ExportedFile>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  zip.on("error", (error: Error) => output.destroy(error));
  addAll(zip, files, output).catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

async function addAll(zip: ZipFile, files: AsyncIterable<ExportedFile>, output: Readable): Promise<void> {
  const closed = once(output, "close");
  for await (const { path, modifiedAt, sizeBytes, content } of files) {
    zip.addReadStream(content, path, { mtime: modifiedAt, ...(sizeBytes !== undefined && { size: sizeBytes }) });
    // One after the other, so that only one is open.
    await Promise.race([finished(content), closed]);
    if (output.destroyed) {
      content.destroy();
      return;
    }
  }
  zip.end();
}
