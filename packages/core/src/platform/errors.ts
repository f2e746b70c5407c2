/** One thing wrong with an input: where, as a dotted path, and what is allowed there. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/**
 * A failure that a caller may be told about. The message is public; whatever must stay private (SQL, file paths,
 * library errors) belongs into `cause`, which is logged and never sent.
 */
export abstract class DomainError extends Error {
  /** The HTTP status that the contract gives this kind of failure. */
  abstract readonly status: number;
  readonly issues: readonly InputIssue[] | undefined;

  constructor(message: string, options: { cause?: unknown; issues?: readonly InputIssue[] } = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.issues = options.issues;
  }
}

export class InvalidInputError extends DomainError {
  readonly status = 400;

  /** The usual form: one field, and what is wrong with it. */
  static at(path: string, message: string): InvalidInputError {
    return new InvalidInputError(`${path}: ${message}`, { issues: [{ path, message }] });
  }
}

export class UnauthenticatedError extends DomainError {
  readonly status = 401;
}

/** Spending is needed and the pool or the budget is empty. */
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

/** The state that a conditional write was based on is gone; nothing was changed. */
export class PreconditionFailedError extends DomainError {
  readonly status = 412;
}

export class TooLargeError extends DomainError {
  readonly status = 413;
}

/** No room is left on the disk. */
export class InsufficientStorageError extends DomainError {
  readonly status = 507;
}

/** The server has as much to do as it can. */
export class OverloadedError extends DomainError {
  readonly status = 503;
  /** When it is worth trying again. */
  readonly retryAfterS = 5;
}

/** Something that the request needs is not there now: the database, the vault, or a model that is not configured. */
export class UnavailableError extends DomainError {
  readonly status = 503;
}
