import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { toUsd } from "../../platform/money.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { NO_FURTHER_LIMITS, type SpendGuard } from "../usage/spend-guard.ts";
import type { PriceTable } from "../usage/token-price.ts";
import type { UsageSource } from "../usage/usage.schema.ts";
import { isBilled } from "./model-charge.ts";
import { createModelEndpoint, type ModelSettings } from "./model-endpoint.ts";
import { noModelConfigured } from "./model-error.ts";
import { createModelGateway, type ModelGateway } from "./model-gateway.ts";
import type { ModelMessage } from "./model-request.ts";

/** The configured model, or the names of the missing settings. */
export type ModelConfig = { readonly settings: ModelSettings } | { readonly missing: readonly string[] };

/** A single question to the model, without tools. */
export interface Question {
  readonly messages: readonly ModelMessage[];
  readonly expectsJson?: boolean;
  readonly signal: AbortSignal;
  /** The usage record. Questions with the same `id` add up to one record. */
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

export interface ModelAccessOptions extends Deps<"db" | "clock" | "events" | "logger"> {
  readonly config: ModelConfig;
  readonly prices: PriceTable;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
}

export type ModelAccess = ReturnType<typeof createModelAccess>;

/** Gives domains access to the model. Everything else works even if none is configured. */
export function createModelAccess({ config, prices, db, clock, events, guard, redactor, logger }: ModelAccessOptions) {
  const gateway = "settings" in config ? openGateway(config.settings) : null;

  function openGateway(settings: ModelSettings): ModelGateway {
    const { model: name, maxOutputTokens } = settings;
    const price = prices.get(name) ?? null;
    if (price === null)
      logger.warn({ model: name }, "the price of the model is unknown, so budgets cannot be enforced");
    const model = { name, endpoint: createModelEndpoint(settings), maxOutputTokens, price };
    return createModelGateway({ model, guard, redactor, logger });
  }

  /** Throws an error with status 503 that names the missing settings if no model is configured. */
  function requireGateway(): ModelGateway {
    if (gateway === null) throw noModelConfigured("missing" in config ? config.missing : []);
    return gateway;
  }

  return {
    /** Null if no model is configured. */
    modelName: gateway?.modelName ?? null,
    requireGateway,

    /**
     * Asks one question and records its cost in the same transaction in which `save` stores the answer. Throws with status 503
     * if no model is configured, 402 if a cap does not cover the call, 502 if the model fails, and with the signal's reason if
     * aborted; any cost so far is still recorded.
     */
    async ask(
      question: Question,
      save: (client: PoolClient, text: string) => Promise<void> = async () => undefined,
    ): Promise<PlainAnswer> {
      const { messages, expectsJson = false, signal, usage } = question;
      const startedAt = clock.now();
      const model = requireGateway();
      const call = await model.call(
        { messages, tools: [], expectsJson },
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
      await retryWhileUnavailable(store, () => signal.aborted);
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
