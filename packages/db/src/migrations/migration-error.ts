/** The database's schema cannot be brought up to date. The message names the migration and says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
