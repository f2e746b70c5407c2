import { EmbeddingError } from "../../assistants/memory/embedding-model.ts";
import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import { createEmbeddingAccess } from "../gateway/embedding-access.ts";
import { listModels } from "../gateway/list-models.ts";
import type { ModelAccess } from "../gateway/model-access.ts";
import type { ModelSource } from "../gateway/model-source.ts";
import type { EndpointAccess } from "../gateway/openai-client.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { SpendGuard } from "../usage/spend-guard.ts";
import { NO_API_KEY } from "./current-models.ts";
import type { ModelTest, TestModel } from "./model-settings.schema.ts";
import type { ModelSettingsService } from "./model-settings.service.ts";

const TIMEOUT_MS = 30_000;
/** Enough for a model that thinks before it answers. */
const MAX_OUTPUT_TOKENS = 256;
const QUESTION = "This is a connection test. Answer with the word OK.";

export interface ModelTestServiceDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly settings: Pick<ModelSettingsService, "findKey">;
  readonly source: ModelSource;
  readonly models: Pick<ModelAccess, "askWith">;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
}

export type ModelTestService = ReturnType<typeof createModelTestService>;

/** Tries out a model before it is used: by a question, which costs what it costs. */
export function createModelTestService(deps: ModelTestServiceDeps) {
  const { ids, settings, source, models } = deps;

  async function askChat(access: EndpointAccess, model: string, signal: AbortSignal): Promise<string> {
    const id = ids();
    const { text } = await models.askWith(
      { ...access, model, maxOutputTokens: MAX_OUTPUT_TOKENS, silenceTimeoutMs: TIMEOUT_MS },
      {
        messages: [{ role: "user", content: QUESTION }],
        signal,
        usage: { id, source: "chat", sourceId: id, sourceName: "Connection test" },
      },
    );
    return text.trim() === ""
      ? "It answered with no text."
      : `It answered: ${text.trim().slice(0, 200).toWellFormed()}`;
  }

  async function askEmbeddings(access: EndpointAccess, model: string, signal: AbortSignal): Promise<string> {
    const price = (await source.read()).prices.get(model) ?? null;
    const embeddings = createEmbeddingAccess({ ...deps, settings: { ...access, model, dimensions: null }, price });
    const request = { texts: [QUESTION], purpose: "searches", timeoutMs: TIMEOUT_MS, signal } as const;
    const { vectors } = await embeddings.embed(request);
    return `It returned a vector of ${vectors[0]?.length ?? 0} numbers.`;
  }

  return {
    /** Never fails because of the endpoint: that is the result. */
    async test({ endpoint, baseUrl, apiKey, kind, model }: TestModel): Promise<ModelTest> {
      const stored = apiKey === undefined && endpoint !== undefined ? await settings.findKey(endpoint, baseUrl) : null;
      const access: EndpointAccess = { baseUrl, apiKey: apiKey ?? stored ?? NO_API_KEY };
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const end = (ok: boolean, message: string, listed: readonly string[] | null): ModelTest => ({
        ok,
        message,
        durationMs: Math.round(performance.now() - startedAt),
        models: listed === null ? null : [...listed],
      });
      try {
        if (model === undefined) {
          const listed = await listModels(access, signal);
          return end(true, listed.length === 0 ? "It lists no models." : `It lists ${listed.length} models.`, listed);
        }
        const message = await (kind === "chat" ? askChat : askEmbeddings)(access, model, signal);
        return end(true, message, null);
      } catch (error) {
        return end(false, describeFailure(error, signal), null);
      }
    },
  };
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `There was no answer within ${TIMEOUT_MS / 1000} seconds.`;
  if (error instanceof EmbeddingError && error.cause instanceof DomainError) return error.cause.message;
  if (error instanceof DomainError || error instanceof EmbeddingError) return error.message;
  throw error;
}
