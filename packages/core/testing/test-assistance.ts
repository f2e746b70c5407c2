import { createListener, type Db, type PoolConfig } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { createToolApprovalService } from "../src/assistants/approvals/tool-approval.service.ts";
import { createSessionTranscriptService } from "../src/assistants/transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../src/assistants/transcripts/transcript-source.ts";
import { createSteeringService } from "../src/assistants/steering/steering.service.ts";
import { createModelServices, type ModelServices } from "../src/model-services.ts";
import type { CurrentModels, ModelConfig } from "../src/models/gateway/model-source.ts";
import type { Tool } from "../src/models/tools/toolbox.ts";
import { parsePriceTable } from "../src/models/usage/token-price.ts";
import { createChangeLog } from "../src/platform/realtime/change-log.ts";
import { createSearchIndex } from "../src/models/search/search-index.ts";
import { NotFoundError } from "../src/platform/errors.ts";
import { systemClock, type Clock } from "../src/platform/clock.ts";
import { createEventBus, type Change } from "../src/platform/events.ts";
import { uuidV7 } from "../src/platform/ids.ts";
import { silentLogger } from "../src/platform/logger.ts";
import { fromUsd } from "../src/platform/money.ts";
import type { UserPrincipal } from "../src/platform/procedures/principal.ts";
import { createProcessRegistry } from "../src/platform/process-registry.ts";
import { startModelDouble, type ModelDouble } from "./model-double.ts";
import { createTestRedactor } from "./test-deps.ts";

/** The double's model costs one dollar per million input tokens, a tenth of that if cached, and five dollars for output. */
export const TEST_MODEL = "double-1";
/** The double's embedding model costs two dollars per million tokens. */
export const TEST_EMBEDDING_MODEL = "double-vectors-1";
const PRICES = parsePriceTable({
  [TEST_MODEL]: { input: 1, cachedInput: 0.1, output: 5 },
  [TEST_EMBEDDING_MODEL]: { input: 2, output: 0 },
});
const MAX_OUTPUT_TOKENS = 1000;

export interface TestAssistanceOptions {
  readonly tools?: readonly Tool[];
  readonly dailyBudgetUsd?: number;
  readonly clock?: Clock;
  readonly timeZone?: string;
  /** Null means no model. */
  readonly model?: string | null;
  /** None unless given, and by default the one that has a price. */
  readonly embeddings?: { readonly model?: string; readonly dimensions?: number };
  readonly silenceTimeoutMs?: number;
  readonly approvalTimeoutMs?: number;
  /** A value to redact, like that of a secret. */
  readonly secret?: string;
}

/** Agents, chat and usage in one process, which may share its database and model double with others. */
export interface TestProcess {
  readonly assistance: ModelServices;
  /** The changes published by this process. */
  readonly changes: readonly Change[];
  /** Shuts it down cleanly. */
  close(): Promise<void>;
}

export interface TestWorkspace {
  readonly db: Db;
  readonly model: ModelDouble;
  readonly user: UserPrincipal;
  /** Starts a process. Several processes share everything except memory. */
  start(options?: TestAssistanceOptions): Promise<TestProcess>;
  /** Shuts down everything that was started. */
  close(): Promise<void>;
}

/** Creates a database with one user, and a model double. */
export async function createTestWorkspace(): Promise<TestWorkspace> {
  const database = await createTestDatabase();
  const model = await startModelDouble();
  const user: UserPrincipal = { kind: "user", userId: uuidV7(), name: "Ada", email: "ada@example.com" };
  await database.db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, $2, $3, now())", [
    user.userId,
    user.name,
    user.email,
  ]);
  const processes = new Set<TestProcess>();

  return {
    db: database.db,
    model,
    user,
    async start(options = {}) {
      const process = await startProcess(database.db, database.poolConfig, model.baseUrl, options);
      processes.add(process);
      return process;
    },
    async close() {
      await Promise.all([...processes].map((process) => process.close()));
      await model.close();
      await database.close();
    },
  };
}

const notFound = () => Promise.reject(new NotFoundError("There is no such item."));

async function startProcess(
  db: Db,
  poolConfig: PoolConfig,
  baseUrl: string,
  options: TestAssistanceOptions,
): Promise<TestProcess> {
  const { tools = [], dailyBudgetUsd = null, clock = systemClock, timeZone = "UTC", model = TEST_MODEL } = options;
  const { silenceTimeoutMs = 10_000, approvalTimeoutMs, secret, embeddings } = options;
  const listener = createListener(poolConfig, { log: silentLogger });
  const changes: Change[] = [];
  const events = createEventBus((error) => {
    throw error;
  });
  events.subscribe((change) => changes.push(change));
  const config: ModelConfig =
    model === null
      ? { problem: "No model is configured." }
      : { settings: { apiKey: "key", baseUrl, model, maxOutputTokens: MAX_OUTPUT_TOKENS, silenceTimeoutMs } };
  const current: CurrentModels = {
    endpoints: [],
    models: { chat: config, agents: config, extraction: config },
    embeddings:
      embeddings === undefined
        ? null
        : { apiKey: "key", baseUrl, model: TEST_EMBEDDING_MODEL, dimensions: null, ...embeddings },
    prices: PRICES,
    dailyLimit: dailyBudgetUsd === null ? null : fromUsd(dailyBudgetUsd),
  };
  const processes = createProcessRegistry({ db, clock, ids: uuidV7, logger: silentLogger, leaseMs: 3_000 });
  const redactor = createTestRedactor(secret);
  const deps = { db, listener, clock, events, redactor, logger: silentLogger };
  const assistance = createModelServices({
    changes: createChangeLog(deps),
    keptResponses: { deleteOld: async () => undefined },
    webhookDispatcher: {
      isNeeded: false,
      start: async () => undefined,
      wake: () => undefined,
      close: async () => undefined,
    },
    db,
    listener,
    clock,
    ids: uuidV7,
    events,
    logger: silentLogger,
    redactor,
    searchIndex: createSearchIndex({ db, events, logger: silentLogger }),
    source: { read: async () => current },
    modelSettings: { findKey: async () => null },
    timeZone,
    processes,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    sessionTranscripts: createSessionTranscriptService({
      db,
      clock,
      events,
      redactor: createTestRedactor(),
      keepsTranscripts: false,
    }),
    toolApprovals: createToolApprovalService({
      db,
      listener,
      clock,
      ids: uuidV7,
      events,
      redactor: createTestRedactor(),
      notify: () => undefined,
    }),
    push: { close: () => Promise.resolve() },
    assistantWaits: { close: () => Promise.resolve() },
    taskReminders: { deliverDue: async () => undefined },
    reminderPushes: { sendDue: async () => undefined },
    steering: createSteeringService({
      db,
      listener,
      clock,
      ids: uuidV7,
      events,
      redactor: createTestRedactor(),
    }),
    mentionReaders: { task: notFound, document: notFound, memory: notFound },
    ...(approvalTimeoutMs !== undefined && { approvalTimeoutMs }),
    tools,
  });
  await processes.start();
  await assistance.background.start();
  let closing: Promise<void> | undefined;
  const close = async () => {
    await assistance.background.close();
    await processes.close();
    await listener.close();
  };
  return { assistance, changes, close: () => (closing ??= close()) };
}
