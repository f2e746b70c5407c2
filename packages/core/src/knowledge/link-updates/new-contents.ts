import type { Deps } from "../../platform/deps.ts";
import { DomainError, UnavailableError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { encodeText } from "../../platform/text-pieces.ts";
import { HEAD_BYTES, toText } from "../file-records/document-content.ts";
import type { FileState } from "../file-records/file-state.ts";
import { parseMarkdown } from "../markdown/frontmatter.ts";
import { rewriteLinks, type PlannedLink } from "../markdown/link-rewrite.ts";
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
  async function readNote(path: VaultPath): Promise<{ text: string; before: FileState } | null> {
    const file = await openIfPresent(files, path);
    if (file === null) return null;
    try {
      if (file.stat.sizeBytes > maxContentBytes) return null;
      const bytes = await file.readAll(maxContentBytes);
      const text = toText(bytes);
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
    const from = parseMarkdown(text.slice(0, HEAD_BYTES)).head.length;
    const { resolve } = world;
    const rewritten = await rewriteLinks({
      text,
      from,
      to: HEAD_BYTES,
      path: file.path,
      resolve,
      meant: meantBy(file, world),
    });
    if (rewritten.changed.length === 0) return null;
    const bytes = await encodeText(rewritten.text);
    return { file, before, afterHash: await hashContent(bytes), bytes, changed: rewritten.changed };
  }

  /** The earlier content of a file; `refused` if it has been changed since. */
  async function prepareRestoring(file: PendingFile): Promise<NewContent | "refused" | null> {
    const { beforeHash, afterHash, path } = file;
    const before = await stateOf(path);
    if (before === null || beforeHash === null || afterHash === null) return "refused";
    if (before.contentHash === afterHash) return null;
    return before.contentHash === beforeHash ? { file, before, afterHash, bytes: null, changed: [] } : "refused";
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
    const intended = contents.map(({ file, before, afterHash, changed }) => {
      const { contentHash: beforeHash } = before;
      return { documentId: file.documentId, beforeHash, afterHash, links: changed.length, targets: changed };
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
