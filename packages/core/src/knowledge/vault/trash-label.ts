import * as z from "zod";
import { DomainError, UnavailableError } from "../../platform/errors.ts";
import { TRASH_DIRECTORY } from "./service-folder.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, parseVaultPath, type VaultPath } from "./vault-path.ts";

const LABEL_NAME = "label.json";
const MAX_LABEL_BYTES = 64 * 1024;

const labelSchema = z.object({ path: z.string(), deletedAt: z.iso.datetime() });

/** A deleted file or directory. */
export interface TrashEntry {
  /** The name of its folder in the trash. */
  readonly id: string;
  readonly path: VaultPath;
  readonly deletedAt: Date;
}

const labelPath = (id: string): VaultPath => childOf(childOf(TRASH_DIRECTORY, id), LABEL_NAME);

/** Reads the label of a folder in the trash; null if it has no complete label. */
export async function readTrashLabel(files: VaultFiles, id: string): Promise<TrashEntry | null> {
  try {
    const file = await files.openFile(labelPath(id));
    try {
      const label = labelSchema.parse(JSON.parse((await file.readAll(MAX_LABEL_BYTES)).toString("utf8")));
      return { id, path: parseVaultPath(label.path), deletedAt: new Date(label.deletedAt) };
    } finally {
      file.release();
    }
  } catch (error) {
    // Either a crash interrupted the deletion before anything was moved, or the folder is not one of the service's.
    const isNoLabel = error instanceof DomainError && !(error instanceof UnavailableError);
    if (isNoLabel || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Writes a label. Its name becomes durable when the content is moved into the same folder, which syncs it. */
export async function writeTrashLabel(files: VaultFiles, { id, path, deletedAt }: TrashEntry): Promise<void> {
  const slot = await files.openSlot(labelPath(id), { create: true });
  try {
    await slot.stage(Buffer.from(JSON.stringify({ path, deletedAt: deletedAt.toISOString() })), null);
    await (await slot.place({ expected: null, keepAt: null })).finish();
  } finally {
    await slot.release();
  }
}
