import * as fs from "node:fs";
import type { Connection } from "../delivery/api-call.ts";
import { postInjections } from "../delivery/workspace-api.ts";
import { hasCode, tryRead } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";

/** The server accepts so many at once. */
const MAX_INJECTIONS = 100;

/** Reports to the server what sessions were given. What cannot be sent is kept for the next time. */
export async function reportInjections(home: Home, connection: Connection, deadlineMs: number): Promise<void> {
  // A file that a process left behind when it died goes first. Hooks append to a new one in the meantime.
  const sending = `${home.injections}.sending`;
  if (!fs.existsSync(sending) && !moved(home.injections, sending)) return;
  const lines = (tryRead(sending) ?? "").split("\n").filter((line) => line !== "");
  for (let start = 0; start < lines.length; start += MAX_INJECTIONS) {
    const result = await postInjections(connection, lines.slice(start, start + MAX_INJECTIONS), deadlineMs);
    if (result.kind === "unavailable" || result.kind === "unauthorized") return;
  }
  fs.rmSync(sending, { force: true });
}

function moved(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
