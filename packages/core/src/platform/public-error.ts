import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { findWriteProblem, isDatabaseUnavailable, type WriteProblem } from "@workspace/db";
import * as z from "zod";
import { DomainError, InvalidInputError, OverloadedError, type InputIssue } from "./errors.ts";
import { describeIssues } from "./validation-message.ts";

/** What a client is told about a failure. */
export interface PublicError {
  readonly status: number;
  readonly message: string;
  readonly issues?: readonly InputIssue[];
  /** For the header `Retry-After`. */
  readonly retryAfterS?: number;
}

const UNEXPECTED: PublicError = {
  status: 500,
  message: "Something went wrong on the server. The log has the details.",
};
const DATABASE_AWAY: PublicError = { status: 503, message: "The database is not available. Try again in a moment." };

const NO_WRITES: Record<WriteProblem, PublicError> = {
  "disk full": { status: 507, message: "The disk of the database is full. Nothing was changed." },
  "read-only": { status: 503, message: "The database takes no writes at the moment. Nothing was changed." },
};

/**
 * Turns anything thrown into what may be told to a client: the one place where failures become statuses and messages.
 * What was not meant for clients becomes a 500 without details; the caller logs the original.
 */
export function toPublicError(error: unknown): PublicError {
  const cause = error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
  if (cause instanceof OverloadedError) {
    return { status: cause.status, message: cause.message, retryAfterS: cause.retryAfterS };
  }
  if (cause instanceof DomainError) {
    return withIssues({ status: cause.status, message: cause.message }, cause.issues);
  }
  if (cause instanceof z.core.$ZodError && error instanceof TRPCError && error.code === "BAD_REQUEST") {
    const { status, message, issues } = toInvalidInput(cause);
    return withIssues({ status, message }, issues);
  }
  const writeProblem = findWriteProblem(cause);
  if (writeProblem !== null) return NO_WRITES[writeProblem];
  if (isDatabaseUnavailable(cause)) return DATABASE_AWAY;
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    return { status: getHTTPStatusCodeFromError(error), message: error.message };
  }
  return UNEXPECTED;
}

/** Whether the log needs the details, because the client was not told them. */
export function isUnexpected(error: unknown): boolean {
  const cause = error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
  return !(cause instanceof DomainError) && toPublicError(error).status >= 500;
}

/** The refusal of an input that does not fit its schema. */
export function toInvalidInput(error: z.core.$ZodError): InvalidInputError {
  const issues = describeIssues(error.issues);
  return new InvalidInputError(summarize(issues), { issues });
}

function withIssues(error: PublicError, issues: readonly InputIssue[] | undefined): PublicError {
  return issues === undefined ? error : { ...error, issues };
}

function summarize(issues: readonly InputIssue[]): string {
  return issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`)).join("; ");
}
