import pino, { type Logger } from "pino";

/** Sets the function that removes the values of secrets from log lines. */
export type RedactLogs = (redact: (text: string) => string) => void;

/** Structured logs on stdout. Credentials in headers are always redacted, other secrets once they are known. */
export function createLogger(level: string): { logger: Logger; redactLogs: RedactLogs } {
  let redactLine = (line: string): string => line;
  const logger = pino({
    level,
    redact: ["headers.cookie", "headers.authorization"],
    hooks: { streamWrite: (line) => redactLine(line) },
  });
  return {
    logger,
    redactLogs: (redact) => {
      redactLine = redact;
    },
  };
}
