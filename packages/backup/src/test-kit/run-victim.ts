import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { VictimOrders } from "./victim.fixture.ts";

const VICTIM = join(import.meta.dirname, "victim.fixture.ts");

/** Lets a victim work until it is killed, after a part of the time that it takes if it is not; returns how long it worked. */
export async function runVictim(orders: VictimOrders, killAfterMs: number | null): Promise<number> {
  const child = spawn(process.execPath, ["--import", "tsx", VICTIM, JSON.stringify(orders)], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  const startedAt = performance.now();
  if (killAfterMs === null) {
    const [code]: unknown[] = await exited;
    if (code !== 0) throw new Error(`The victim ended with ${String(code)}.`);
    return performance.now() - startedAt;
  }
  await Promise.race([sleep(killAfterMs), exited]);
  child.kill("SIGKILL");
  await exited;
  return performance.now() - startedAt;
}
