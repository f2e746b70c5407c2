import type { Logger } from "../../platform/logger.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { nameOf, parentOf } from "../vault/vault-path.ts";
import type { WalkedDirectory } from "./vault-walk.ts";

export interface LeftoverRemovalDeps {
  readonly files: VaultFiles;
  readonly processes: Pick<ProcessRegistry, "findLivingWriters">;
  readonly logger: Logger;
}

/** Removes files of unfinished writes whose processes are dead. */
export async function removeLeftovers(
  walked: readonly WalkedDirectory[],
  { files, processes, logger }: LeftoverRemovalDeps,
): Promise<void> {
  const leftovers = walked.flatMap((directory) => directory.leftovers);
  if (leftovers.length === 0) return;
  const living = await processes.findLivingWriters(leftovers.map(({ writerId }) => writerId));
  const abandoned = leftovers.filter(({ writerId }) => writerId !== files.writerId && !living.has(writerId));
  for (const { path } of abandoned) await files.removeLeftover(parentOf(path), nameOf(path));
  if (abandoned.length > 0) logger.info({ count: abandoned.length }, "removed files of interrupted writes");
}
