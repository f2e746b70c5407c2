import type { OpenAI } from "openai";
import { createLimitedFetch, type ResponseLimit } from "../../platform/limited-fetch.ts";
import { ModelError } from "./model-error.ts";

const MAX_DETAIL_LENGTH = 300;

/** The client library, and how its errors are reported. */
export interface OpenAiClient {
  readonly client: OpenAI;
  readonly toModelError: (error: unknown) => ModelError;
}

/** An endpoint that speaks OpenAI's protocol. */
export interface EndpointAccess {
  readonly apiKey: string;
  /** Null means OpenAI's own. */
  readonly baseUrl: string | null;
}

/** Loads the client library, which takes long and which most servers never need. */
export async function loadOpenAiClient(
  { apiKey, baseUrl }: EndpointAccess,
  limit: ResponseLimit,
): Promise<OpenAiClient> {
  const { OpenAI, APIError, APIConnectionError } = await import("openai");
  // Retries are up to the caller, who knows what they may cost and when to stop.
  const fetch = createLimitedFetch(limit);
  // A redirect could lead to any service that this machine reaches, and would take prompts to another server than was chosen.
  const fetchOptions = { redirect: "manual" } as const;
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, logLevel: "off", fetch, fetchOptions });

  const toModelError = (error: unknown): ModelError => {
    if (error instanceof APIConnectionError) {
      return new ModelError("The model's endpoint is unreachable.", { isRetryable: true, cause: error });
    }
    if (error instanceof APIError && typeof error.status === "number") {
      const status: number = error.status;
      const headers: unknown = error.headers;
      const detail = error.message
        .replace(/^\d{3} /, "")
        .replaceAll(apiKey, "…")
        .slice(0, MAX_DETAIL_LENGTH);
      const isRedirect = status >= 300 && status < 400;
      const message = isRedirect
        ? `redirects elsewhere (${status}), which is not followed`
        : `answered ${status}: ${detail}`;
      return new ModelError(`The model's endpoint ${message}`, {
        isRetryable: isRetryableStatus(status) && error.code !== "insufficient_quota",
        retryAfterMs: headers instanceof Headers ? readRetryAfterMs(headers) : null,
        endpointStatus: status,
        cause: error,
      });
    }
    return new ModelError("The model's endpoint ended the response early, or sent something that is not an answer.", {
      isRetryable: true,
      cause: error,
    });
  };
  return { client, toModelError };
}

function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Reads `Retry-After` in seconds. A date is rare enough to fall back on our own delays. */
function readRetryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
