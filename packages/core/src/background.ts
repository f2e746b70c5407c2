import type { KeptResponseService } from "./access/kept-responses/kept-response.service.ts";
import type { WebhookDispatcher } from "./access/webhooks/webhook-dispatcher.ts";
import type { ToolApprovalService } from "./assistants/approvals/tool-approval.service.ts";
import type { MemoryEmbeddings } from "./assistants/memory/memory-embeddings.ts";
import type { MemoryExtractionService } from "./assistants/memory/memory-extraction.service.ts";
import { moveFolderMemories } from "./assistants/memory/folder-memories.ts";
import type { MemoryIndexBackfill } from "./assistants/memory/memory-index-backfill.ts";
import { pruneMemoryInjections } from "./assistants/memory/memory-injections.ts";
import type { TurnIndex } from "./assistants/session-search/turn-index.ts";
import { keepReviewedByTime } from "./assistants/memory/memory-review.ts";
import type { SteeringService } from "./assistants/steering/steering.service.ts";
import { endAbandonedRuns } from "./models/agents/agent-run.queries.ts";
import type { AgentRunner } from "./models/agents/agent-runner.ts";
import type { AgentScheduler } from "./models/agents/agent-scheduler.ts";
import { CRASH_MESSAGE } from "./models/agents/run-outcome.ts";
import { endAbandonedAnswers } from "./models/chat/abandoned-answers.ts";
import type { AnswerRunner } from "./models/chat/answer-runner.ts";
import type { Approvals } from "./models/chat/approvals.ts";
import { deleteUnsentAttachments } from "./models/chat/attachment.queries.ts";
import { deleteChatEventsBefore } from "./models/chat/chat-event.queries.ts";
import type { ConversationFeed } from "./models/chat/conversation-feed.ts";
import type { SearchIndex } from "./models/search/search-index.ts";
import type { Deps } from "./platform/deps.ts";
import { mergePendingIndexEntries } from "./platform/index-upkeep.queries.ts";
import type { ProcessRegistry } from "./platform/process-registry.ts";
import type { ChangeLog } from "./platform/realtime/change-log.ts";
import type { ReminderPushes } from "./work/task-reminders/reminder-pushes.ts";
import type { TaskReminderService } from "./work/task-reminders/task-reminder.service.ts";
import { repeat, type Closable } from "./platform/repeat.ts";

/** Work that was started this long ago and is not in progress has been lost. */
const LOST_AFTER_MS = 60_000;
const REMIND_EVERY_MS = 5_000;
const FORGET_RESPONSES_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const MERGE_INDEX_ENTRIES_EVERY_MS = 30_000;
const CHAT_EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;

export interface BackgroundOptions extends Deps<"db" | "clock" | "events" | "logger"> {
  readonly processes: ProcessRegistry;
  readonly changes: ChangeLog;
  readonly conversationFeed: ConversationFeed;
  readonly approvals: Approvals;
  readonly answerRunner: AnswerRunner;
  readonly agentRunner: AgentRunner;
  readonly scheduler: AgentScheduler;
  readonly memoryIndexBackfill: MemoryIndexBackfill;
  readonly memoryEmbeddings: MemoryEmbeddings;
  readonly memoryExtraction: Pick<MemoryExtractionService, "startExtraction">;
  readonly turnIndex: TurnIndex;
  readonly searchIndex: SearchIndex;
  readonly push: Closable;
  readonly webhookDispatcher: WebhookDispatcher;
  readonly keptResponses: Pick<KeptResponseService, "deleteOld">;
  readonly taskReminders: Pick<TaskReminderService, "deliverDue">;
  readonly reminderPushes: ReminderPushes;
  readonly assistantWaits: Closable;
  readonly toolApprovals: Pick<ToolApprovalService, "start" | "close" | "deleteOld">;
  readonly steering: Pick<SteeringService, "start" | "close" | "deleteOld">;
}

/** The background work of a server process. */
export interface Background extends Closable {
  /** Whether scheduled agents are being run. */
  readonly isSchedulerRunning: boolean;
  start(): Promise<void>;
  /** Starts no more scheduled runs, which other processes then start. */
  stopScheduling(): Promise<void>;
  /** Starts no more runs, and stops the work of agents and chat. To be called before `close`, while requests are drained. */
  stopWork(): Promise<void>;
}

interface Startable extends Closable {
  start(): Promise<void>;
}

interface PeriodicTask {
  /** For the log, if it fails. */
  readonly what: string;
  readonly everyMs: number;
  readonly task: () => Promise<void>;
}

/** What every process does again and again, for all of them. */
function periodicTasks(options: BackgroundOptions): readonly PeriodicTask[] {
  const { db, clock, events, taskReminders, reminderPushes, toolApprovals, keptResponses, steering } = options;
  const pruneChat = async () => {
    const before = new Date(clock.now().getTime() - CHAT_EVENTS_KEPT_MS);
    await deleteChatEventsBefore(db.pool, before);
    await deleteUnsentAttachments(db.pool, before);
  };
  const remind = () => taskReminders.deliverDue().then(reminderPushes.sendDue);
  const seldom = (what: string, task: () => Promise<void>): PeriodicTask => ({ what, everyMs: PRUNE_EVERY_MS, task });
  return [
    { what: "delivering reminders", everyMs: REMIND_EVERY_MS, task: remind },
    seldom("removing old chat events and unsent files", pruneChat),
    seldom("removing old injections of memories", () => pruneMemoryInjections(db, clock.now())),
    seldom("removing old approvals", toolApprovals.deleteOld),
    { what: "forgetting old responses", everyMs: FORGET_RESPONSES_EVERY_MS, task: keptResponses.deleteOld },
    seldom("removing old instructions", steering.deleteOld),
    seldom("moving memories to the projects of their folders", () => moveFolderMemories({ pool: db.pool, events })),
    seldom("keeping memories without review", () => keepReviewedByTime(db, clock.now())),
    {
      what: "merging index entries",
      everyMs: MERGE_INDEX_ENTRIES_EVERY_MS,
      task: () => mergePendingIndexEntries(db.pool),
    },
  ];
}

/** Starts everything in the order of its dependencies, and closes it in reverse. */
export function createBackground(options: BackgroundOptions): Background {
  const { db, clock, events, logger, processes, changes, conversationFeed } = options;
  const { approvals, answerRunner, agentRunner, scheduler, memoryIndexBackfill, memoryEmbeddings } = options;
  const { memoryExtraction, turnIndex, searchIndex, push, webhookDispatcher, assistantWaits, toolApprovals, steering } =
    options;
  const infrastructure: Closable[] = [];
  const workers: Closable[] = [];

  /**
   * Ends runs and answers abandoned by dead processes, and those that this process could not continue because the database
   * became unavailable at the wrong moment. Every process does this; each run or answer is ended only once.
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
      infrastructure.push(push, assistantWaits);
      await startAll(infrastructure, [changes, conversationFeed, webhookDispatcher]);
      infrastructure.push(repeatLogged(sweep, processes.checkEveryMs, "ending the work of dead processes"));
      for (const { task, everyMs, what } of periodicTasks(options))
        infrastructure.push(repeatLogged(task, everyMs, what));
      const models = [approvals, answerRunner, agentRunner, scheduler];
      await startAll(workers, [
        ...models,
        toolApprovals,
        steering,
        memoryIndexBackfill,
        memoryEmbeddings,
        turnIndex,
        searchIndex,
      ]);
      workers.push(memoryExtraction.startExtraction());
    },
    stopScheduling: () => scheduler.close(),
    stopWork: () => closeAll(workers),
    async close() {
      await closeAll(workers);
      await closeAll(infrastructure);
    },
  };
}
