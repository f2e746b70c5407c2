import { MigrationError } from "./migration-error.ts";
import type { Migration } from "./migration-folder.ts";

/** A row of `_prisma_migrations`, where Prisma records what it has applied. */
export interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
  readonly isRolledBack: boolean;
}

/**
 * The migrations that have not been applied to a database. Throws {@link MigrationError} if the database's history does not match
 * the folder: it was migrated by a newer version, an applied migration has since been edited, or one was left unfinished.
 */
export function findPendingMigrations(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
): readonly Migration[] {
  const recordByName = new Map(
    records.filter(({ isRolledBack }) => !isRolledBack).map((record) => [record.name, record]),
  );
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...recordByName.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has been migrated by a newer version of the service, which added ${unknown.join(", ")}. ` +
        "Start that version, or restore a backup from before the upgrade.",
    );
  }
  return migrations.filter((migration) => {
    const record = recordByName.get(migration.name);
    if (record !== undefined) assertApplied(migration, record);
    return record === undefined;
  });
}

function assertApplied(migration: Migration, record: MigrationRecord): void {
  const isSameText = [migration.checksum, ...migration.formerChecksums].includes(record.checksum);
  if (!record.isFinished) {
    throw new MigrationError(
      `The migration ${migration.name} has been started by another tool and has not finished. ` +
        "Restore a backup, or repair the schema and its row in _prisma_migrations manually.",
    );
  }
  if (!isSameText) {
    throw new MigrationError(
      `The migration ${migration.name} was edited after it had been applied to this database. ` +
        "Revert the edit and move the change to a new migration.",
    );
  }
}
