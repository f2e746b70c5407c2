import { errorCode } from "./system-error.ts";

/** Why a database that answers takes no writes. */
export type WriteProblem = "disk full" | "read-only";

const PROBLEM_OF_STATE: ReadonlyMap<string, WriteProblem> = new Map([
  ["53100", "disk full"],
  ["25006", "read-only"],
]);

/** Whether an error that a statement threw means that the database cannot take writes at the moment, and why; null for others. */
export function findWriteProblem(error: unknown): WriteProblem | null {
  return PROBLEM_OF_STATE.get(errorCode(error) ?? "") ?? PROBLEM_OF_STATE.get(originalCode(error) ?? "") ?? null;
}

/** Where Prisma keeps the code of the database. */
function originalCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("meta" in error)) return undefined;
  const code = ["driverAdapterError", "cause", "originalCode"].reduce<unknown>(fieldOf, error.meta);
  return typeof code === "string" ? code : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
