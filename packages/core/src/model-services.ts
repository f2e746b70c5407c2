import type { Listener } from "@workspace/db";
import type { ToolApprovalService } from "./assistants/approvals/tool-approval.service.ts";
import { createCurrentEmbeddings } from "./assistants/memory/current-embeddings.ts";
import { createMemoryEmbeddings } from "./assistants/memory/memory-embeddings.ts";
import { createMemoryExtractionService } from "./assistants/memory/memory-extraction.service.ts";
import { createMemoryIndexBackfill } from "./assistants/memory/memory-index-backfill.ts";
import { createTurnIndex } from "./assistants/session-search/turn-index.ts";
import type { SessionTranscriptService } from "./assistants/transcripts/session-transcript.service.ts";
import type { TranscriptSource } from "./assistants/transcripts/transcript-source.ts";
import type { ReminderPushes } from "./work/task-reminders/reminder-pushes.ts";
import type { TaskReminderService } from "./work/task-reminders/task-reminder.service.ts";
import type { SteeringService } from "./assistants/steering/steering.service.ts";
import { createBackground } from "./background.ts";
import type { KeptResponseService } from "./access/kept-responses/kept-response.service.ts";
import type { WebhookDispatcher } from "./access/webhooks/webhook-dispatcher.ts";
import { createAgentRunService } from "./models/agents/agent-run.service.ts";
import { createAgentRunner } from "./models/agents/agent-runner.ts";
import { createAgentScheduler } from "./models/agents/agent-scheduler.ts";
import { createAgentService } from "./models/agents/agent.service.ts";
import { createRunExecution } from "./models/agents/run-execution.ts";
import { createAnswerExecution } from "./models/chat/answer-execution.ts";
import { createAnswerRunner } from "./models/chat/answer-runner.ts";
import { createAttachmentService } from "./models/chat/attachment.service.ts";
import { createApprovals } from "./models/chat/approvals.ts";
import { createChatService } from "./models/chat/chat.service.ts";
import type { MentionReaders } from "./models/chat/mentioned-items.ts";
import { createConversationFeed } from "./models/chat/conversation-feed.ts";
import { createConversationService } from "./models/chat/conversation.service.ts";
import { createEmbeddingModels } from "./models/gateway/embedding-access.ts";
import { createModelAccess } from "./models/gateway/model-access.ts";
import type { ModelSource } from "./models/gateway/model-source.ts";
import type { ModelSettingsService } from "./models/model-settings/model-settings.service.ts";
import { createModelTestService } from "./models/model-settings/model-test.service.ts";
import type { SearchIndex } from "./models/search/search-index.ts";
import { createToolbox, type Tool } from "./models/tools/toolbox.ts";
import { createSpendGuard } from "./models/usage/spend-guard.ts";
import { createUsageService } from "./models/usage/usage.service.ts";
import type { Deps } from "./platform/deps.ts";
import type { ProcessRegistry } from "./platform/process-registry.ts";
import type { ChangeLog } from "./platform/realtime/change-log.ts";
import type { Closable } from "./platform/repeat.ts";
import type { Redactor } from "./platform/redactor.ts";

export interface ModelServicesDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly listener: Listener;
  readonly redactor: Redactor;
  readonly source: ModelSource;
  readonly modelSettings: Pick<ModelSettingsService, "findKey">;
  /** The server's time zone: the default for days and schedules. */
  readonly timeZone: string;
  readonly processes: ProcessRegistry;
  readonly transcripts: TranscriptSource;
  readonly sessionTranscripts: SessionTranscriptService;
  readonly searchIndex: SearchIndex;
  readonly changes: ChangeLog;
  readonly push: Closable;
  readonly webhookDispatcher: WebhookDispatcher;
  readonly keptResponses: Pick<KeptResponseService, "deleteOld">;
  readonly assistantWaits: Closable;
  readonly toolApprovals: Pick<ToolApprovalService, "start" | "close" | "deleteOld">;
  readonly taskReminders: Pick<TaskReminderService, "deliverDue">;
  readonly reminderPushes: ReminderPushes;
  readonly steering: Pick<SteeringService, "start" | "close" | "deleteOld">;
  /** Read what messages of a chat mention. */
  readonly mentionReaders: MentionReaders;
  /** How long a person has to decide about a call that needs approval. */
  readonly approvalTimeoutMs?: number;
  /** The tools of agents and chat. */
  readonly tools: readonly Tool[];
}

const APPROVAL_TIMEOUT_MS = 10 * 60 * 1000;

/** The services that use models, and those that coordinate processes and notify clients. */
export type ModelServices = ReturnType<typeof createModelServices>;

/** Builds agents, chat, usage and what they share. Nothing runs before `background.start()`. */
export function createModelServices(deps: ModelServicesDeps) {
  const { processes, changes } = deps;
  const spendGuard = createSpendGuard({
    ...deps,
    readDailyLimit: async () => (await deps.source.read()).dailyLimit,
  });
  const models = createModelAccess({ ...deps, guard: spendGuard });
  const memoryEmbeddings = createCurrentEmbeddings({
    ...deps,
    readModel: createEmbeddingModels({ ...deps, guard: spendGuard }),
    open: (model) => createMemoryEmbeddings({ ...deps, model }),
  });
  const memoryExtraction = createMemoryExtractionService({
    ...deps,
    model: {
      requireModel: async () => void (await models.requireGateway("extraction")),
      ask: models.ask,
    },
  });
  const toolbox = createToolbox(deps);

  const executeRun = createRunExecution({ ...deps, models, toolbox });
  const agentRunner = createAgentRunner({
    ...deps,
    processes,
    modelName: () => models.modelName("agents"),
    executeRun,
  });
  const scheduler = createAgentScheduler({ ...deps, changes, processes, runner: agentRunner });
  const approvals = createApprovals(deps);
  const { approvalTimeoutMs = APPROVAL_TIMEOUT_MS } = deps;
  const executeAnswer = createAnswerExecution({ ...deps, models, toolbox, approvals, approvalTimeoutMs });
  const answerRunner = createAnswerRunner({ ...deps, processes, executeAnswer });
  const conversationFeed = createConversationFeed(deps);
  return {
    agents: createAgentService({ ...deps, toolbox, runner: agentRunner }),
    agentRuns: createAgentRunService({ ...deps, models, toolbox, runner: agentRunner }),
    conversations: createConversationService({ ...deps, runner: answerRunner }),
    chat: createChatService({ ...deps, models, runner: answerRunner, approvals, processes }),
    attachments: createAttachmentService(deps),
    conversationFeed,
    models,
    modelTests: createModelTestService({ ...deps, settings: deps.modelSettings, models, guard: spendGuard }),
    memoryEmbeddings,
    memoryExtraction,
    usage: createUsageService({ ...deps, spendGuard }),
    background: createBackground({
      ...deps,
      processes,
      changes,
      conversationFeed,
      approvals,
      answerRunner,
      agentRunner,
      scheduler,
      memoryIndexBackfill: createMemoryIndexBackfill(deps),
      memoryEmbeddings,
      memoryExtraction,
      turnIndex: createTurnIndex(deps),
    }),
  };
}
