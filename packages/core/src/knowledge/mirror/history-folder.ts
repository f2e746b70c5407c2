import { DomainError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ServiceFolder } from "../vault/service-folder.ts";

export interface HistoryFolderDeps {
  readonly folder: ServiceFolder;
  /** Moves the data that earlier releases kept elsewhere into the vault. Idempotent. */
  readonly migrateLegacyData: () => Promise<void>;
  readonly logger: Logger;
}

/** Prepares the folder for trash and versions in the vault, and knows whether this process can use it. */
export function createHistoryFolder({ folder, migrateLegacyData, logger }: HistoryFolderDeps) {
  let isPrepared = false;
  /** Why this process's legacy data could not be moved into the vault; null if it was. */
  let migrationProblem: string | null = null;

  async function migrate(): Promise<void> {
    try {
      await migrateLegacyData();
      migrationProblem = null;
    } catch (error) {
      logger.error({ err: error }, "trash and versions could not be moved into the vault");
      const reason = error instanceof DomainError ? error.message : "The disk failed.";
      migrationProblem = `The deleted files and earlier versions kept by this process could not be moved into the vault: ${reason}`;
    }
  }

  return {
    /** Creates the folder and migrates legacy data, once. */
    async prepare(): Promise<void> {
      if (isPrepared) return;
      isPrepared = true;
      await folder
        .prepare()
        .catch((err: unknown) => logger.warn({ err }, "the folder .workspace could not be created"));
      await migrate();
    },

    /** Repeats a migration that has failed. */
    async retryMigration(): Promise<void> {
      if (migrationProblem !== null) await migrate();
    },

    /** Why this process cannot use the folder, as a sentence for people; null if it can. */
    async findProblem(): Promise<string | null> {
      try {
        await folder.assertUsable();
        return migrationProblem;
      } catch (error) {
        if (error instanceof DomainError) return error.message;
        throw error;
      }
    },
  };
}
