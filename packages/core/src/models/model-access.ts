import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { EventBus } from "../platform/events.ts";
import type { Logger } from "../platform/logger.ts";
import { toUsd } from "../platform/money.ts";
import type { Redactor } from "../platform/redactor.ts";
import { retryWhileAway } from "../platform/retry-while-away.ts";
import { NO_FURTHER_LIMITS, type SpendGuard } from "../usage/spend-guard.ts";
import type { UsageSource } from "../usage/usage.schema.ts";
import { isBilled } from "./model-charge.ts";
import { createModelEndpoint, type ModelSettings } from "./model-endpoint.ts";
import { noModelConfigured } from "./model-error.ts";
import { createModelGateway, type ModelGateway } from "./model-gateway.ts";
import type { ModelMessage } from "./model-request.ts";
import type { PriceTable } from "./token-price.ts";

/** The configured model, or the names of the settings that are missing for there to be one. */
export type ModelConfig = { readonly settings: ModelSettings } | { readonly missing: readonly string[] };

/** One question with one answer, without tools. */
export interface Question {
  readonly messages: readonly ModelMessage[];
  readonly answersJson?: boolean;
  readonly signal: AbortSignal;
  /** What the usage record says that it was for. Questions with one `id` add up to one record. */
  readonly usage: {
    readonly id: string;
    readonly source: UsageSource;
    readonly sourceId: string;
    readonly sourceName: string;
  };
}

export interface PlainAnswer {
  readonly text: string;
  readonly costUsd: number;
  readonly isCostKnown: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelAccessOptions {
  readonly config: ModelConfig;
  readonly prices: PriceTable;
  readonly db: Db;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

export type ModelAccess = ReturnType<typeof createModelAccess>;

/** How domains reach the model. Everything else works where none is configured. */
export function createModelAccess({ config, prices, db, clock, events, guard, redactor, logger }: ModelAccessOptions) {
  const gateway = "settings" in config ? openGateway(config.settings) : null;

  function openGateway(settings: ModelSettings): ModelGateway {
    const { model: name, maxOutputTokens } = settings;
    const price = prices.get(name) ?? null;
    if (price === null) logger.warn({ model: name }, "the model has no known price; budgets cannot be kept with it");
    const model = { name, endpoint: createModelEndpoint(settings), maxOutputTokens, price };
    return createModelGateway({ model, guard, redactor, logger });
  }

  /** Throws an error with status 503 that names the missing settings where no model is configured. */
  function requireGateway(): ModelGateway {
    if (gateway === null) throw noModelConfigured("missing" in config ? config.missing : []);
    return gateway;
  }

  return {
    /** Null where no model is configured. */
    modelName: gateway?.modelName ?? null,
    requireGateway,

    /**
     * Asks one question and records what it has cost, together with what `save` stores of the answer, or not at all. Throws
     * where no model is configured (503), where a cap has no room for it (402), where the model fails (502), and the
     * signal's reason; a cost that arose by then is recorded.
     */
    async ask(
      question: Question,
      save: (client: PoolClient, text: string) => Promise<void> = async () => undefined,
    ): Promise<PlainAnswer> {
      const { messages, answersJson = false, signal, usage } = question;
      const startedAt = clock.now();
      const model = requireGateway();
      const call = await model.call(
        { messages, tools: [], answersJson },
        { limits: NO_FURTHER_LIMITS, signal, onText: () => undefined },
      );
      const { charge, answer } = call;
      const happenedAt = clock.now();
      const store = () =>
        transaction(db.pool, async (client) => {
          if (call.outcome === "answered") await save(client, answer.text);
          await model.book(client, charge, {
            ...usage,
            durationMs: happenedAt.getTime() - startedAt.getTime(),
            happenedAt,
          });
        });
      await retryWhileAway(store, () => signal.aborted);
      if (isBilled(charge)) {
        events.publish({ resource: "usage", action: "create", resourceId: usage.id, resourceName: usage.sourceName });
      }
      if (call.outcome === "failed") throw call.error;
      if (call.outcome === "aborted") throw signal.reason;
      const { inputTokens, outputTokens } = charge.usage;
      return {
        text: answer.text,
        costUsd: toUsd(charge.cost),
        isCostKnown: charge.isCostKnown,
        inputTokens,
        outputTokens,
      };
    },
  };
}
