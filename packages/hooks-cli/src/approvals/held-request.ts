import { sinceStartMs } from "../clock.ts";
import type { ApiResult } from "../delivery/api-call.ts";

/** The server holds a request for 20 s, so one that takes longer is lost. */
const EXCHANGE_MS = 25_000;
/** So long a server may be away that has been asked: it may be restarting. */
const LOST_MS = 5_000;
const RETRY_MS = 100;
/** A server that held a request so long before the connection broke was there until then. */
const HELD_MS = 1_000;

export type HeldResult<Value> =
  | { readonly kind: "value"; readonly value: Value }
  /** The server does not want the request. */
  | { readonly kind: "refused" }
  /** The server was never reached. */
  | { readonly kind: "unreachable" }
  /** The server has gone away, or the time is up. */
  | { readonly kind: "lost" | "late" };

/** Repeats a request that the server holds, until its response settles the matter or the time is up. */
export async function repeatHeld<Value>(
  ask: (deadlineMs: number) => Promise<ApiResult<Value>>,
  isSettled: (value: Value) => boolean,
  waitMs: number,
): Promise<HeldResult<Value>> {
  const end = sinceStartMs() + waitMs;
  const leftMs = (): number => end - sinceStartMs();
  let wasAsked = false;
  let lostAt: number | undefined;
  while (leftMs() > 0) {
    const askedAt = sinceStartMs();
    const result = await ask(Math.min(leftMs(), EXCHANGE_MS));
    if (result.kind !== "ok" && result.kind !== "unavailable") return { kind: "refused" };
    if (result.kind === "ok") {
      if (isSettled(result.value)) return { kind: "value", value: result.value };
      wasAsked = true;
      lostAt = undefined;
    } else {
      wasAsked ||= result.wasSent;
      if (result.wasSent && !result.isTimeout && sinceStartMs() - askedAt > HELD_MS) lostAt = undefined;
      lostAt ??= sinceStartMs();
      if (!wasAsked) return { kind: "unreachable" };
      if (sinceStartMs() - lostAt > LOST_MS) return { kind: "lost" };
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(RETRY_MS, Math.max(0, leftMs()))));
  }
  return { kind: "late" };
}
