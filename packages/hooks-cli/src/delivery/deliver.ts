import type { Home } from "../files/home.ts";
import type { ClaimedEvent, Spool } from "../spool/spool.ts";
import { readBreaker, writeBreaker } from "./breaker-file.ts";
import {
  type BreakerState,
  afterFailure,
  afterQuickTimeout,
  afterSuccess,
  startTrial,
  isTripped,
  allowsAttempt,
} from "./circuit-breaker.ts";
import type { ApiResult, Connection } from "./api-call.ts";
import { BATCH_FRAME_BYTES, postEvents } from "./workspace-api.ts";

export interface DeliveryDeps {
  readonly home: Home;
  readonly spool: Spool;
  readonly connection: Connection;
  readonly now: () => number;
  /** Whether a user wants an attempt now, whatever other processes have found. */
  readonly isAsked?: boolean;
}

export interface DeliveryReport {
  readonly sent: number;
  readonly rejected: number;
  /** Why not everything was sent; undefined if it was. */
  readonly failure: string | undefined;
}

const NOTHING_SENT: DeliveryReport = { sent: 0, rejected: 0, failure: undefined };
/** The server's limits for one batch: this many events, and one mebibyte. */
const MAX_BATCH_EVENTS = 500;
/** The batch size doubles after each success, so that a busy server is not asked for more than it can handle in time. */
const FIRST_BATCH_EVENTS = 32;
const MAX_BATCH_BYTES = 1024 * 1024 - BATCH_FRAME_BYTES;
/** Retries after a broken connection, for callers with enough time: a new connection often works. */
const RETRY_DELAYS_MS = [50, 250];
/** A claim outlives its sender's deadline by this much, so that nobody takes it over while the request is in flight. */
const LEASE_RESERVE_MS = 2_000;

export function leaseFor(deadlineMs: number): number {
  return deadlineMs + LEASE_RESERVE_MS;
}

/**
 * Sends events claimed by this process, within a deadline. Whatever cannot be sent is released and stays in the spool.
 */
export async function deliverClaimed(
  deps: DeliveryDeps,
  events: readonly ClaimedEvent[],
  deadlineMs: number,
  isQuick: boolean,
  retryDelaysMs: readonly number[] = [],
): Promise<DeliveryReport> {
  if (events.length === 0) return NOTHING_SENT;
  const reason = reasonToPause(deps, isQuick);
  if (reason !== undefined) {
    for (const event of events) deps.spool.release(event);
    return { ...NOTHING_SENT, failure: reason };
  }
  const breaker = readBreaker(deps.home.breaker);
  if (isTripped(breaker)) writeBreaker(deps.home.breaker, startTrial(breaker, deps.now(), deadlineMs));
  const end = deps.now() + deadlineMs;
  const bodies = events.map((event) => event.body);
  let result = await postEvents(deps.connection, bodies, deadlineMs);
  for (const delayMs of retryDelaysMs) {
    if (result.kind !== "unavailable" || result.isTimeout || deps.now() + delayMs >= end) break;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    result = await postEvents(deps.connection, bodies, end - deps.now());
  }
  recordResult(deps, breaker, result, isQuick);
  return settle(deps, events, result, end);
}

/** Sends all pending events in batches, for as long as there is time; `own` are already claimed and go first. */
export async function deliverBacklog(
  deps: DeliveryDeps,
  deadlineMs: number,
  own: readonly ClaimedEvent[] = [],
): Promise<DeliveryReport> {
  const end = deps.now() + deadlineMs;
  let [sent, rejected] = [0, 0];
  let maxEvents = FIRST_BATCH_EVENTS;
  deps.spool.recover();
  for (let batch = own; ; batch = []) {
    const leftMs = end - deps.now();
    const reason = leftMs <= 0 ? "the time ran out" : reasonToPause(deps, false);
    if (reason !== undefined) {
      for (const event of batch) deps.spool.release(event);
      return { sent, rejected, failure: reason };
    }
    const bytes = batch.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    const limits = { maxEvents, maxBytes: MAX_BATCH_BYTES - bytes, leaseMs: leaseFor(leftMs) };
    batch = [...batch, ...deps.spool.claim(limits)];
    if (batch.length === 0) return { sent, rejected, failure: undefined };
    const report = await deliverClaimed(deps, batch, leftMs, false, RETRY_DELAYS_MS);
    sent += report.sent;
    rejected += report.rejected;
    if (report.failure !== undefined) return { sent, rejected, failure: report.failure };
    maxEvents = Math.min(MAX_BATCH_EVENTS, 2 * maxEvents);
  }
}

/** Why no attempt is made at the moment; undefined if one may be made. */
function reasonToPause({ home, now, isAsked }: DeliveryDeps, isQuick: boolean): string | undefined {
  const breaker = readBreaker(home.breaker);
  if (isAsked === true || allowsAttempt(breaker, now(), isQuick)) return undefined;
  return breaker.lastFailure?.message ?? "the server is given a pause after failures";
}

function recordResult(
  { home, now }: DeliveryDeps,
  before: BreakerState,
  result: ApiResult<undefined>,
  isQuick: boolean,
): void {
  const after = nextState(before, now(), result, isQuick);
  if (after !== undefined) writeBreaker(home.breaker, after);
}

const SUCCESS_RECORD_INTERVAL_MS = 60_000;

/** Undefined if there is nothing new to record: most hooks should not write a file for that. */
function nextState(
  before: BreakerState,
  nowMs: number,
  result: ApiResult<undefined>,
  isQuick: boolean,
): BreakerState | undefined {
  switch (result.kind) {
    case "ok":
    case "refused": {
      const isRecorded = before.failures === 0 && nowMs - (before.lastSuccessAtMs ?? 0) < SUCCESS_RECORD_INTERVAL_MS;
      return isRecorded ? undefined : afterSuccess(before, nowMs, isQuick);
    }
    case "unauthorized":
      return afterFailure(before, nowMs, { message: `the server does not accept the key: ${result.message}` });
    case "unavailable":
      return isQuick && result.isTimeout ? afterQuickTimeout(before, nowMs) : afterFailure(before, nowMs, result);
  }
}

async function settle(
  deps: DeliveryDeps,
  events: readonly ClaimedEvent[],
  result: ApiResult<undefined>,
  end: number,
): Promise<DeliveryReport> {
  const { spool } = deps;
  switch (result.kind) {
    case "ok":
      for (const event of events) spool.remove(event);
      return { sent: events.length, rejected: 0, failure: undefined };
    case "refused":
      return settleRefused(deps, events, result.message, end);
    case "unauthorized":
    case "unavailable":
      for (const event of events) spool.release(event);
      return { ...NOTHING_SENT, failure: result.message };
  }
}

/** A batch is accepted as a whole or not at all, so the event that the server rejects is found by bisection. */
async function settleRefused(
  deps: DeliveryDeps,
  events: readonly ClaimedEvent[],
  message: string,
  end: number,
): Promise<DeliveryReport> {
  const [only] = events;
  if (events.length === 1 && only !== undefined) {
    deps.spool.reject(only);
    return { ...NOTHING_SENT, rejected: 1 };
  }
  const middle = Math.ceil(events.length / 2);
  let total = NOTHING_SENT;
  for (const half of [events.slice(0, middle), events.slice(middle)]) {
    const leftMs = end - deps.now();
    if (total.failure !== undefined || leftMs <= 0) {
      for (const event of half) deps.spool.release(event);
      total = { ...total, failure: total.failure ?? message };
      continue;
    }
    const result = await postEvents(
      deps.connection,
      half.map((event) => event.body),
      leftMs,
    );
    const report = await settle(deps, half, result, end);
    total = { sent: total.sent + report.sent, rejected: total.rejected + report.rejected, failure: report.failure };
  }
  return total;
}
