import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, tryRead, writeFileAtomic } from "../files/atomic-file.ts";
import { sessionFileName } from "../files/file-name.ts";
import type { Home } from "../files/home.ts";

function fileOf(home: Home, sessionId: string): string {
  return join(home.steering, `${sessionFileName(sessionId)}.told`);
}

/** The messages that a session has been told, but which the server does not know to be delivered yet. */
export function readTold(home: Home, sessionId: string): ReadonlySet<string> {
  return new Set((tryRead(fileOf(home, sessionId)) ?? "").split("\n").filter((line) => line !== ""));
}

/** Remembers them until the server knows, so that no later hook tells them again. */
export function rememberTold(home: Home, sessionId: string, ids: readonly string[]): void {
  ensurePrivateDir(home.steering);
  writeFileAtomic(fileOf(home, sessionId), [...readTold(home, sessionId), ...ids].join("\n"));
}

export function forgetTold(home: Home, sessionId: string): void {
  rmSync(fileOf(home, sessionId), { force: true });
}
