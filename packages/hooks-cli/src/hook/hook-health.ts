import { readBreaker } from "../delivery/breaker-file.ts";
import type { Home } from "../files/home.ts";
import { readProblems } from "../files/problem-log.ts";
import { definedOnly } from "../harness/harness.ts";
import type { JsonRecord } from "../json/json-value.ts";
import { readCounter } from "../spool/counters.ts";
import type { Spool } from "../spool/spool.ts";
import { VERSION } from "../version.ts";

/** The health of this program, for the dashboard: undelivered events, and recent problems. */
export function healthRecord(home: Home, spool: Spool, policyProblems: readonly string[]): JsonRecord {
  const dropped = readCounter(home.counters, "dropped");
  const rejected = readCounter(home.counters, "rejected");
  const { failures, lastFailure } = readBreaker(home.breaker);
  const last = readProblems(home.problems).at(-1);
  return definedOnly({
    version: VERSION,
    waiting: spool.length,
    dropped: dropped > 0 ? dropped : undefined,
    rejected: rejected > 0 ? rejected : undefined,
    serverFailure: failures > 0 ? lastFailure?.message : undefined,
    policyProblem: policyProblems[0],
    lastProblem: last === undefined ? undefined : `${last.at} ${last.message}`,
  });
}
