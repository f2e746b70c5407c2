import type { Db, Listener } from "@workspace/db";
import { createAgentRunService, type AgentRunService } from "./agents/agent-run.service.ts";
import { createAgentRunner } from "./agents/agent-runner.ts";
import { createAgentScheduler } from "./agents/agent-scheduler.ts";
import { createAgentService, type AgentService } from "./agents/agent.service.ts";
import { createRunExecution } from "./agents/run-execution.ts";
import { createSimilarityBackfill } from "./memory/similarity-backfill.ts";
import { createBackground, type Background } from "./background.ts";
import { createAnswerExecution } from "./conversations/answer-execution.ts";
import { createApprovals } from "./conversations/approvals.ts";
import { createAnswerRunner } from "./conversations/answer-runner.ts";
import { createChatService, type ChatService } from "./conversations/chat.service.ts";
import { createConversationFeed, type ConversationFeed } from "./conversations/conversation-feed.ts";
import { createConversationService, type ConversationService } from "./conversations/conversation.service.ts";
import { createModelAccess, type ModelAccess, type ModelConfig } from "./models/model-access.ts";
import type { PriceTable } from "./models/token-price.ts";
import type { Clock } from "./platform/clock.ts";
import type { EventBus } from "./platform/events.ts";
import type { IdGenerator } from "./platform/ids.ts";
import type { Logger } from "./platform/logger.ts";
import { fromUsd } from "./platform/money.ts";
import type { ProcessRegistry } from "./platform/process-registry.ts";
import type { Redactor } from "./platform/redactor.ts";
import { createChangeLog, type ChangeLog } from "./realtime/change-log.ts";
import { createToolbox, type Tool } from "./tools/toolbox.ts";
import { createSpendGuard } from "./usage/spend-guard.ts";
import { createUsageService, type UsageService } from "./usage/usage.service.ts";

export interface AssistanceDeps {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly model: ModelConfig;
  readonly prices: PriceTable;
  /** US dollars that the whole workspace may spend in a day; null is no limit. */
  readonly dailyBudgetUsd: number | null;
  /** The server's time zone, by which days and schedules go unless something else is asked for. */
  readonly timeZone: string;
  readonly processes: ProcessRegistry;
  /** How long a person has to decide about a call that an answer waits with. */
  readonly approvalTimeoutMs?: number;
  /** What agents and chat can do. */
  readonly tools: readonly Tool[];
}

const APPROVAL_TIMEOUT_MS = 10 * 60 * 1000;

/** The model and what works with it, and what keeps several processes and all clients together. */
export interface Assistance {
  readonly agents: AgentService;
  readonly agentRuns: AgentRunService;
  readonly conversations: ConversationService;
  readonly chat: ChatService;
  readonly conversationFeed: ConversationFeed;
  readonly changes: ChangeLog;
  readonly models: ModelAccess;
  readonly usage: UsageService;
  readonly background: Background;
}

/** Builds agents, chat, usage and what they share. Nothing goes on before `background.start()`. */
export function createAssistance(deps: AssistanceDeps): Assistance {
  const { processes } = deps;
  const changes = createChangeLog(deps);
  const dailyLimit = deps.dailyBudgetUsd === null ? null : fromUsd(deps.dailyBudgetUsd);
  const spendGuard = createSpendGuard({ ...deps, dailyLimit });
  const models = createModelAccess({ ...deps, config: deps.model, guard: spendGuard });
  const toolbox = createToolbox(deps);

  const executeRun = createRunExecution({ ...deps, models, toolbox });
  const agentRunner = createAgentRunner({ ...deps, processes, modelName: models.modelName, executeRun });
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
    conversationFeed,
    changes,
    models,
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
      similarityBackfill: createSimilarityBackfill(deps),
    }),
  };
}
