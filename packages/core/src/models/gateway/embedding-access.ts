import { transaction } from "@workspace/db";
import { EmbeddingError, type EmbeddingModel, type EmbeddingRequest } from "../../assistants/memory/embedding-model.ts";
import type { Deps } from "../../platform/deps.ts";
import { PaymentRequiredError } from "../../platform/errors.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { NO_FURTHER_LIMITS, type Reservation, type SpendGuard } from "../usage/spend-guard.ts";
import { costOf, type TokenPrice } from "../usage/token-price.ts";
import { upsertUsage, type TokenCharge } from "../usage/usage.queries.ts";
import { createEmbeddingEndpoint, type EmbeddingResponse, type EmbeddingSettings } from "./embedding-endpoint.ts";
import { createEmbeddingRecords } from "./embedding-records.ts";
import { ModelError } from "./model-error.ts";
import type { ModelSource } from "./model-source.ts";

/** A token of ordinary text has about four bytes; no token has less than one, and models add a few to each text. */
const BYTES_PER_TOKEN = 4;
const ADDED_TOKENS = 8;
/** The statuses with which endpoints refuse a text, usually because it is too long. */
const REFUSED_TEXT = [400, 413, 422];

export interface EmbeddingAccessOptions extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly settings: EmbeddingSettings;
  /** Null if unknown. */
  readonly price: TokenPrice | null;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
}

export interface EmbeddingModelsOptions extends Omit<EmbeddingAccessOptions, "settings" | "price"> {
  readonly source: ModelSource;
}

/** Returns what finds the embedding model that is configured now: the same one until it changes, null if there is none. */
export function createEmbeddingModels(options: EmbeddingModelsOptions): () => Promise<EmbeddingModel | null> {
  const opened = new WeakMap<EmbeddingSettings, EmbeddingModel>();
  return async () => {
    const { embeddings: settings, prices } = await options.source.read();
    if (settings === null) return null;
    const price = prices.get(settings.model) ?? null;
    const model = opened.get(settings) ?? createEmbeddingAccess({ ...options, settings, price });
    opened.set(settings, model);
    return model;
  };
}

/** The embedding model: checks the budget before each call, makes it without retries, and records what it has cost. */
export function createEmbeddingAccess(options: EmbeddingAccessOptions): EmbeddingModel {
  const { settings, price, db, clock, ids, events, guard, redactor, logger } = options;
  const endpoint = createEmbeddingEndpoint(settings);
  const records = createEmbeddingRecords(ids);
  if (price === null) {
    logger.warn(
      { model: settings.model },
      "the price of the embedding model is unknown, so budgets cannot be enforced",
    );
  }

  async function reserve(texts: readonly string[]): Promise<Reservation> {
    const inputTokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + ADDED_TOKENS, 0);
    try {
      return await guard.reserve(price === null ? null : costOf(ofInput(inputTokens), price), NO_FURTHER_LIMITS);
    } catch (error) {
      throw error instanceof PaymentRequiredError ? new EmbeddingError("no budget", { cause: error }) : error;
    }
  }

  /** What was refused or failed costs nothing. */
  async function request(request: EmbeddingRequest, reservation: Reservation): Promise<EmbeddingResponse> {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    try {
      return await endpoint.embed(request.texts, AbortSignal.any([request.signal, timeout]));
    } catch (error) {
      await transaction(db.pool, (client) => guard.settle(client, reservation, 0n));
      if (error === timeout.reason) throw new EmbeddingError("unavailable", { cause: error });
      throw error instanceof ModelError ? toEmbeddingError(error) : error;
    }
  }

  return {
    async embed(given, save = async () => undefined) {
      const startedAt = clock.now();
      const texts = given.texts.map((text) => redactor.redact(text));
      const reservation = await reserve(texts);
      const response = await request({ ...given, texts }, reservation);
      const { vectors } = response;
      const dimensions = vectors[0]?.length ?? 0;
      const isWrong = settings.dimensions !== null && dimensions !== settings.dimensions;
      const embeddings = { space: `${settings.model}/${dimensions}`, vectors };
      const charge = toCharge(settings.model, price, texts, response);
      const happenedAt = clock.now();
      const record = records.add(given.purpose, happenedAt, happenedAt.getTime() - startedAt.getTime());
      const store = () =>
        transaction(db.pool, async (client) => {
          if (!isWrong) await save(client, embeddings);
          await upsertUsage(client, { ...record.entry, charge, happenedAt });
          await guard.settle(client, reservation, charge.cost);
        });
      await retryWhileUnavailable(store, () => given.signal.aborted);
      if (record.isNew) {
        const { id, sourceName } = record.entry;
        events.publish({ resource: "usage", action: "create", resourceId: id, resourceName: sourceName });
      }
      if (isWrong) {
        const cause = new Error(`The vectors have ${dimensions} numbers instead of ${settings.dimensions}.`);
        throw new EmbeddingError("wrong dimensions", { cause });
      }
      return embeddings;
    },
  };
}

function toEmbeddingError(error: ModelError): EmbeddingError {
  const { endpointStatus: status, isRetryable, retryAfterMs } = error;
  const isAboutTexts = status !== null && REFUSED_TEXT.includes(status);
  return new EmbeddingError(isRetryable ? "unavailable" : "refused", { cause: error, isAboutTexts, retryAfterMs });
}

/** Tokens that the endpoint did not count are estimated, and their cost is marked as unknown. */
function toCharge(
  model: string,
  price: TokenPrice | null,
  texts: readonly string[],
  { inputTokens }: EmbeddingResponse,
): TokenCharge {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const usage = ofInput(inputTokens ?? Math.ceil(bytes / BYTES_PER_TOKEN));
  const cost = price === null ? 0n : costOf(usage, price);
  return { model, usage, cost, isCostKnown: price !== null && inputTokens !== null };
}

function ofInput(inputTokens: number) {
  return { inputTokens, cachedInputTokens: 0, outputTokens: 0 };
}
