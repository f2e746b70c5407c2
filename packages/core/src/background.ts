import type { Db } from "@workspace/db";
import { endAbandonedRuns } from "./agents/agent-run.queries.ts";
import type { AgentRunner } from "./agents/agent-runner.ts";
import type { AgentScheduler } from "./agents/agent-scheduler.ts";
import { CRASH_MESSAGE } from "./agents/run-outcome.ts";
import { endAbandonedAnswers } from "./conversations/abandoned-answers.ts";
import type { AnswerRunner } from "./conversations/answer-runner.ts";
import type { Approvals } from "./conversations/approvals.ts";
import { deleteChatEventsBefore } from "./conversations/chat-event.queries.ts";
import type { ConversationFeed } from "./conversations/conversation-feed.ts";
import type { SimilarityBackfill } from "./memory/similarity-backfill.ts";
import type { Clock } from "./platform/clock.ts";
import type { EventBus } from "./platform/events.ts";
import type { Logger } from "./platform/logger.ts";
import type { ProcessRegistry } from "./platform/process-registry.ts";
import { repeat, type Closable } from "./platform/repeat.ts";
import type { ChangeLog } from "./realtime/change-log.ts";

/** What was begun this long ago and is not under way has been lost. */
const LOST_AFTER_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const CHAT_EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;

export interface BackgroundOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly processes: ProcessRegistry;
  readonly changes: ChangeLog;
  readonly conversationFeed: ConversationFeed;
  readonly approvals: Approvals;
  readonly answerRunner: AnswerRunner;
  readonly agentRunner: AgentRunner;
  readonly scheduler: AgentScheduler;
  readonly similarityBackfill: SimilarityBackfill;
}

/** What goes on in a server process without being asked for. */
export interface Background extends Closable {
  /** Whether agents are run by their schedules. */
  readonly isSchedulerRunning: boolean;
  start(): Promise<void>;
  /** Begins no more runs, and ends what agents and chat have under way. For before `close`, while requests are drained. */
  stopWork(): Promise<void>;
}

interface Startable extends Closable {
  start(): Promise<void>;
}

/** Starts things in the order in which they need each other, and closes them the other way round. */
export function createBackground(options: BackgroundOptions): Background {
  const { db, clock, events, logger, processes, changes, conversationFeed } = options;
  const { approvals, answerRunner, agentRunner, scheduler, similarityBackfill } = options;
  const ground: Closable[] = [];
  const work: Closable[] = [];

  /**
   * Ends what processes that died have left behind, and what this one began and could not go on with, because the database
   * went away at the wrong moment. Every process looks; a run or an answer is ended once.
   */
  async function sweep(): Promise<void> {
    if (await processes.hasDead()) {
      await changes.markGap();
      await processes.removeDead();
    }
    const now = clock.now();
    const own = { processId: processes.processId, lostBefore: new Date(now.getTime() - LOST_AFTER_MS) };
    const abandonedRuns = { ...own, activeIds: agentRunner.activeIds() };
    for (const agent of await endAbandonedRuns(db.pool, abandonedRuns, { message: CRASH_MESSAGE, now })) {
      events.publish({ resource: "agent", action: "fail", resourceId: agent.agentId, resourceName: agent.agentName });
    }
    await endAbandonedAnswers({ db, clock, events }, { ...own, activeIds: answerRunner.activeIds() });
  }

  const pruneChatEvents = () => deleteChatEventsBefore(db.pool, new Date(clock.now().getTime() - CHAT_EVENTS_KEPT_MS));
  const repeatLogged = (task: () => Promise<void>, everyMs: number, what: string): Closable =>
    repeat(task, { everyMs, onError: (error) => logger.warn({ err: error }, `${what} failed`) });

  async function startAll(into: Closable[], parts: readonly Startable[]): Promise<void> {
    for (const part of parts) {
      into.push(part);
      await part.start();
    }
  }

  async function closeAll(parts: Closable[]): Promise<void> {
    for (const part of parts.splice(0).toReversed()) {
      await part.close().catch((error: unknown) => logger.warn({ err: error }, "something did not close cleanly"));
    }
  }

  return {
    get isSchedulerRunning() {
      return scheduler.isRunning;
    },
    async start() {
      await startAll(ground, [changes, conversationFeed]);
      ground.push(repeatLogged(sweep, processes.checkEveryMs, "looking for what dead processes left behind"));
      ground.push(repeatLogged(pruneChatEvents, PRUNE_EVERY_MS, "removing old chat events"));
      await startAll(work, [approvals, answerRunner, agentRunner, scheduler, similarityBackfill]);
    },
    stopWork: () => closeAll(work),
    async close() {
      await closeAll(work);
      await closeAll(ground);
    },
  };
}
