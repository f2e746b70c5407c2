import type { Db } from "@workspace/db";
import type { ModelAccess } from "../models/model-access.ts";
import type { Clock } from "../platform/clock.ts";
import { NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid } from "../platform/ids.ts";
import { fromUsd } from "../platform/money.ts";
import { createCursors, timeAndId, toPage, type Page } from "../platform/paging.ts";
import { startOfPeriod, statisticsWindow } from "../platform/statistics-window.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { createAgentMessages, type AgentQuestion } from "./agent-prompt.ts";
import type { AgentRunner } from "./agent-runner.ts";
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
import { selectAgentCounts, selectRunStats } from "./agent-stats.queries.ts";
import { selectAgent } from "./agent.queries.ts";
import type { StoredAgent } from "./agent.schema.ts";

const cursors = createCursors("agent-runs", timeAndId);

export interface AgentRunServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly models: ModelAccess;
  readonly toolbox: Toolbox;
  readonly runner: AgentRunner;
  /** The server's time zone. */
  readonly timeZone: string;
}

/** How a run is begun that no schedule asks for. */
export interface StartRun {
  readonly agentId: string;
  readonly trigger: "manual" | "api";
  /** The run's id, where the caller has to know it before. */
  readonly runId?: string;
  /** What somebody says to the agent, whose own prompt then is its instructions. */
  readonly question?: AgentQuestion;
  /** Hears the answer while it is given. */
  readonly onText?: (delta: string) => void;
}

export type AgentRunService = ReturnType<typeof createAgentRunService>;

/** The runs of agents: begun by hand, listed, counted. */
export function createAgentRunService(deps: AgentRunServiceDeps) {
  const { db, clock, events, models, toolbox, runner, timeZone } = deps;

  async function getAgent(id: string): Promise<StoredAgent> {
    const agent = isUuid(id) ? await selectAgent(db.pool, id) : null;
    if (agent === null) throw new NotFoundError("There is no such agent.");
    return agent;
  }

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
    await models.requireGateway().requireBudgetFor({ messages, tools }, limits);
  }

  return {
    /**
     * Begins a run at once, of a disabled agent too, and beside one that is under way. Resolves when it is stored;
     * `finished` when it has ended. Throws {@link NotFoundError}; where no model is configured (503); where today's budget
     * has no room for a first call (402).
     */
    async start({
      agentId,
      trigger,
      runId,
      question,
      onText,
    }: StartRun): Promise<{ runId: string; finished: Promise<void> }> {
      const agent = await getAgent(agentId);
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

    /** Newest first. Throws {@link NotFoundError} where there is no such agent. */
    async list({ id, period, status, limit, cursor }: ListRuns): Promise<Page<AgentRun>> {
      const agent = await getAgent(id);
      const from = period === undefined ? undefined : startOfPeriod(period, clock.now());
      const after = cursors.read(cursor, { id, period, status });
      const rows = await selectRuns(db.pool, { id: agent.id, status, limit: limit + 1, from, after });
      return toPage(rows, limit, (run) => cursors.write([run.startedAt, run.id], { id, period, status }));
    },

    /** One run with its steps, also while it is under way. Throws {@link NotFoundError}. */
    async get(agentId: string, runId: string): Promise<AgentRunDetail> {
      const run = isUuid(agentId) && isUuid(runId) ? await selectRun(db.pool, agentId, runId) : null;
      if (run === null) throw new NotFoundError("There is no such run.");
      return run;
    },

    /** Throws {@link NotFoundError} where there is no such agent. */
    async stats({ id, period, tz, tzOffset }: AgentStatsInput): Promise<AgentStats> {
      const { lastRunAt } = await getAgent(id);
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
