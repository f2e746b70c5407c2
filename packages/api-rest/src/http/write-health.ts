import { findWriteProblem, type Db, type WriteProblem } from "@workspace/db";

/** Remembers that the database refused a write, until it takes writes again. */
export interface WriteHealth {
  /** Looks at an error that a request failed with. */
  note(error: unknown): void;
  /** Why the database takes no writes; null where it does. While a refusal is remembered, it is asked to write something. */
  findProblem(): Promise<WriteProblem | null>;
}

/** Needs about a megabyte of the disk, for the length of the statement. */
const TRY_TO_WRITE = "CREATE TEMP TABLE write_probe ON COMMIT DROP AS SELECT generate_series(1, 30000) AS number";

export function createWriteHealth(db: Db): WriteHealth {
  let problem: WriteProblem | null = null;
  return {
    note(error) {
      problem = findWriteProblem(error) ?? problem;
    },
    async findProblem() {
      if (problem === null) return null;
      try {
        await db.pool.query(TRY_TO_WRITE);
        problem = null;
      } catch (error) {
        problem = findWriteProblem(error) ?? problem;
      }
      return problem;
    },
  };
}
