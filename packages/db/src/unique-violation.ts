const UNIQUE_VIOLATION = "23505";

/** Whether a statement failed because there is a row with the same key already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}
