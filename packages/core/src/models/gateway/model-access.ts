import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { UnavailableError } from "../../platform/errors.ts";
import { toUsd } from "../../platform/money.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { NO_FURTHER_LIMITS, type SpendGuard } from "../usage/spend-guard.ts";
import type { PriceTable } from "../usage/token-price.ts";
import { upsertUsage, type UsageEntry } from "../usage/usage.queries.ts";
import type { UsageSource } from "../usage/usage.schema.ts";
import { isBilled, type ModelCharge } from "./model-charge.ts";
import { createModelEndpoint, type ModelSettings } from "./model-endpoint.ts";
import { createModelGateway, type ModelGateway } from "./model-gateway.ts";
import type { ModelMessage } from "./model-request.ts";
import type { ChoosableEndpoint, ModelChoice, ModelConfig, ModelPurpose, ModelSource } from "./model-source.ts";

/** A single question to the model, without tools. */
export interface Question {
  readonly purpose: ModelPurpose;
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

/** Stores the answer; called again if that failed. */
type SaveAnswer = (client: PoolClient, text: string) => Promise<void>;

export interface PlainAnswer {
  readonly text: string;
  readonly costUsd: number;
  readonly isCostKnown: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelAccessOptions extends Deps<"db" | "clock" | "events" | "logger"> {
  readonly source: ModelSource;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
}

export type ModelAccess = ReturnType<typeof createModelAccess>;

/** Gives domains access to the models. Everything else works even if none is configured. */
export function createModelAccess({ source, db, clock, events, guard, redactor, logger }: ModelAccessOptions) {
  /** Several purposes may share a model. */
  const opened = new WeakMap<ModelSettings, ModelGateway>();

  function openGateway(settings: ModelSettings, prices: PriceTable): ModelGateway {
    const { model: name, maxOutputTokens } = settings;
    const price = prices.get(name) ?? null;
    if (price === null)
      logger.warn({ model: name }, "the price of the model is unknown, so budgets cannot be enforced");
    const model = { name, endpoint: createModelEndpoint(settings), maxOutputTokens, price };
    return createModelGateway({ model, guard, redactor, logger });
  }

  async function findGateway(purpose: ModelPurpose, choice?: ModelChoice | null) {
    const { models, endpoints, prices } = await source.read();
    const config = choice == null ? models[purpose] : chosenModel(endpoints, choice);
    if ("problem" in config) return config;
    const gateway = opened.get(config.settings) ?? openGateway(config.settings, prices);
    opened.set(config.settings, gateway);
    return gateway;
  }

  /** The model for this, or the chosen one. Throws {@link UnavailableError} with what a person can do if there is none. */
  async function requireGateway(purpose: ModelPurpose, choice?: ModelChoice | null): Promise<ModelGateway> {
    const gateway = await findGateway(purpose, choice);
    if ("problem" in gateway) throw new UnavailableError(gateway.problem);
    return gateway;
  }

  /** Books the cost of a call, in the caller's transaction: against the caps, and in the usage record. */
  async function book(client: PoolClient, charge: ModelCharge, usage: Omit<UsageEntry, "charge">): Promise<void> {
    if (isBilled(charge)) await upsertUsage(client, { ...usage, charge });
    for (const { reservation, spent } of charge.reservations) await guard.settle(client, reservation, spent);
  }

  async function askGateway(
    model: ModelGateway,
    { messages, expectsJson = false, signal, usage }: Omit<Question, "purpose">,
    save: SaveAnswer,
  ): Promise<PlainAnswer> {
    const startedAt = clock.now();
    const call = await model.call(
      { messages, tools: [], expectsJson },
      { limits: NO_FURTHER_LIMITS, signal, onText: () => undefined },
    );
    const { charge, answer } = call;
    const happenedAt = clock.now();
    const durationMs = happenedAt.getTime() - startedAt.getTime();
    const store = () =>
      transaction(db.pool, async (client) => {
        if (call.outcome === "answered") await save(client, answer.text);
        await book(client, charge, { ...usage, durationMs, happenedAt });
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
  }

  return {
    requireGateway,
    book,

    /** Null if no model is configured for this. */
    async modelName(purpose: ModelPurpose): Promise<string | null> {
      const gateway = await findGateway(purpose);
      return "problem" in gateway ? null : gateway.modelName;
    },

    /**
     * Asks one question and records its cost in the same transaction in which `save` stores the answer. Throws with status 503
     * if no model is configured, 402 if a cap does not cover the call, 502 if the model fails, and with the signal's reason if
     * aborted; any cost so far is still recorded.
     */
    async ask({ purpose, ...question }: Question, save: SaveAnswer = async () => undefined): Promise<PlainAnswer> {
      return askGateway(await requireGateway(purpose), question, save);
    },

    /** Asks a model that need not be configured, like {@link ask}. */
    async askWith(settings: ModelSettings, question: Omit<Question, "purpose">): Promise<PlainAnswer> {
      const { prices } = await source.read();
      return askGateway(openGateway(settings, prices), question, async () => undefined);
    },
  };
}

function chosenModel(endpoints: readonly ChoosableEndpoint[], { endpoint: id, model }: ModelChoice): ModelConfig {
  const problem = `The endpoint of ${model} is no longer configured. Choose another model for this conversation.`;
  return endpoints.find((endpoint) => endpoint.id === id)?.configOf(model) ?? { problem };
}
