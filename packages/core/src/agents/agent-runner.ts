import type { Db, Listener, Pool, PoolClient } from "@workspace/db";
import type { Logger } from "../platform/logger.ts";
import type { IdGenerator } from "../platform/ids.ts";
import type { Clock } from "../platform/clock.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import { repeat, type Closable } from "../platform/repeat.ts";
import type { AgentQuestion } from "./agent-prompt.ts";
import { insertRun, selectEndedRuns } from "./agent-run.queries.ts";
import type { RunTrigger } from "./agent-run.schema.ts";
import type { StoredAgent } from "./agent.schema.ts";
import type { PendingRun, RunControl } from "./run-execution.ts";
import type { StopReason } from "./run-outcome.ts";

/** Tells every process which runs have been ended, as ids with commas between. */
const CHANNEL = "workspace_runs_ended";
const IDS_PER_NOTIFICATION = 150;
/** For what the channel did not tell. */
const CHECK_EVERY_MS = 2_000;

export interface NewRun {
  readonly id?: string;
  readonly agent: StoredAgent;
  readonly trigger: RunTrigger;
  readonly question?: AgentQuestion | null;
  readonly onText?: (delta: string) => void;
}

/** A run as it is going to be stored. */
export type PreparedRun = PendingRun & { readonly trigger: RunTrigger };

/** The runs that this process executes. */
export interface AgentRunner extends Closable {
  /** A run that begins now and is not stored yet. */
  prepare(run: NewRun): PreparedRun;
  /** Stores a run as running, in the caller's transaction or at once. It has to be executed after that. */
  insert(db: Pool | PoolClient, run: PreparedRun): Promise<void>;
  /** The runs that this process has under way. */
  activeIds(): string[];
  /** Begins a stored run; resolves when it has ended. Never rejects. */
  execute(run: PendingRun): Promise<void>;
  /** Stops runs that were ended in the database, in whichever process they are. */
  stopEnded(runIds: readonly string[]): Promise<void>;
  start(): Promise<void>;
}

export interface AgentRunnerOptions {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly processes: ProcessRegistry;
  readonly modelName: string | null;
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
      const heard = onText === undefined ? {} : { onText };
      return { id, agent, trigger, processId, startedAt: clock.now(), question, ...heard };
    },

    async insert(client, { id, agent, trigger, processId, startedAt }) {
      await insertRun(client, { id, agentId: agent.id, trigger, processId, model: modelName, startedAt });
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
        const some = runIds.slice(start, start + IDS_PER_NOTIFICATION);
        await db.pool.query("SELECT pg_notify($1, $2)", [CHANNEL, some.join(",")]);
      }
    },

    async start() {
      processes.onLost(() => stopLocally(active.keys(), "ended"));
      closers.push(await listener.listen(CHANNEL, (payload) => stopLocally(payload.split(","), "ended")));
      const checking = repeat(checkForEnded, {
        everyMs: CHECK_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, "could not check for runs that were ended elsewhere"),
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
