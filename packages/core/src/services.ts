import { createAssistance, type Assistance } from "./assistance.ts";
import { createApiKeyService, type ApiKeyService } from "./api-keys/api-key.service.ts";
import { createAskService, type AskService } from "./asks/ask.service.ts";
import { createAssistantUsageService, type AssistantUsageService } from "./assistant-usage/assistant-usage.service.ts";
import { createCreditService, type CreditService } from "./credits/credit.service.ts";
import { createDocumentServices, type DocumentServices } from "./documents/document-services.ts";
import { createHookEventService, type HookEventService } from "./hooks/hook-event.service.ts";
import { createHookPolicyService, type HookPolicyService } from "./hooks/hook-policy.service.ts";
import { createHookSessionService, type HookSessionService } from "./hooks/hook-session.service.ts";
import { createHookStatisticsService, type HookStatisticsService } from "./hooks/hook-statistics.service.ts";
import { createKnowledgeService, type KnowledgeService } from "./knowledge/knowledge.service.ts";
import { createMemoryExtractionService, type MemoryExtractionService } from "./memory/memory-extraction.service.ts";
import { createMemoryService, type MemoryService } from "./memory/memory.service.ts";
import type { ModelConfig } from "./models/model-access.ts";
import type { PriceTable } from "./models/token-price.ts";
import { createProjectService, type ProjectService } from "./projects/project.service.ts";
import { appRouter } from "./router.ts";
import type { OpenedSecrets } from "./secrets/open-secrets.ts";
import { createSecretReferences, type SecretReferences } from "./secrets/secret-references.ts";
import { createSecretService, type SecretService } from "./secrets/secret.service.ts";
import { createTaskService, type TaskService } from "./tasks/task.service.ts";
import { createHttpRequestTool } from "./tools/http-request-tool.ts";
import { createWorkspaceTools } from "./tools/workspace-tools.ts";
import type { Db, Listener } from "@workspace/db";
import type { Clock } from "./platform/clock.ts";
import type { EventBus } from "./platform/events.ts";
import type { IdGenerator } from "./platform/ids.ts";
import type { LargeReads } from "./platform/large-reads.ts";
import type { Logger } from "./platform/logger.ts";
import { createProcessRegistry, type ProcessRegistry } from "./platform/process-registry.ts";
import type { TranscriptSource } from "./transcripts/transcript-source.ts";

/** What the domains are built from. Everything that differs between a server, a command and a test comes in here. */
export interface ServiceDeps {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly secrets: OpenedSecrets;
  readonly transcripts: TranscriptSource;
  /** The vault's folder, by which assistants name its files. */
  readonly vaultRoot: string;
  /** Where the service keeps its own files: the trash and earlier versions of documents. */
  readonly dataDir: string;
  /** How long the text of a file may be where it is answered as a whole. */
  readonly maxContentBytes: number;
  /** What reads such texts in turn. */
  readonly largeReads: LargeReads;
  readonly model: ModelConfig;
  readonly prices: PriceTable;
  /** US dollars that the whole workspace may spend in a day; null is no limit. */
  readonly dailyBudgetUsd: number | null;
  /** What the credit pool of `/api/v1` holds at first. */
  readonly initialCredits: number;
  /** Where agents that name the tool `http_request` may send requests. Without any there is no such tool. */
  readonly agentHttpOrigins: readonly string[];
  /** The server's time zone, by which days and schedules go unless something else is asked for. */
  readonly timeZone: string;
  /** How long a server process counts as alive after its last word; what it left behind is ended after that. */
  readonly processLeaseMs: number;
}

export interface Services extends Assistance, DocumentServices {
  readonly tasks: TaskService;
  readonly projects: ProjectService;
  readonly knowledge: KnowledgeService;
  readonly memory: MemoryService;
  readonly memoryExtraction: MemoryExtractionService;
  readonly hookEvents: HookEventService;
  readonly hookStatistics: HookStatisticsService;
  readonly hookSessions: HookSessionService;
  readonly hookPolicy: HookPolicyService;
  readonly assistantUsage: AssistantUsageService;
  readonly secrets: SecretService;
  readonly secretReferences: SecretReferences;
  /** To be started before the mirror and the background, and closed after them. */
  readonly processes: ProcessRegistry;
  readonly apiKeys: ApiKeyService;
  readonly credits: CreditService;
  readonly asks: AskService;
}

/** Builds every domain, each with just what it needs: the one place where domains meet. */
export function createServices(deps: ServiceDeps): Services {
  const { keys, redactor } = deps.secrets;
  const processes = createProcessRegistry({ ...deps, leaseMs: deps.processLeaseMs });
  const memory = createMemoryService({ ...deps, redactor });
  const assistantUsage = createAssistantUsageService(deps);
  const secrets = createSecretService({ ...deps, keys, redactor });
  const secretReferences = createSecretReferences({ useValue: secrets.useValue, redactor });
  const origins = deps.agentHttpOrigins;
  const tools = [
    ...createWorkspaceTools((principal) => appRouter.createCaller({ principal, services })),
    ...(origins.length === 0 ? [] : [createHttpRequestTool({ origins, secretReferences })]),
  ];
  const assistance = createAssistance({ ...deps, redactor, tools, processes });
  const credits = createCreditService(deps);
  const documentServices = createDocumentServices({ ...deps, processes });
  const services: Services = {
    tasks: createTaskService(deps),
    projects: createProjectService(deps),
    ...documentServices,
    knowledge: createKnowledgeService({ ...deps, ...documentServices }),
    memory,
    memoryExtraction: createMemoryExtractionService({ ...deps, redactor, model: assistance.models }),
    hookEvents: createHookEventService({ ...deps, redactor }),
    hookStatistics: createHookStatisticsService(deps),
    hookSessions: createHookSessionService({
      ...deps,
      listSessionMemories: memory.listOfSession,
      sumSessionUsage: assistantUsage.sumSession,
    }),
    hookPolicy: createHookPolicyService(deps),
    assistantUsage,
    secrets,
    secretReferences,
    processes,
    ...assistance,
    apiKeys: createApiKeyService(deps),
    credits,
    asks: createAskService({ ...deps, ...assistance, credits, redactor }),
  };
  return services;
}
