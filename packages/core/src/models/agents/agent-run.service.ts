import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { fromUsd } from "../../platform/money.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import { startOfPeriod, statisticsWindow } from "../../platform/statistics-window.ts";
import type { ModelAccess } from "../gateway/model-access.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { createAgentMessages, type AgentQuestion } from "./agent-prompt.ts";
import { requireAgent } from "./agent-lookup.ts";
import { selectRun, selectRuns } from "./agent-run.queries.ts";
import type {
  AgentRun,
  AgentRunDetail,
  AgentStats,
  AgentStatsInput,
  GlobalStats,
  GlobalStatsInput,
  ListRuns,
} from "./agent-run.schema.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { selectAgentCounts, selectRunStats } from "./agent-stats.queries.ts";
import type { StoredAgent } from "./agent.schema.ts";

const readPage = createPager("agent-runs", timeAndId, (run: AgentRun) => [run.startedAt, run.id]);

export interface AgentRunServiceDeps extends Deps<"db" | "clock" | "events"> {
  readonly models: ModelAccess;
  readonly toolbox: Toolbox;
  readonly runner: AgentRunner;
  /** The server's time zone. */
  readonly timeZone: string;
}

/** A run that is started other than by its schedule. */
export interface StartRun {
  readonly agentId: string;
  readonly trigger: "manual" | "api";
  /** The run's id, if the caller has to know it beforehand. */
  readonly runId?: string;
  /** What the agent is asked; its own prompt then serves as instructions. */
  readonly question?: AgentQuestion;
  /** Called with each piece of the answer as it arrives. */
  readonly onText?: (delta: string) => void;
}

export type AgentRunService = ReturnType<typeof createAgentRunService>;

/** Starts runs on request, lists them and computes their statistics. */
export function createAgentRunService(deps: AgentRunServiceDeps) {
  const { db, clock, events, models, toolbox, runner, timeZone } = deps;

  async function requireBudgetFor(agent: StoredAgent, question: AgentQuestion | null): Promise<void> {
    const messages = createAgentMessages({
      agent,
      question,
      now: clock.now(),
      timeZone: agent.timezone ?? timeZone,
    });
    const dailyLimit = agent.dailyBudgetUsd === null ? null : fromUsd(agent.dailyBudgetUsd);
    const tools = toolbox.definitionsFor({ names: agent.tools });
    const limits = { runLeft: null, agent: { id: agent.id, dailyLimit } };
    const gateway = await models.requireGateway("agents");
    await gateway.requireBudgetFor({ messages, tools }, limits);
  }

  return {
    /**
     * Starts a run immediately, even if the agent is disabled or already running. Resolves once the run is stored; `finished`
     * once it has ended. Throws {@link NotFoundError}, with status 503 if no model is configured, and with status 402 if
     * today's budget does not cover a first call.
     */
    async start({
      agentId,
      trigger,
      runId,
      question,
      onText,
    }: StartRun): Promise<{ runId: string; finished: Promise<void> }> {
      const agent = await requireAgent(db.pool, agentId);
      await requireBudgetFor(agent, question ?? null);
      const run = runner.prepare({
        agent,
        trigger,
        ...(runId !== undefined && { id: runId }),
        ...(question !== undefined && { question }),
        ...(onText !== undefined && { onText }),
      });
      await runner.insert(db.pool, run);
      events.publish({ resource: "agent", action: "run", resourceId: agent.id, resourceName: agent.name });
      return { runId: run.id, finished: runner.execute(run) };
    },

    /** Newest first. Throws {@link NotFoundError} if there is no such agent. */
    async list({ id, period, status, limit, cursor }: ListRuns): Promise<Page<AgentRun>> {
      const agent = await requireAgent(db.pool, id);
      const from = period === undefined ? undefined : startOfPeriod(period, clock.now());
      return readPage({ limit, cursor, filter: { id, period, status } }, (range) =>
        selectRuns(db.pool, { id: agent.id, status, from, ...range }),
      );
    },

    /** One run with its steps so far. Throws {@link NotFoundError}. */
    async get(agentId: string, runId: string): Promise<AgentRunDetail> {
      const run = isUuid(agentId) && isUuid(runId) ? await selectRun(db.pool, agentId, runId) : null;
      if (run === null) throw new NotFoundError("There is no such run.");
      return run;
    },

    /** Throws {@link NotFoundError} if there is no such agent. */
    async stats({ id, period, tz, tzOffset }: AgentStatsInput): Promise<AgentStats> {
      const { lastRunAt } = await requireAgent(db.pool, id);
      const stats = await selectRunStats(db.pool, statisticsWindow(period, { tz, tzOffset }, clock.now()), id);
      return { ...stats, lastRunAt };
    },

    async globalStats({ period, tz, tzOffset }: GlobalStatsInput): Promise<GlobalStats> {
      const window = statisticsWindow(period, { tz, tzOffset }, clock.now());
      const [counts, { totalRuns, successRate, totalCostUsd, dailyRuns }] = await Promise.all([
        selectAgentCounts(db.pool),
        selectRunStats(db.pool, window, null),
      ]);
      return { ...counts, runsInPeriod: totalRuns, successRate, totalCostUsd, dailyRuns };
    },
  };
}
