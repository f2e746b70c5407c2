import { rmSync } from "node:fs";
import { tryStat } from "../files/atomic-file.ts";
import type { Connection } from "../delivery/api-call.ts";
import type { Home } from "../files/home.ts";
import { passesOfSession } from "../hook/passes.ts";
import { markDue, setWatchEnd, watchPath } from "../hook/steered-call.ts";
import { isSteered } from "./is-steered.ts";

/** As long as a pass: the hook that gives the next one starts the next watch. */
export const WATCH_MS = 30_000;
/** Proxies give up on slower responses. */
const HOLD_MS = 20_000;
/** A request that takes so much longer is lost. */
const GRACE_MS = 5_000;
const SAME_MS = 2_000;
const LOOK_MS = 500;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 8_000;

/**
 * Watches whether a person has something for a session, so that its hooks need not ask, and sees to it that the next one does as soon
 * as there is something. Ends with the turn, and at the latest after `WATCH_MS`.
 */
export async function watchSession(home: Home, connection: Connection, sessionId: string): Promise<void> {
  const path = watchPath(home, sessionId);
  const end = Date.now() + WATCH_MS;
  // Another has just begun. One that began before does not last as long as passes that have been given since.
  if (watchEnd(path) > end - SAME_MS) return;
  // Only a session for which nobody has anything is watched: until then its hooks ask.
  const first = await isSteered(connection, sessionId, { waitMs: 0, graceMs: GRACE_MS });
  if (first.kind === "unavailable") return;
  if (first.kind === "ok" && first.value) return withdraw(home, sessionId, path);
  const watchedUntil = watchEnd(path);
  if (watchedUntil > performance.timeOrigin && watchedUntil <= Date.now()) return;
  setWatchEnd(home, sessionId, end);
  // A server that does not know the request need not be asked by hooks either.
  if (first.kind !== "ok") return;
  const isOver = untilOver(path);
  for (let failures = 0; Date.now() < end;) {
    const holdMs = Math.max(0, Math.min(HOLD_MS, end - Date.now()));
    const result = await Promise.race([
      isSteered(connection, sessionId, { waitMs: holdMs, graceMs: GRACE_MS }),
      isOver,
    ]);
    if (result === undefined) return;
    if (result.kind === "ok" && result.value) return withdraw(home, sessionId, path);
    failures = result.kind === "ok" ? 0 : failures + 1;
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)));
  }
}

/** Has the next hook ask. In this order: one that gives passes in between finds that nobody watches, and starts the next watch. */
function withdraw(home: Home, sessionId: string, path: string): void {
  markDue(home, sessionId);
  rmSync(path, { force: true });
  const passes = passesOfSession(home, sessionId);
  if (passes !== undefined) rmSync(passes, { recursive: true, force: true });
}

/** Until when the session is watched, or when its turn ended. */
function watchEnd(path: string): number {
  return tryStat(path)?.mtimeMs ?? 0;
}

/** Resolves when the session is not watched any more. */
async function untilOver(path: string): Promise<undefined> {
  while (watchEnd(path) > Date.now())
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS).unref();
    });
  return undefined;
}
