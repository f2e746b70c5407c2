/** A problem with one input field: its dotted path, and what is allowed there. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * An error that may be shown to clients. Its message is public; anything private (SQL, file paths, library errors) belongs
 * in `cause`, which is logged and never sent.
 */
export abstract class DomainError extends Error {
  /** The HTTP status that the contract assigns to this kind of error. */
  abstract readonly status: number;
  /** After how many seconds to try again, if that is known. */
  readonly retryAfterS?: number;
  readonly issues: readonly InputIssue[] | undefined;

  constructor(message: string, options: { cause?: unknown; issues?: readonly InputIssue[] } = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.issues = options.issues;
  }
}

export class InvalidInputError extends DomainError {
  readonly status = 400;

  /** The usual case: one field and what is wrong with it. */
  static at(path: string, message: string): InvalidInputError {
    return InvalidInputError.of([{ path, message }]);
  }

  /** Several problems, all of which the message names. */
  static of(issues: readonly InputIssue[]): InvalidInputError {
    const message = issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`));
    return new InvalidInputError(message.join("; "), { issues });
  }
}

export class UnauthenticatedError extends DomainError {
  readonly status = 401;
}

/** The request costs money, and the credit pool or the budget is used up. */
export class PaymentRequiredError extends DomainError {
  readonly status = 402;
}

export class ForbiddenError extends DomainError {
  readonly status = 403;
}

export class NotFoundError extends DomainError {
  readonly status = 404;
}

export class ConflictError extends DomainError {
  readonly status = 409;
}

/** What was there is no longer available, and will not be again. */
export class GoneError extends DomainError {
  readonly status = 410;
}

/** The resource has changed since the state that a conditional write was based on; nothing was changed. */
export class PreconditionFailedError extends DomainError {
  readonly status = 412;
}

export class TooLargeError extends DomainError {
  readonly status = 413;
}

/** The request is well-formed but contradicts an earlier one. */
export class UnprocessableError extends DomainError {
  readonly status = 422;
}

/** One caller has made too many requests. */
export class TooManyRequestsError extends DomainError {
  readonly status = 429;
  override readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** The disk is full. */
export class InsufficientStorageError extends DomainError {
  readonly status = 507;
}

/** The server is at capacity. */
export class OverloadedError extends DomainError {
  readonly status = 503;
  override readonly retryAfterS = 5;
}

/** Something that the request needs is currently unavailable: the database, the vault, or a model that is not configured. */
export class UnavailableError extends DomainError {
  readonly status = 503;
}

/** After how many seconds to try again while the database is away: a standby is promoted, or a server started, in about that time. */
export const DATABASE_RETRY_S = 2;

/** The database cannot be reached, or has ended its connections. */
export class DatabaseUnavailableError extends UnavailableError {
  override readonly retryAfterS = DATABASE_RETRY_S;

  constructor() {
    super("The database is not available. Try again in a moment.");
  }
}
