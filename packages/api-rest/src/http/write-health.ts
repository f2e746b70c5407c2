import { findWriteProblem, type Db, type WriteProblem } from "@workspace/db";

/** Remembers that the database refused a write until it accepts writes again. */
export interface WriteHealth {
  /** Checks whether a request failed because the database refused a write. */
  note(error: unknown): void;
  /** Why the database refuses writes; null if it does not. If it has refused one, a test write finds out. */
  findProblem(): Promise<WriteProblem | null>;
}

/** Needs about a megabyte of disk space while the statement runs. */
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
