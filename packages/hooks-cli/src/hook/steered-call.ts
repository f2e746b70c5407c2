import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError, ensurePrivateDir, tryStat } from "../files/atomic-file.ts";
import { fileNameFor } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";
import type { HookCall, Report } from "./hook-session.ts";

/** A call after what a person had for its session. */
export interface SteeredCall {
  readonly call: HookCall;
  /** Reports what was delivered; to be called once the hook has replied. */
  readonly finish?: () => Promise<void>;
}

/** A file that is there, with a time in the future, while a helper watches whether a person has something for the session. */
export function watchPath({ steering }: Home, sessionId: string): string {
  return join(steering, fileNameFor(sessionId));
}

/** Records until when a session is watched. A time that is over says when its turn ended, also to a helper that has just begun. */
export function setWatchEnd(home: Home, sessionId: string, endMs: number): void {
  const path = watchPath(home, sessionId);
  ensurePrivateDir(home.steering);
  writeFileSync(path, "", { mode: 0o600 });
  utimesSync(path, endMs / 1_000, endMs / 1_000);
}

/** Whether this hook need not ask: a helper watches, or nobody could have anything for the session. */
export function isWatched({ home, config, switches, input, now }: HookCall): boolean {
  const { sessionId } = input;
  if (sessionId === undefined || config.kind !== "ready" || !switches.events) return true;
  return (tryStat(watchPath(home, sessionId))?.mtimeMs ?? 0) > now();
}

/** Does what a person has for the session, unless nobody has anything. */
export async function steered(call: HookCall, extend: (byMs: number) => void, report: Report): Promise<SteeredCall> {
  if (call.event.isAsync === true || call.input.event.startsWith("Se") || isWatched(call)) return { call };
  try {
    const { steer } = await import("./seldom-needed.ts");
    return await steer(call, extend);
  } catch (error) {
    report(`not steered (${describeError(error)})`);
    return { call };
  }
}
