/** The embedded database cannot be set up or started. The message says what is wrong and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
