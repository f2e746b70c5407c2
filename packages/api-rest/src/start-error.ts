import { BackupError } from "@workspace/backup";
import { DomainError, SecretsLockedError, WrongKeyError } from "@workspace/core";
import { DatabaseServerError, DataDirInUseError, EmbeddedPostgresError, MigrationError } from "@workspace/db";
import { ConfigError } from "./env.ts";

/** The service cannot start. The message is one sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Their messages are written for the person who started the service. */
const EXPLAINED = [
  StartError,
  BackupError,
  ConfigError,
  DataDirInUseError,
  DatabaseServerError,
  EmbeddedPostgresError,
  MigrationError,
  SecretsLockedError,
  WrongKeyError,
  DomainError,
] as const;

/** Whether a message is written for people already. */
export function isExplained(error: unknown): boolean {
  return EXPLAINED.some((kind) => error instanceof kind);
}

/** The message printed if the service cannot start, without a stack trace, which is logged at level debug. */
export function explainFailedStart(error: unknown): string {
  if (!(error instanceof Error)) return `Workspace could not start: ${String(error)}`;
  if (isExplained(error)) return error.message;
  return `Workspace could not start: ${error.message}`;
}
