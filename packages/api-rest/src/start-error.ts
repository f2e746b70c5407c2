import { DomainError, SecretsLockedError, WrongKeyError } from "@workspace/core";
import { DatabaseServerError, DataDirInUseError, EmbeddedPostgresError, MigrationError } from "@workspace/db";
import { ConfigError } from "./env.ts";

/** A start that cannot go on. The message is one sentence for the person who started the service. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Their messages are written for the person who started the service. */
const EXPLAINED = [
  StartError,
  ConfigError,
  DataDirInUseError,
  DatabaseServerError,
  EmbeddedPostgresError,
  MigrationError,
  SecretsLockedError,
  WrongKeyError,
  DomainError,
] as const;

/** What is printed of a failed start: what is wrong, and never a stack trace, which the log has at the level debug. */
export function explainFailedStart(error: unknown): string {
  if (!(error instanceof Error)) return `Workspace could not start: ${String(error)}`;
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  return `Workspace could not start: ${error.message}`;
}
