import type { Listener } from "@workspace/db";
import { createKeptResponseService } from "./access/kept-responses/kept-response.service.ts";
import { createAccountService } from "./access/accounts/account.service.ts";
import type { BackupEngine } from "./access/backups/backup-engine.ts";
import type { EnvironmentBackup } from "./access/backups/open-place.ts";
import { createApiKeyService } from "./access/api-keys/api-key.service.ts";
import { createOAuthService } from "./access/oauth/oauth.service.ts";
import { createCreditService } from "./access/credits/credit.service.ts";
import { createPublicAgent } from "./access/push/push-network.ts";
import { createPushService } from "./access/push/push.service.ts";
import type { ReadResource } from "./access/webhooks/webhook-payload.ts";
import type { SignInProvider } from "./access/sign-in-provider/sign-in-provider.ts";
import type { OpenedSecrets } from "./access/secrets/open-secrets.ts";
import { createSecretReferences } from "./access/secrets/secret-references.ts";
import { createSecretService } from "./access/secrets/secret.service.ts";
import { createSealedPositions } from "./access/secrets/sealed-positions.ts";
import { createAssistantUsageService } from "./assistants/assistant-usage/assistant-usage.service.ts";
import { createOwnLimitsService } from "./assistants/assistant-usage/own-limits.service.ts";
import { createFileHistoryService } from "./assistants/file-history/file-history.service.ts";
import type { PolicyCheck } from "./assistants/hooks/hook-policy.service.ts";
import { createMemorySettingsService } from "./assistants/hooks/memory-settings.service.ts";
import { createMemoryUseService } from "./assistants/hooks/memory-use.service.ts";
import { createMemoryService } from "./assistants/memory/memory.service.ts";
import { createSessionSearchService } from "./assistants/session-search/session-search.service.ts";
import { createSessionTranscriptService } from "./assistants/transcripts/session-transcript.service.ts";
import type { TranscriptSource } from "./assistants/transcripts/transcript-source.ts";
import { createLocalUndoService } from "./assistants/undo/local-undo.service.ts";
import { atomicallyWith } from "./atomic-services.ts";
import { createApprovalServices } from "./approval-services.ts";
import { createBackupServices } from "./backup-services.ts";
import { createDocumentServices } from "./document-services.ts";
import { parseKeyFolder } from "./knowledge/documents/key-folder.ts";
import type { VaultStore } from "./knowledge/vault/open-vault.ts";
import { createHookServices } from "./hook-services.ts";
import { createNoteServices } from "./note-services.ts";
import { createModelServices } from "./model-services.ts";
import { createAskService } from "./models/asks/ask.service.ts";
import { createSearchIndex } from "./models/search/search-index.ts";
import { createSearchService } from "./models/search/search.service.ts";
import { createHomeService } from "./models/home/home.service.ts";
import { createRetentionSettingsService } from "./models/retention/retention-settings.service.ts";
import { createRetentionService } from "./models/retention/retention.service.ts";
import type { EnvironmentRetention } from "./models/retention/retention-kinds.ts";
import { createServerStatusService } from "./models/server-status/server-status.service.ts";
import { createShelfService } from "./models/shelf/shelf.service.ts";
import type { ModelSource } from "./models/gateway/model-source.ts";
import type { EnvironmentModels } from "./models/model-settings/environment-models.ts";
import { createModelSettingsService } from "./models/model-settings/model-settings.service.ts";
import { createHttpRequestTool } from "./models/tools/http-request-tool.ts";
import type { Tool } from "./models/tools/toolbox.ts";
import { assistantCostUsd } from "./models/usage/token-price.ts";
import type { Deps } from "./platform/deps.ts";
import type { LargeReads } from "./platform/large-reads.ts";
import { createChangeLog } from "./platform/realtime/change-log.ts";
import { createListedChangesService } from "./platform/realtime/listed-changes.ts";
import { createProcessRegistry } from "./platform/process-registry.ts";
import { createWebhookServices } from "./webhook-services.ts";
import { createTaskServices } from "./task-services.ts";
import { createCalendarSettingsService } from "./work/calendar-settings/calendar-settings.service.ts";
import { createProjectService } from "./work/projects/project.service.ts";

/** The dependencies of all domains: everything that differs between a server, a command and a test. */
export interface ServiceDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly listener: Listener;
  readonly secrets: OpenedSecrets;
  readonly transcripts: TranscriptSource;
  /** Whether transcripts of sessions are stored at all. */
  readonly keepsTranscripts: boolean;
  /** For how many days things are kept, unless the settings say so. */
  readonly environmentRetention: EnvironmentRetention;
  /** The URL of the dashboard; null if it is only known locally. */
  readonly publicUrl: string | null;
  /** The vault's folder. Assistants refer to its files by absolute paths. */
  readonly vaultRoot: string;
  /** How the store of the vault is reached; null if it is a folder. */
  readonly vaultStore?: VaultStore | null;
  readonly checkHookPolicy: PolicyCheck;
  /** The process's own folder, where earlier releases kept the trash and earlier versions of documents. */
  readonly dataDir: string;
  /** The size limit for file content that is returned as a whole. */
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
  readonly models: EnvironmentModels;
  /** The initial balance of the credit pool of `/api/v1`. */
  readonly initialCredits: number;
  /** The origins to which agents may send requests with the tool `http_request`. Without any, the tool does not exist. */
  readonly agentHttpOrigins: readonly string[];
  /** Where the hooks of the server's own user are installed. */
  readonly hooksHome: string;
  /** The server's time zone: the default for days and schedules. */
  readonly timeZone: string;
  /** Whether that is set in the environment, which has precedence over the settings. */
  readonly isTimeZoneFromEnvironment: boolean;
  readonly backupEngine: BackupEngine;
  /** Where backups are and their passphrase, unless the settings say so. */
  readonly environmentBackup: EnvironmentBackup;
  /** With whose accounts people sign in, besides their passwords; null for nobody's. */
  readonly signInProvider: SignInProvider | null;
  /** How long a server process counts as alive after its last renewal. Afterwards, its abandoned work is ended. */
  readonly processLeaseMs: number;
}

/** The services of all domains. */
export type Services = ReturnType<typeof buildServices>;

/**
 * Builds each service with just the dependencies it needs: the one place where domains meet. `procedureTools` are the tools of
 * agents and chat that call procedures; `readResource` calls them for webhooks.
 */
export function buildServices(
  deps: ServiceDeps,
  { procedureTools, readResource }: { readonly procedureTools: readonly Tool[]; readonly readResource: ReadResource },
) {
  const { keys, redactor } = deps.secrets;
  const processes = createProcessRegistry({ ...deps, leaseMs: deps.processLeaseMs });
  const sessionTranscripts = createSessionTranscriptService({ ...deps, redactor });
  const ownLimits = createOwnLimitsService(deps);
  const keptResponses = createKeptResponseService({ ...deps, processes, keys });
  const secrets = createSecretService({ ...deps, keys, redactor });
  const modelSettings = createModelSettingsService({ ...deps, environment: deps.models, secrets });
  const { source } = modelSettings;
  const assistantUsage = createAssistantUsageService({ ...deps, ownLimits, readPricing: () => readPricing(source) });
  const secretReferences = createSecretReferences({ useValue: secrets.useValue, redactor });
  const origins = deps.agentHttpOrigins;
  const requestTools = origins.length === 0 ? [] : [createHttpRequestTool({ origins, secretReferences })];
  const push = createPushService({ ...deps, keys, agent: createPublicAgent() });
  const approvalServices = createApprovalServices({ ...deps, redactor, notify: push.send });
  const searchIndex = createSearchIndex(deps);
  const taskServices = createTaskServices({ ...deps, redactor, notify: push.send, deliverPush: push.deliver });
  const changes = createChangeLog({ ...deps, redactor });
  const listedChanges = createListedChangesService({ ...deps, positions: createSealedPositions(keys) });
  const webhookServices = createWebhookServices({ ...deps, keys, redactor, changes, readResource, notify: push.send });
  const background = { changes, searchIndex, sessionTranscripts, push, keptResponses, ...approvalServices };
  const modelServices = createModelServices({
    ...deps,
    modelSettings,
    source,
    redactor,
    tools: [...procedureTools, ...requestTools],
    processes,
    mentionReaders: {
      task: (id) => taskServices.tasks.get(id),
      document: (id) => documentServices.documents.open(id),
      memory: (id) => memory.get(id),
    },
    ...background,
    ...webhookServices,
    ...taskServices,
  });
  const memory = createMemoryService({ ...deps, redactor, embeddings: modelServices.memoryEmbeddings });
  const credits = createCreditService(deps);
  const apiKeys = createApiKeyService({ ...deps, parseFolder: parseKeyFolder });
  const documentServices = createDocumentServices({
    ...deps,
    processes,
    onTextsStored: searchIndex.noteChanges,
    findSimilar: (query, options) => search.findDocuments(query, options),
  });
  const backupServices = createBackupServices({ ...deps, ...documentServices, secrets, processes });
  const search = createSearchService({ ...deps, ...documentServices, searchIndex });
  const retentionSettings = createRetentionSettingsService(deps);
  const { memoryEmbeddings: embeddings } = modelServices;
  return {
    atomically: atomicallyWith({ ...deps, ...webhookServices, keys, redactor, push, embeddings }),
    keptResponses,
    ...taskServices,
    calendarSettings: createCalendarSettingsService(deps),
    projects: createProjectService(deps),
    ...documentServices,
    ...createNoteServices({ ...deps, ...documentServices, indexer: documentServices.textIndexer }),
    memory,
    sessionTranscripts,
    sessionSearch: createSessionSearchService(deps),
    fileHistory: createFileHistoryService(deps),
    ...createHookServices({ ...deps, redactor, memory, sessionTranscripts, assistantUsage }),
    changes,
    listedChanges,
    push,
    ...webhookServices,
    ...approvalServices,
    localUndo: createLocalUndoService({
      hooksHome: deps.hooksHome,
      isKnownKey: async (keyHash) => (await apiKeys.findByHash(keyHash)) !== null,
    }),
    memoryUse: createMemoryUseService(deps),
    memorySettings: createMemorySettingsService(deps),
    assistantUsage,
    ownLimits,
    secrets,
    secretReferences,
    modelSettings,
    /** Must be started before the mirror and the background work, and closed after them. */
    processes,
    ...modelServices,
    accounts: createAccountService(deps),
    apiKeys,
    oauth: createOAuthService({ ...deps, keys, apiKeys }),
    credits,
    search,
    home: createHomeService({ ...deps, ...backupServices }),
    ...backupServices,
    serverStatus: createServerStatusService({ ...deps, processes }),
    retentionSettings,
    retention: createRetentionService({ ...deps, ...documentServices, retentionSettings }),
    shelf: createShelfService(deps),
    asks: createAskService({ ...deps, ...modelServices, credits, redactor }),
  };
}

async function readPricing(source: ModelSource) {
  const { prices } = await source.read();
  return (report: Parameters<typeof assistantCostUsd>[1]) => assistantCostUsd(prices, report);
}
