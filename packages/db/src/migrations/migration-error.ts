/** The database's schema cannot be brought up to date. The message names the migration and describes what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
