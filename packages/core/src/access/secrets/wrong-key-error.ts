/** This process has a different key from the one the database is in use with. The message is meant for the operator. */
export class WrongKeyError extends Error {
  override readonly name = "WrongKeyError";
}
