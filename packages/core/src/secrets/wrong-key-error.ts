/** This process has another key than the database was first used with. The message is meant for whoever started it. */
export class WrongKeyError extends Error {
  override readonly name = "WrongKeyError";
}
