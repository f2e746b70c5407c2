import { DomainError } from "../../platform/errors.ts";

interface ModelErrorOptions {
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number | null;
  readonly endpointStatus?: number;
  readonly cause?: unknown;
}

/** The model's endpoint failed, or sent something that is not an answer. */
export class ModelError extends DomainError {
  readonly status = 502;
  /** Whether the same request may succeed later: too many requests, a server failure, a lost connection. */
  readonly isRetryable: boolean;
  /** How long the endpoint asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;
  /** The status with which the endpoint responded; null if it did not. */
  readonly endpointStatus: number | null;

  constructor(message: string, options: ModelErrorOptions) {
    super(message, { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.endpointStatus = options.endpointStatus ?? null;
  }
}
