import { errorCode } from "./system-error.ts";

/** Why an available database refuses writes. */
export type WriteProblem = "disk full" | "read-only";

const PROBLEM_OF_STATE: ReadonlyMap<string, WriteProblem> = new Map([
  ["53100", "disk full"],
  ["25006", "read-only"],
]);

/** Why the database currently refuses writes, if an error thrown by a statement means that; null for other errors. */
export function findWriteProblem(error: unknown): WriteProblem | null {
  return PROBLEM_OF_STATE.get(errorCode(error) ?? "") ?? null;
}
