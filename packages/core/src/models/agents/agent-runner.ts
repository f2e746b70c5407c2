import type { Listener, Pool, PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { notify } from "../../platform/notify.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import type { AgentQuestion } from "./agent-prompt.ts";
import { insertRun, selectEndedRuns } from "./agent-run.queries.ts";
import type { RunTrigger } from "./agent-run.schema.ts";
import type { StoredAgent } from "./agent.schema.ts";
import type { PendingRun, RunControl } from "./pending-run.ts";
import type { StopReason } from "./run-outcome.ts";

/** Notifies all processes of runs that were ended, as comma-separated ids. */
const CHANNEL = "workspace_runs_ended";
const IDS_PER_NOTIFICATION = 150;
/** How often to check the database for ended runs, in case a notification was lost. */
const CHECK_INTERVAL_MS = 2_000;

export interface NewRun {
  readonly id?: string;
  readonly agent: StoredAgent;
  readonly trigger: RunTrigger;
  readonly question?: AgentQuestion | null;
  readonly onText?: (delta: string) => void;
}

/** A run that is about to be stored. */
export type PreparedRun = PendingRun & { readonly trigger: RunTrigger };

/** The runs that this process executes. */
export interface AgentRunner extends Closable {
  /** Creates a run that starts now and is not stored yet. */
  prepare(run: NewRun): PreparedRun;
  /** Stores a run as running, in the caller's transaction or on its own. The caller must execute it afterwards. */
  insert(db: Pool | PoolClient, run: PreparedRun): Promise<void>;
  /** The ids of the runs in progress in this process. */
  activeIds(): string[];
  /** Executes a stored run and resolves once it has ended. Never rejects. */
  execute(run: PendingRun): Promise<void>;
  /** Stops runs that were ended in the database, in whichever process they are executed. */
  stopEnded(runIds: readonly string[]): Promise<void>;
  start(): Promise<void>;
}

export interface AgentRunnerOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly listener: Listener;
  readonly processes: ProcessRegistry;
  readonly modelName: () => Promise<string | null>;
  readonly executeRun: (run: PendingRun, control: RunControl) => Promise<void>;
}

interface ActiveRun {
  readonly stop: (reason: StopReason) => void;
  readonly done: Promise<void>;
}

export function createAgentRunner(options: AgentRunnerOptions): AgentRunner {
  const { db, listener, clock, ids, logger, processes, modelName, executeRun } = options;
  const active = new Map<string, ActiveRun>();
  const closers: (() => unknown)[] = [];

  const stopLocally = (runIds: Iterable<string>, reason: StopReason): void => {
    for (const id of runIds) active.get(id)?.stop(reason);
  };

  async function checkForEnded(): Promise<void> {
    if (active.size > 0) stopLocally(await selectEndedRuns(db.pool, [...active.keys()]), "ended");
  }

  return {
    activeIds: () => [...active.keys()],

    prepare({ id = ids(), agent, trigger, question = null, onText }) {
      const { processId } = processes;
      const run = { id, agent, trigger, processId, startedAt: clock.now(), question };
      return onText === undefined ? run : { ...run, onText };
    },

    async insert(client, { id, agent, trigger, processId, startedAt }) {
      await insertRun(client, { id, agentId: agent.id, trigger, processId, model: await modelName(), startedAt });
    },

    execute(run) {
      const controller = new AbortController();
      let reason: StopReason | null = null;
      const stop = (why: StopReason): void => {
        reason = reason === null || why === "shutdown" ? why : reason;
        controller.abort();
      };
      const done = executeRun(run, { signal: controller.signal, reason: () => reason }).finally(() =>
        active.delete(run.id),
      );
      active.set(run.id, { stop, done });
      return done;
    },

    async stopEnded(runIds) {
      stopLocally(runIds, "ended");
      for (let start = 0; start < runIds.length; start += IDS_PER_NOTIFICATION) {
        const batch = runIds.slice(start, start + IDS_PER_NOTIFICATION);
        await notify(db.pool, CHANNEL, batch.join(","));
      }
    },

    async start() {
      processes.onLost(() => stopLocally(active.keys(), "ended"));
      closers.push(await listener.listen(CHANNEL, (payload) => stopLocally(payload.split(","), "ended")));
      const checking = repeat(checkForEnded, {
        everyMs: CHECK_INTERVAL_MS,
        onError: (error) => logger.warn({ err: error }, "could not check for runs ended by other processes"),
      });
      closers.push(() => checking.close());
    },

    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
      stopLocally(active.keys(), "shutdown");
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };
}
