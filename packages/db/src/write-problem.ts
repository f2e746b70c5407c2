import { errorCode } from "./system-error.ts";

/** Why an available database refuses writes. */
export type WriteProblem = "disk full" | "read-only";

const PROBLEM_OF_STATE: ReadonlyMap<string, WriteProblem> = new Map([
  ["53100", "disk full"],
  ["25006", "read-only"],
]);

/** Why the database currently refuses writes, if an error thrown by a statement means that; null for other errors. */
export function findWriteProblem(error: unknown): WriteProblem | null {
  return PROBLEM_OF_STATE.get(errorCode(error) ?? "") ?? PROBLEM_OF_STATE.get(originalCode(error) ?? "") ?? null;
}

/** The database's error code, as Prisma stores it. */
function originalCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("meta" in error)) return undefined;
  const code = ["driverAdapterError", "cause", "originalCode"].reduce<unknown>(fieldOf, error.meta);
  return typeof code === "string" ? code : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
