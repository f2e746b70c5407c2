import pino, { type Logger } from "pino";

/** Tells the logger how to keep the values of secrets out of its lines. */
export type RedactLogs = (redact: (text: string) => string) => void;

/** Structured logs on stdout. Credentials in headers never get into a line; other secrets are taken out once they are known. */
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
