import type { ContentReader } from "./content-reader.ts";
import { CHUNK_BYTES, type ContentWriter } from "./content-writer.ts";
import { type BackedUpFile, fileSchema, type Part } from "./manifest.ts";

/** Stores the list of a backup's files: a line of JSON for each, so that it can be read in pieces. */
export async function writeFileList(files: readonly BackedUpFile[], writer: ContentWriter): Promise<Part[]> {
  const parts: Part[] = [];
  let lines: Buffer[] = [];
  let bytes = 0;
  for (const file of files) {
    const line = Buffer.from(`${JSON.stringify(file)}\n`);
    if (bytes + line.byteLength > CHUNK_BYTES) {
      await writer.add(Buffer.concat(lines), parts);
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += line.byteLength;
  }
  await writer.add(Buffer.concat(lines), parts);
  await writer.finish();
  return parts;
}

/** Reads such a list. Each of its parts consists of whole lines. */
export async function* readFileList(parts: readonly Part[], read: ContentReader): AsyncGenerator<BackedUpFile> {
  for await (const piece of read(parts)) {
    for (const line of piece.toString("utf8").split("\n")) {
      if (line !== "") yield fileSchema.parse(JSON.parse(line));
    }
  }
}
