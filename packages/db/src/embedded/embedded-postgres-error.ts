/** The embedded database cannot be set up or started. The message describes the problem and how to solve it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
