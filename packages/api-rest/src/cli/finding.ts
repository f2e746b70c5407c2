import type { Db } from "@workspace/db";
import type { CommandContext } from "./command.ts";

/** What the doctor has found. */
export interface Finding {
  readonly subject: string;
  readonly state: "good" | "warning" | "bad";
  /** A sentence. */
  readonly message: string;
  /** The sentence that mends it. */
  readonly remedy?: string;
}

/** What the doctor examines. */
export interface Examined extends CommandContext {
  /** Null if it cannot be opened, or has not the schema of this version. */
  readonly db: Db | null;
  readonly isServiceRunning: boolean;
}
