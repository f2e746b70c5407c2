import { DomainError, UnavailableError } from "../../platform/errors.ts";

/** The model's endpoint failed, or sent something that is not an answer. */
export class ModelError extends DomainError {
  readonly status = 502;
  /** Whether the same request may succeed later: too many requests, a server failure, a lost connection. */
  readonly isRetryable: boolean;
  /** How long the endpoint asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { isRetryable: boolean; retryAfterMs?: number | null; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Names the settings that are missing. */
export function noModelConfigured(missing: readonly string[]): UnavailableError {
  return new UnavailableError(`No model is configured. Set ${missing.join(" and ")} and restart the server.`);
}
