import { createListener, type Db, type PoolConfig } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { createAssistance, type Assistance } from "../assistance.ts";
import type { ModelConfig } from "../models/model-access.ts";
import { parsePriceTable } from "../models/token-price.ts";
import { systemClock, type Clock } from "../platform/clock.ts";
import { createEventBus, type Change } from "../platform/events.ts";
import { uuidV7 } from "../platform/ids.ts";
import { silentLogger } from "../platform/logger.ts";
import { createProcessRegistry } from "../platform/process-registry.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import type { Tool } from "../tools/toolbox.ts";
import { startModelDouble, type ModelDouble } from "./model-double.ts";
import { createTestRedactor } from "./test-deps.ts";

/** The double's model: one dollar per million input tokens, a tenth of that when cached, five for output. */
export const TEST_MODEL = "double-1";
const PRICES = parsePriceTable({ [TEST_MODEL]: { input: 1, cachedInput: 0.1, output: 5 } });
const MAX_OUTPUT_TOKENS = 1000;

export interface TestAssistanceOptions {
  readonly tools?: readonly Tool[];
  readonly dailyBudgetUsd?: number;
  readonly clock?: Clock;
  readonly timeZone?: string;
  /** Null is none. */
  readonly model?: string | null;
  readonly silenceTimeoutMs?: number;
  readonly approvalTimeoutMs?: number;
  /** What is taken out of texts, as a secret's value would be. */
  readonly secret?: string;
}

/** Agents, chat and usage in one process, beside others on the same database and the same double. */
export interface TestProcess {
  readonly assistance: Assistance;
  /** What was published here. */
  readonly changes: readonly Change[];
  /** Ends it as a clean stop does. */
  close(): Promise<void>;
}

export interface TestWorkspace {
  readonly db: Db;
  readonly model: ModelDouble;
  readonly user: UserPrincipal;
  /** Starts a process; more than one share everything but memory. */
  start(options?: TestAssistanceOptions): Promise<TestProcess>;
  /** Ends whatever was started. */
  close(): Promise<void>;
}

/** A database of its own with one user, and a model that is none. */
export async function createTestWorkspace(): Promise<TestWorkspace> {
  const database = await createTestDatabase();
  const model = await startModelDouble();
  const user: UserPrincipal = { kind: "user", userId: uuidV7(), name: "Ada", email: "ada@example.com" };
  await database.db.prisma.user.create({ data: { id: user.userId, name: user.name, email: user.email } });
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

async function startProcess(
  db: Db,
  poolConfig: PoolConfig,
  baseUrl: string,
  options: TestAssistanceOptions,
): Promise<TestProcess> {
  const { tools = [], dailyBudgetUsd = null, clock = systemClock, timeZone = "UTC", model = TEST_MODEL } = options;
  const { silenceTimeoutMs = 10_000, approvalTimeoutMs, secret } = options;
  const listener = createListener(poolConfig, { log: silentLogger });
  const changes: Change[] = [];
  const events = createEventBus((error) => {
    throw error;
  });
  events.subscribe((change) => changes.push(change));
  const config: ModelConfig =
    model === null
      ? { missing: ["OPENAI_API_KEY", "OPENAI_MODEL"] }
      : { settings: { apiKey: "key", baseUrl, model, maxOutputTokens: MAX_OUTPUT_TOKENS, silenceTimeoutMs } };
  const processes = createProcessRegistry({ db, clock, ids: uuidV7, logger: silentLogger, leaseMs: 3_000 });
  const assistance = createAssistance({
    db,
    listener,
    clock,
    ids: uuidV7,
    events,
    logger: silentLogger,
    redactor: createTestRedactor(secret),
    model: config,
    prices: PRICES,
    dailyBudgetUsd,
    timeZone,
    processes,
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
