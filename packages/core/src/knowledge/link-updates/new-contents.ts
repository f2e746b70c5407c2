import type { Deps } from "../../platform/deps.ts";
import { DomainError, UnavailableError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { encodeText } from "../../platform/text-pieces.ts";
import { HEAD_BYTES, toText } from "../file-records/document-content.ts";
import type { FileState } from "../file-records/file-state.ts";
import { rewriteLinks, type PlannedLink } from "../markdown/link-rewrite.ts";
import { renameTag, type TagRename } from "../markdown/tag-rename.ts";
import { hashContent, hashFile } from "../vault/content-hash.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { putIntendedContents, refuseRestored, type PendingFile } from "./link-update.queries.ts";
import { meantBy, type LinkWorld } from "./link-world.ts";

const MAX_CONCURRENT_READS = 8;

export interface ContentPreparerDeps extends Deps<"db"> {
  readonly files: VaultFiles;
  readonly maxContentBytes: number;
}

/** A content that a file is to get if it still has another one. */
export interface NewContent {
  readonly file: PendingFile;
  /** The file as it was read. */
  readonly before: FileState;
  readonly afterHash: string;
  /** Null for an earlier content. */
  readonly bytes: Buffer | null;
  readonly changed: readonly PlannedLink[];
  /** How many links, or tags, are changed. */
  readonly count: number;
}

interface ReadNote {
  readonly text: string;
  readonly before: FileState;
}

export type PrepareContents = (
  updateId: string,
  chunk: readonly PendingFile[],
  world: LinkWorld,
) => Promise<NewContent[]>;

/**
 * Creates the function that reads files and determines what is to be written in their place, and records that. Files that need not
 * be changed are left out.
 */
export function createContentPreparer({ db, files, maxContentBytes }: ContentPreparerDeps): PrepareContents {
  /** The whole file with its hash; null if its links cannot be changed, because it is gone, too large or no text. */
  async function readNote(path: VaultPath): Promise<ReadNote | null> {
    const file = await openIfPresent(files, path);
    if (file === null) return null;
    try {
      if (file.stat.sizeBytes > maxContentBytes) return null;
      const bytes = await file.readAll(maxContentBytes);
      const text = await toText(bytes);
      return text === null ? null : { text, before: { stat: file.stat, contentHash: await hashContent(bytes) } };
    } finally {
      file.release();
    }
  }

  async function stateOf(path: VaultPath): Promise<FileState | null> {
    const file = await openIfPresent(files, path);
    if (file === null) return null;
    try {
      return { stat: file.stat, contentHash: await hashFile(file) };
    } finally {
      file.release();
    }
  }

  async function prepareLinks(file: PendingFile, world: LinkWorld): Promise<NewContent | null> {
    const note = await readNote(file.path);
    if (note === null) return null;
    const { text, before } = note;
    if (file.tagRename !== null) return prepareTags(file, file.tagRename, note);
    const { resolve } = world;
    const rewritten = await rewriteLinks({
      text,
      to: HEAD_BYTES,
      path: file.path,
      resolve,
      meant: meantBy(file, world),
    });
    if (rewritten.changed.length === 0) return null;
    const bytes = await encodeText(rewritten.text);
    const { changed } = rewritten;
    return { file, before, afterHash: await hashContent(bytes), bytes, changed, count: changed.length };
  }

  async function prepareTags(
    file: PendingFile,
    rename: TagRename,
    { text, before }: ReadNote,
  ): Promise<NewContent | null> {
    // Once is enough: the new name may be nested in the old one.
    if (before.contentHash === file.afterHash) return null;
    const renamed = renameTag(text, rename, HEAD_BYTES);
    if (renamed.count === 0) return null;
    const bytes = await encodeText(renamed.text);
    return { file, before, afterHash: await hashContent(bytes), bytes, changed: [], count: renamed.count };
  }

  /** The earlier content of a file; `refused` if it has been changed since. */
  async function prepareRestoring(file: PendingFile): Promise<NewContent | "refused" | null> {
    const { beforeHash, afterHash, path } = file;
    const before = await stateOf(path);
    if (before === null || beforeHash === null || afterHash === null) return "refused";
    if (before.contentHash === afterHash) return null;
    return before.contentHash === beforeHash
      ? { file, before, afterHash, bytes: null, changed: [], count: 0 }
      : "refused";
  }

  return async (updateId, chunk, world) => {
    const restored = chunk.filter(({ isRestored }) => isRestored);
    const restoring = await mapConcurrently(restored, MAX_CONCURRENT_READS, prepareRestoring);
    const refused = restored.filter((_, index) => restoring[index] === "refused");
    await refuseRestored(
      db.pool,
      updateId,
      refused.map(({ documentId }) => documentId),
    );
    const others = [...chunk.filter(({ isRestored }) => !isRestored), ...refused];
    const rewriting = await mapConcurrently(others, MAX_CONCURRENT_READS, (file) => prepareLinks(file, world));
    const contents = rewriting.filter((content) => content !== null);
    const intended = contents.map(({ file, before, afterHash, changed, count }) => {
      const { contentHash: beforeHash } = before;
      return { documentId: file.documentId, beforeHash, afterHash, links: count, targets: changed };
    });
    await putIntendedContents(db.pool, updateId, intended);
    return [...restoring.filter((content) => content !== null && content !== "refused"), ...contents];
  };
}

async function openIfPresent(files: VaultFiles, path: VaultPath) {
  try {
    return await files.openFile(path);
  } catch (error) {
    if (error instanceof DomainError && !(error instanceof UnavailableError)) return null;
    throw error;
  }
}
