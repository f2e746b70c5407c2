import { traced } from "@workspace/db";
import { selectUserPrincipal } from "../../access/auth/auth.queries.ts";
import { NotFoundError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { fromUsd, toUsd, type NanoUsd } from "../../platform/money.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { repeat } from "../../platform/repeat.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { createToolGuard, type ToolGuard } from "../tools/tool-guard.ts";
import type { Toolbox, ToolScope } from "../tools/toolbox.ts";
import { runTurns, type TurnLoopEnd, type TurnObserver } from "../tools/turn-loop.ts";
import type { SpendingLimits } from "../usage/spend-guard.ts";
import { createAgentMessages } from "./agent-prompt.ts";
import type { PendingRun, RunControl } from "./pending-run.ts";
import { outcomeOf, outcomeOfError } from "./run-outcome.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import { createRunStorage, RunTakenOverError, type RunStorageDeps } from "./run-storage.ts";

export interface RunExecutionDeps extends RunStorageDeps {
  readonly logger: Logger;
  readonly toolbox: Toolbox;
  readonly redactor: Redactor;
  /** The server's time zone. */
  readonly timeZone: string;
}

/** How often the progress of a run is stored, for people to see and in case of a crash. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Executes a run from its first call to its stored end. Never throws. */
export function createRunExecution(deps: RunExecutionDeps) {
  const { db, logger } = deps;
  const storage = createRunStorage(deps);

  async function runLoop(run: PendingRun, record: RunRecord, control: RunControl): Promise<TurnLoopEnd> {
    const { agent, question, startedAt, onText } = run;
    const findCreator = () => selectUserPrincipal(db.pool, agent.creator.id);
    const principal = await retryWhileUnavailable(findCreator, () => control.signal.aborted);
    if (principal === null) throw new NotFoundError("The user who created the agent no longer exists.");
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
      // Text that was already streamed to a caller cannot be taken back.
      ...(onText === undefined && { onRestart: () => record.dropUnfinishedText() }),
      onToolStart: (use) => record.add(use),
      onToolEnd: (result) => record.add(result),
      saveTurn: async ({ charge }) => {
        spent += charge.upperBound;
        await storage.save(run, record, control, { charge, outcome: null });
      },
      beforeTool: () => storage.assertOwned(run, control),
    };
    return runTurns({
      gateway: await deps.models.requireGateway("agents"),
      toolbox: deps.toolbox,
      scope: { principal, origin: originOf(run), names: agent.tools, guard: createRunGuard(run) },
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

  /** The last call of such a run is not booked: its reservation stands in for it, as after a crash. The log has the cost. */
  function reportTakenOver({ id: runId, agent }: PendingRun, { charge }: RunTakenOverError): void {
    const cost = charge === null ? {} : { usage: charge.usage, costUsd: toUsd(charge.cost) };
    logger.warn({ runId, agentId: agent.id, ...cost }, "a run was ended by other processes while this one was silent");
  }

  return (run: PendingRun, control: RunControl): Promise<void> => traceRun(run, () => executeRun(run, control));

  /** Returns with which status the run ended; null if it succeeded. */
  async function executeRun(run: PendingRun, control: RunControl): Promise<string | null> {
    const record = createRunRecord(deps.redactor);
    const saving = repeat(() => storage.saveProgress(run, record), {
      everyMs: PROGRESS_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error, runId: run.id }, "could not store the progress of a run"),
    });
    try {
      const ending = await runLoop(run, record, control);
      await saving.close();
      const outcome = outcomeOf(ending, { maxTurns: run.agent.maxTurns, reason: control.reason() });
      await storage.save(run, record, control, { charge: ending.call?.charge ?? null, outcome });
      return outcome?.status === "success" ? null : (outcome?.status ?? "ended");
    } catch (error) {
      await saving.close();
      if (error instanceof RunTakenOverError) {
        reportTakenOver(run, error);
        return "taken_over";
      }
      const outcome = outcomeOfError(error);
      logger.warn({ err: error, runId: run.id, agentId: run.agent.id, status: outcome.status }, "a run ended early");
      await storage
        .save(run, record, control, { charge: null, outcome })
        .catch((saveError: unknown) =>
          logger.error({ err: saveError, runId: run.id }, "could not store the end of a run"),
        );
      return outcome.status;
    }
  }
}

/** A span for a run, by the conventions for agents: without its name and its texts. */
function traceRun({ id, agent }: PendingRun, execute: () => Promise<string | null>): Promise<void> {
  return traced(
    () => ({
      name: "invoke_agent",
      kind: "internal",
      beginsTrace: true,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": agent.id,
        "workspace.run.id": id,
      },
    }),
    async (attributes) => {
      const failure = await execute();
      if (attributes !== null && failure !== null) attributes["error.type"] = failure;
    },
  );
}

function originOf({ id: runId, agent }: PendingRun): ToolScope["origin"] {
  return { kind: "agent", agentId: agent.id, agentName: agent.name, runId };
}

/** Nobody can be asked during a run, so the agent's permissions decide. */
function createRunGuard({ agent, question }: PendingRun): ToolGuard {
  // Earlier answers were derived from what the agent read to give them.
  const untrustedSource = question !== null && question.earlier.length > 0 ? "an earlier answer" : null;
  return createToolGuard({ policy: agent.allowDestructive ? "allow" : "refuse", untrustedSource });
}
