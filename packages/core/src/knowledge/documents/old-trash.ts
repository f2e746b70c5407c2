import type { Deps } from "../../platform/deps.ts";
import type { VaultLocks } from "../file-records/vault-locks.ts";
import type { Trash } from "../vault/trash.ts";
import { clearTrashKeys } from "./trash.queries.ts";

export interface OldTrashDeps extends Deps<"logger"> {
  readonly trash: Trash;
  readonly locks: VaultLocks;
}

/** Removes deleted files for good. May be interrupted anywhere: a discarded entry is removed by the next housekeeping. */
export function createOldTrash({ trash, locks, logger }: OldTrashDeps) {
  return {
    /** Removes what was deleted before a time, until it is aborted, and returns how many deletions that were. */
    async removeBefore(before: Date, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const { id, deletedAt } of await trash.list()) {
        if (signal.aborted) break;
        if (deletedAt >= before) continue;
        // Nothing can be restored from an entry while it is being discarded, because that requires the same lock.
        await locks.withTree("rebuildable", async (client) => {
          await clearTrashKeys(client, [id]);
          await trash.discard(id);
        });
        removed += 1;
      }
      await trash.removeDiscarded();
      if (removed > 0) logger.info({ count: removed }, "removed old entries from the trash");
      return removed;
    },
  };
}
