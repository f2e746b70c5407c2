import { DomainError, PaymentRequiredError, UnavailableError } from "../platform/errors.ts";

/** The model's endpoint failed, or answered something that is no answer. */
export class ModelError extends DomainError {
  readonly status = 502;
  /** Whether the same request may well succeed later: too many requests, a failing server, a lost connection. */
  readonly isRetryable: boolean;
  /** How long the endpoint asked to wait; null where it did not. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { isRetryable: boolean; retryAfterMs?: number | null; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A cap would be overshot if the call cost as much as it can. No call was made. */
export class BudgetExceededError extends PaymentRequiredError {}

/** A cap is set, and what the model costs is not known, so the cap could not be kept. No call was made. */
export class UnpricedModelError extends PaymentRequiredError {}

/** Which settings are missing before a model can be asked. */
export function noModelConfigured(missing: readonly string[]): UnavailableError {
  return new UnavailableError(`No model is configured. Set ${missing.join(" and ")} and restart the server.`);
}
