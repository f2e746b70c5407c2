/** The `code` of an error of the operating system or of PostgreSQL (ENOENT, 42P01, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The message of an unknown thrown value, for another message or a log field. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
