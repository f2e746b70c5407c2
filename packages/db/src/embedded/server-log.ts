import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import type { Log } from "../log.ts";

/** The log lines that PostgreSQL writes to its standard error. */
export interface ServerLog {
  /** The last lines, for the message of a failed start. */
  readonly tail: () => string;
}

const TAIL_LINES = 12;

/** A line in the format of `log_line_prefix`: the SQLSTATE, the severity, the text. */
const LINE = /^(?<sqlState>[0-9A-Z]{5}) (?<severity>[A-Z0-9]+): {2}(?<text>.*)$/;

/** Lines that report a problem although PostgreSQL logs them with its ordinary severity. */
const NOTEWORTHY = /terminated by signal|was not properly shut down|invalid page|could not (?:write|fsync|open|read)/;

/**
 * Logs what an operator should know: warnings and worse. Failed statements are omitted, since their client gets the error, and
 * their text would put the user's data into the log.
 */
export function readServerLog(stderr: Readable, log: Log): ServerLog {
  const lines: string[] = [];
  createInterface({ input: stderr }).on("line", (line) => {
    lines.push(line);
    if (lines.length > TAIL_LINES) lines.shift();
    report(line, log);
  });
  return { tail: () => lines.join("\n") };
}

function report(line: string, log: Log): void {
  const groups = LINE.exec(line)?.groups;
  if (groups === undefined) {
    if (line.trim() !== "") log.warn({ postgres: line }, "PostgreSQL");
    return;
  }
  const { sqlState = "", severity = "", text = "" } = groups;
  const fields = { sqlState, postgres: text };
  if (isServersOwnFailure(severity, sqlState)) log.error(fields, "PostgreSQL");
  else if (severity === "WARNING" || (severity === "LOG" && NOTEWORTHY.test(text))) log.warn(fields, "PostgreSQL");
}

function isServersOwnFailure(severity: string, sqlState: string): boolean {
  switch (severity) {
    case "PANIC":
      return true;
    case "FATAL":
      // Refused or ended connections while the server starts and stops are normal, and so is a database that does not exist yet.
      return !sqlState.startsWith("57P") && sqlState !== "3D000";
    case "ERROR":
      // Insufficient resources, system errors, corrupt data.
      return ["53", "58", "XX"].includes(sqlState.slice(0, 2));
    default:
      return false;
  }
}
