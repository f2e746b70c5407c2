import { transaction, type Db } from "@workspace/db";
import { selectUserPrincipal } from "../auth/auth.queries.ts";
import type { ModelAccess } from "../models/model-access.ts";
import { isBilled, type ModelCharge } from "../models/model-charge.ts";
import { runTurns, type TurnLoopEnd, type TurnObserver } from "../models/turn-loop.ts";
import type { Clock } from "../platform/clock.ts";
import { NotFoundError } from "../platform/errors.ts";
import type { Change, EventBus } from "../platform/events.ts";
import type { Logger } from "../platform/logger.ts";
import { fromUsd, toUsd, type NanoUsd } from "../platform/money.ts";
import type { Redactor } from "../platform/redactor.ts";
import { repeat } from "../platform/repeat.ts";
import { retryWhileAway } from "../platform/retry-while-away.ts";
import { createToolGuard, type ToolGuard } from "../tools/tool-guard.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { SpendingLimits } from "../usage/spend-guard.ts";
import { createAgentMessages, type AgentQuestion } from "./agent-prompt.ts";
import { isRunTakenOver, saveRun, updateRunProgress, type EndStatus } from "./agent-run.queries.ts";
import type { StoredAgent } from "./agent.schema.ts";
import { outcomeOf, outcomeOfError, type RunOutcome, type StopReason } from "./run-outcome.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";

/** A run that is stored as running and waits to be executed. */
export interface PendingRun {
  readonly id: string;
  readonly agent: StoredAgent;
  /** The process that executes it. */
  readonly processId: string;
  readonly startedAt: Date;
  /** What somebody asks the agent; null where it does what its own prompt says. */
  readonly question: AgentQuestion | null;
  /** Hears the answer while it is given. */
  readonly onText?: (delta: string) => void;
}

/** How a run is stopped from outside. */
export interface RunControl {
  readonly signal: AbortSignal;
  /** Why, once the signal has aborted. */
  reason(): StopReason | null;
}

export interface RunExecutionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly models: ModelAccess;
  readonly toolbox: Toolbox;
  readonly redactor: Redactor;
  /** The server's time zone. */
  readonly timeZone: string;
}

/** Others have ended the run, because this process was silent for longer than its lease; its record is not to be touched. */
class RunTakenOverError extends Error {
  override readonly name = "RunTakenOverError";
  /** What a call has cost that nobody will book. */
  readonly charge: ModelCharge | null;

  constructor(charge: ModelCharge | null) {
    super("The run was taken over by another process.");
    this.charge = charge;
  }
}

/** How often what a running run has said is stored, for people to see and in case of a crash. */
const SAVE_PROGRESS_EVERY_MS = 1_000;

const ACTION_OF_END: Record<EndStatus, Change["action"]> = {
  success: "complete",
  error: "fail",
  budget_exceeded: "fail",
  cancelled: "cancel",
};

/** Executes a run from its first call to its stored end. Never throws. */
export function createRunExecution(deps: RunExecutionDeps) {
  const { db, clock, events, logger } = deps;

  /**
   * Stores a call's cost, what the run has come to, and its end where it has come, all together. Throws
   * {@link RunTakenOverError}, with nothing stored, where others have ended the run because this process's lease ran out.
   */
  async function save(
    run: PendingRun,
    record: RunRecord,
    control: RunControl,
    { charge, outcome }: { charge: ModelCharge | null; outcome: RunOutcome },
  ): Promise<void> {
    const { id: runId, agent, processId, startedAt } = run;
    const progress = { runId, processId, ...record.takeSnapshot() };
    const now = clock.now();
    const durationMs = now.getTime() - startedAt.getTime();
    const store = () =>
      transaction(db.pool, async (client) => {
        // First, because it holds on to the run: nobody can take it over until all of this is stored.
        const saved = await saveRun(client, progress, { charge, end: outcome, now });
        if (saved === "taken over") throw new RunTakenOverError(charge);
        if (charge !== null) {
          const usage = { id: runId, source: "agent", sourceId: runId, sourceName: agent.name } as const;
          await deps.models.requireGateway().book(client, charge, { ...usage, durationMs, happenedAt: startedAt });
        }
        return saved === "ended";
      });
    const hasEnded = await retryWhileAway(store, () => control.reason() === "shutdown");
    if (charge !== null && isBilled(charge))
      events.publish({ resource: "usage", action: "create", resourceId: runId, resourceName: agent.name });
    if (hasEnded && outcome !== null) {
      const action = ACTION_OF_END[outcome.status];
      events.publish({ resource: "agent", action, resourceId: agent.id, resourceName: agent.name });
    }
  }

  /** What such a run has cost since is not booked: its reservation stands for it, as after a crash. The log has it. */
  function reportTakenOver({ id: runId, agent }: PendingRun, { charge }: RunTakenOverError): void {
    const cost = charge === null ? {} : { usage: charge.usage, costUsd: toUsd(charge.cost) };
    logger.warn({ runId, agentId: agent.id, ...cost }, "a run was ended by other processes while this one was silent");
  }

  async function runLoop(run: PendingRun, record: RunRecord, control: RunControl): Promise<TurnLoopEnd> {
    const { agent, question, startedAt, onText } = run;
    const findCreator = () => selectUserPrincipal(db.pool, agent.creator.id);
    const principal = await retryWhileAway(findCreator, () => control.signal.aborted);
    if (principal === null) throw new NotFoundError("The user who made the agent does not exist any more.");
    const maxBudget = agent.maxBudgetUsd === null ? null : fromUsd(agent.maxBudgetUsd);
    const dailyLimit = agent.dailyBudgetUsd === null ? null : fromUsd(agent.dailyBudgetUsd);
    let spent: NanoUsd = 0n;
    const limits = (): SpendingLimits => ({
      runLeft: maxBudget === null ? null : maxBudget - spent,
      agent: { id: agent.id, dailyLimit },
    });
    const observer: TurnObserver = {
      onText: (delta) => {
        record.addText(delta);
        onText?.(delta);
      },
      // Who listens to the answer as it comes cannot take back what they have heard.
      ...(onText === undefined && { onRestart: () => record.dropUnfinishedText() }),
      onToolStart: (use) => record.add(use),
      onToolEnd: (result) => record.add(result),
      saveTurn: async ({ charge }) => {
        spent += charge.atMost;
        await save(run, record, control, { charge, outcome: null });
      },
      beforeTool: async () => {
        const look = () => isRunTakenOver(db.pool, run.id, run.processId);
        if (await retryWhileAway(look, () => control.signal.aborted)) throw new RunTakenOverError(null);
      },
    };
    return runTurns({
      gateway: deps.models.requireGateway(),
      toolbox: deps.toolbox,
      scope: { principal, actor: `agent_run:${run.id}`, names: agent.tools, guard: createRunGuard(run) },
      messages: createAgentMessages({
        agent,
        question,
        now: startedAt,
        timeZone: agent.timezone ?? deps.timeZone,
      }),
      maxTurns: agent.maxTurns,
      limits,
      signal: control.signal,
      observer,
    });
  }

  /** Nobody is there to ask during a run, so what the agent was given beforehand decides. */
  function createRunGuard({ agent, question }: PendingRun): ToolGuard {
    // Earlier answers were made from what was read for them.
    const readBefore = question !== null && question.earlier.length > 0 ? "an earlier answer" : null;
    return createToolGuard({ policy: agent.allowDestructive ? "allow" : "refuse", readBefore });
  }

  return async function executeRun(run: PendingRun, control: RunControl): Promise<void> {
    const record = createRunRecord(deps.redactor);
    const saveProgress = async () => {
      if (!record.hasChanged) return;
      const { id: runId, processId } = run;
      await updateRunProgress(db.pool, { runId, processId, ...record.takeSnapshot() });
    };
    const saving = repeat(saveProgress, {
      everyMs: SAVE_PROGRESS_EVERY_MS,
      onError: (error) => logger.warn({ err: error, runId: run.id }, "a run's progress could not be stored yet"),
    });
    try {
      const ending = await runLoop(run, record, control);
      await saving.close();
      const outcome = outcomeOf(ending, { maxTurns: run.agent.maxTurns, reason: control.reason() });
      await save(run, record, control, { charge: ending.call?.charge ?? null, outcome });
    } catch (error) {
      await saving.close();
      if (error instanceof RunTakenOverError) return reportTakenOver(run, error);
      const outcome = outcomeOfError(error);
      logger.warn({ err: error, runId: run.id, agentId: run.agent.id, status: outcome.status }, "a run ended early");
      await save(run, record, control, { charge: null, outcome }).catch((saveError: unknown) =>
        logger.error({ err: saveError, runId: run.id }, "the end of a run could not be stored"),
      );
    }
  };
}
