import { traced, type TracedWork } from "@workspace/db";
import * as z from "zod";
import { ModelError } from "./model-error.ts";
import { loadOpenAiClient, type EndpointAccess, type OpenAiClient } from "./openai-client.ts";

/** An embedding model, with an endpoint of its own. */
export interface EmbeddingSettings extends EndpointAccess {
  readonly model: string;
  /** How many numbers a vector is to have; null for as many as the model gives by itself. */
  readonly dimensions: number | null;
}

export interface EmbeddingResponse {
  /** In the order of the texts, all of the same length. */
  readonly vectors: readonly Float32Array[];
  /** As counted by the endpoint; null if it did not report it. */
  readonly inputTokens: number | null;
}

/** The HTTP endpoint of an embedding model. */
export interface EmbeddingEndpoint {
  /** Makes one request, without retries. Throws {@link ModelError}, and the signal's reason if it aborts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingResponse>;
}

/** Several times what the vectors of one request take, a few dozen of some thousand numbers. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Endpoints differ in what else they send. */
const responseSchema = z.object({
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()).nonempty() })),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative() }).nullish(),
});

/** Loads the client library on the first request. */
export function createEmbeddingEndpoint(settings: EmbeddingSettings): EmbeddingEndpoint {
  const { model, dimensions } = settings;
  let loading: Promise<OpenAiClient> | undefined;

  const describe = (): TracedWork => ({
    name: `embeddings ${model}`,
    kind: "client",
    beginsTrace: true,
    attributes: {
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": model,
    },
  });

  return {
    embed: (texts, signal) =>
      traced(describe, async (attributes) => {
        const response = await request(texts, signal);
        if (attributes !== null && response.inputTokens !== null)
          attributes["gen_ai.usage.input_tokens"] = response.inputTokens;
        return response;
      }),
  };

  async function request(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingResponse> {
    const { client, toModelError } = await (loading ??= loadOpenAiClient(settings, {
      maxBytes: MAX_RESPONSE_BYTES,
      of: "response",
    }));
    try {
      // Not every endpoint knows the library's default encoding.
      const body = {
        model,
        input: [...texts],
        encoding_format: "float" as const,
        ...(dimensions !== null && { dimensions }),
      };
      return readResponse(await client.embeddings.create(body, { signal }), texts.length);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ModelError ? error : toModelError(error);
    }
  }
}

function readResponse(response: unknown, count: number): EmbeddingResponse {
  const { data, usage } = responseSchema.parse(response);
  const vectors = data
    .toSorted((one, other) => one.index - other.index)
    .map(({ embedding }) => Float32Array.from(embedding));
  const isComplete = vectors.length === count && data.every(({ index }) => index < count);
  if (!isComplete || new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new ModelError("The model's endpoint sent something that is not a list of vectors.", { isRetryable: true });
  }
  return { vectors, inputTokens: usage?.prompt_tokens ?? null };
}
