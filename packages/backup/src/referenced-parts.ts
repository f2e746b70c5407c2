import type { ContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import type { Manifest, Part } from "./manifest.ts";

/** All parts of chunks that a backup refers to. */
export async function* referencedParts(manifest: Manifest, read: ContentReader): AsyncGenerator<Part> {
  for (const { segments } of manifest.database.tables) for (const { parts } of segments) yield* parts;
  for (const { parts } of manifest.keys) yield* parts;
  yield* manifest.vault.files;
  for await (const { parts } of readFileList(manifest.vault.files, read)) yield* parts;
}
