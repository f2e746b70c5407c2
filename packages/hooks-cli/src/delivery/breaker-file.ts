import { tryReadRecord, writeFileAtomic } from "../files/atomic-file.ts";
import { numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { type BreakerState, CLOSED } from "./circuit-breaker.ts";

/** What other hooks have found out about the server; the state of a healthy server if that cannot be read. */
export function readBreaker(path: string): BreakerState {
  const record = tryReadRecord(path);
  if (record === undefined) return CLOSED;
  const failure = recordAt(record, "lastFailure");
  return {
    failures: Math.max(0, Math.floor(numberAt(record, "failures") ?? 0)),
    openUntilMs: numberAt(record, "openUntilMs") ?? 0,
    slowUntilMs: numberAt(record, "slowUntilMs") ?? 0,
    lastFailure: failure && {
      atMs: numberAt(failure, "atMs") ?? 0,
      message: stringAt(failure, "message") ?? "",
      timedOut: failure["timedOut"] === true,
    },
    lastSuccessAtMs: numberAt(record, "lastSuccessAtMs"),
  };
}

/** Best effort: without it the next hook tries for itself. */
export function writeBreaker(path: string, state: BreakerState): void {
  try {
    writeFileAtomic(path, JSON.stringify(state));
  } catch {
    // A full or read-only disk is reported where an event could not be stored.
  }
}
