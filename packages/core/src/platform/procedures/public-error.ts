import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { findWriteProblem, isDatabaseUnavailable, type WriteProblem } from "@workspace/db";
import type * as z from "zod";
import {
  DATABASE_RETRY_S,
  DatabaseUnavailableError,
  DomainError,
  InvalidInputError,
  type InputIssue,
} from "../errors.ts";
import { describeIssues } from "./validation-message.ts";

/** An error as clients see it. */
export interface PublicError {
  readonly status: number;
  readonly message: string;
  readonly issues?: readonly InputIssue[];
  /** For the `Retry-After` header. */
  readonly retryAfterS?: number;
}

const UNEXPECTED: PublicError = {
  status: 500,
  message: "Something went wrong on the server. The log has the details.",
};

const WRITE_PROBLEMS: Record<WriteProblem, PublicError> = {
  "disk full": { status: 507, message: "The disk of the database is full. Nothing was changed." },
  "read-only": {
    status: 503,
    message: "The database takes no writes at the moment. Nothing was changed.",
    retryAfterS: DATABASE_RETRY_S,
  },
};

/**
 * Turns anything thrown into an error for clients: the one place where errors are mapped to statuses and messages. Anything
 * not meant for clients becomes a 500 without details; the caller logs the original.
 */
export function toPublicError(error: unknown): PublicError {
  const cause = error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
  if (cause instanceof DomainError) return describe(cause);
  const writeProblem = findWriteProblem(cause);
  if (writeProblem !== null) return WRITE_PROBLEMS[writeProblem];
  if (isDatabaseUnavailable(cause)) return describe(new DatabaseUnavailableError());
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    return { status: getHTTPStatusCodeFromError(error), message: error.message };
  }
  return UNEXPECTED;
}

/** Whether the details must be logged because they are hidden from the client. */
export function isUnexpected(error: unknown): boolean {
  const cause = error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
  return !(cause instanceof DomainError) && toPublicError(error).status >= 500;
}

/** The error for an input that does not match its schema. */
export function toInvalidInput(error: z.core.$ZodError): InvalidInputError {
  return InvalidInputError.of(describeIssues(error.issues));
}

function describe({ status, message, issues, retryAfterS }: DomainError): PublicError {
  return {
    status,
    message,
    ...(issues !== undefined && { issues }),
    ...(retryAfterS !== undefined && { retryAfterS }),
  };
}
