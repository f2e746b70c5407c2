import type { Deps } from "../../platform/deps.ts";
import type { Term } from "./mirror-leadership.ts";
import { saveSuspension } from "./mirror-state.ts";

/** The state of the mirror, for health and for people waiting for a long initial comparison. */
export interface FollowerStatus {
  /** Why nothing is mirrored; null while everything is fine. */
  readonly suspendedFor: string | null;
  /** The number of files found by the last full comparison; null before the first. */
  readonly files: number | null;
  /** The progress of a running full comparison: how many of the changed files have been recorded. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

export const INITIAL_STATUS: FollowerStatus = { suspendedFor: null, files: null, progress: null };

export interface StatusKeeperDeps extends Deps<"db" | "clock"> {
  readonly onStatus: (status: FollowerStatus) => void;
}

/** Keeps the status of this process's mirror and shares suspensions with the other processes. */
export function createStatusKeeper({ db, clock, onStatus }: StatusKeeperDeps, term: Term) {
  let status = INITIAL_STATUS;

  return {
    get current(): FollowerStatus {
      return status;
    },

    update(changes: Partial<FollowerStatus>): void {
      status = { ...status, ...changes };
      onStatus(status);
    },

    /** Saves for the other processes why nothing is mirrored; null if everything is fine. */
    async saveSuspension(suspendedFor: string | null): Promise<void> {
      await saveSuspension(db, term, { suspendedFor, now: clock.now() });
    },
  };
}
