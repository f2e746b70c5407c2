import { poll } from "../poll.ts";
import type { Log } from "../log.ts";
import { errorCode } from "../system-error.ts";
import type { Cluster } from "./cluster.ts";
import { type ClusterProcess, findClusterProcesses, type FindClusterProcesses } from "./cluster-processes.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** One stage of ending processes: a signal, which processes get it, and how long they may take. */
interface Stage {
  readonly signal: NodeJS.Signals | undefined;
  readonly isFor: (candidate: ClusterProcess) => boolean;
  readonly waitMs: number;
}

const everyone = (): boolean => true;

/**
 * First a graceful shutdown, for the server only: the same signal would make a checkpointer that has lost its server write a wrong
 * final checkpoint. Processes that have lost their server end by themselves unless they are busy.
 */
const STAGES: readonly Stage[] = [
  { signal: "SIGINT", isFor: ({ isPostmaster }) => isPostmaster, waitMs: 10_000 },
  { signal: "SIGQUIT", isFor: everyone, waitMs: 3000 },
  { signal: "SIGKILL", isFor: everyone, waitMs: 3000 },
];
const STAGES_WITHOUT_POSTMASTER: readonly Stage[] = [
  { signal: undefined, isFor: everyone, waitMs: 500 },
  ...STAGES.slice(1),
];

/**
 * Ends the processes that an earlier server of this cluster has left running (because it or its service was killed), and returns
 * once all of them have ended. The caller holds the instance lock, so no running service uses these processes.
 *
 * Idempotent. Throws {@link EmbeddedPostgresError} if a process survives even SIGKILL.
 */
export async function endLeftoverProcesses(
  { dir, owner, log }: Pick<Cluster, "dir" | "owner" | "log">,
  find: FindClusterProcesses = findClusterProcesses,
): Promise<void> {
  const leftovers = await find(dir, owner);
  if (leftovers.length === 0) return;
  const hasPostmaster = leftovers.some(({ isPostmaster }) => isPostmaster);
  log.warn({ dir, pids: leftovers.map(({ pid }) => pid) }, "an earlier PostgreSQL still uses this cluster; ending it");
  for (const stage of hasPostmaster ? STAGES : STAGES_WITHOUT_POSTMASTER) {
    for (const candidate of await find(dir, owner)) signalIfFor(stage, candidate, log);
    const isGone = async (): Promise<boolean> => (await find(dir, owner)).length === 0;
    if (await poll(isGone, { timeoutMs: stage.waitMs, intervalMs: 30 })) return;
  }
  throw new EmbeddedPostgresError(`PostgreSQL processes of an earlier run still use ${dir} and cannot be ended.`);
}

function signalIfFor({ signal, isFor }: Stage, candidate: ClusterProcess, log: Log): void {
  if (signal === undefined || !isFor(candidate)) return;
  try {
    process.kill(candidate.pid, signal);
  } catch (error) {
    // It has ended in the meantime.
    if (errorCode(error) === "ESRCH") return;
    log.warn({ err: error, pid: candidate.pid, signal }, "cannot signal a PostgreSQL process");
  }
}
