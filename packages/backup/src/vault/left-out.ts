import { BackupError, DamagedError } from "../backup-error.ts";
import type { ContentReader } from "../content-reader.ts";
import type { BackedUpFile } from "../manifest.ts";

/** How many files an error names. */
const MAX_NAMED = 20;

/** Collects the files of a vault that cannot be restored, so that the others are. */
export interface LeftOut {
  /** Their paths, sorted. */
  paths(): string[];
  /** Writes a file. If its content in the backup is damaged or missing, remembers it, and removes what was written. */
  attempt(file: BackedUpFile, read: ContentReader, work: Attempt): Promise<void>;
}

export interface Attempt {
  write(read: ContentReader): Promise<void>;
  remove(): Promise<void>;
}

/** Begins to collect. */
export function collectLeftOut(): LeftOut {
  const paths: string[] = [];
  return {
    paths: () => paths.toSorted(),
    async attempt({ path }, read, { write, remove }) {
      const lost = { isFound: false };
      // Whoever writes may report that reading failed in its own words.
      async function* watched(parts: Parameters<ContentReader>[0]): AsyncGenerator<Buffer> {
        try {
          yield* read(parts);
        } catch (error) {
          lost.isFound ||= isLoss(error);
          throw error;
        }
      }
      try {
        await write(watched);
      } catch (error) {
        if (!lost.isFound && !(error instanceof DamagedError)) throw error;
        await remove();
        paths.push(path);
      }
    },
  };
}

/** Whether content is gone for good; a disk that cannot read a place of it says EIO. */
export function isLoss(error: unknown): boolean {
  const cause = error instanceof BackupError ? error.cause : undefined;
  return error instanceof DamagedError || (cause instanceof Error && "code" in cause && cause.code === "EIO");
}

/** The error for whoever wants everything or nothing. */
export function describeLeftOut(backupId: string, paths: readonly string[]): BackupError {
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : "";
  const named = paths.slice(0, MAX_NAMED).map((path) => `"${path}"`);
  return new BackupError(
    `In the backup ${backupId}, this is damaged or missing: ${named.join(", ")}${more}. Restore an earlier or later backup that ` +
      "`workspace verify --all` finds whole, or repeat this with --without-damaged, which restores everything else.",
  );
}
