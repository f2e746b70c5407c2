import { DamagedError } from "./backup-error.ts";
import { createContentReader, type ContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import type { Manifest, Part } from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";

/** The chunks that backups need. */
export interface Needs {
  readonly chunks: ReadonlySet<string>;
  /** Those that are lost. */
  readonly lost: ReadonlySet<string>;
  /** The backups that need a lost one, or whose own list is damaged, the oldest first. */
  readonly damaged: readonly string[];
  /** The backups whose list is damaged, and how: what else they need is not known. */
  readonly unreadable: ReadonlyMap<string, DamagedError>;
}

/** Reads the lists of backups for the chunks that they need. */
export async function readNeeds(
  repository: Repository,
  ids: readonly string[],
  isLost: (chunk: string) => boolean,
): Promise<Needs> {
  const chunks = new Set<string>();
  const lost = new Set<string>();
  const damaged = new Set<string>();
  const unreadable = new Map<string, DamagedError>();
  const read = createContentReader(repository.chunks);
  for (const id of ids) {
    try {
      for await (const [chunk] of referencedParts(await repository.readManifest(id), read)) {
        chunks.add(chunk);
        if (!isLost(chunk)) continue;
        lost.add(chunk);
        damaged.add(id);
      }
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      unreadable.set(id, error);
      damaged.add(id);
    }
  }
  return { chunks, lost, damaged: [...damaged], unreadable };
}

/** All parts of chunks that a backup refers to. */
export async function* referencedParts(manifest: Manifest, read: ContentReader): AsyncGenerator<Part> {
  for (const { segments } of manifest.database.tables) for (const { parts } of segments) yield* parts;
  for (const { parts } of manifest.keys) yield* parts;
  yield* manifest.vault.files;
  for await (const { parts } of readFileList(manifest.vault.files, read)) yield* parts;
}
