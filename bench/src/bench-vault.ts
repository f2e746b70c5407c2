import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createDocumentServices,
  createEventBus,
  createLargeReads,
  createProcessRegistry,
  silentLogger,
  systemClock,
  uuidV7,
} from "@workspace/core";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";

/** A vault of notes that are all recorded and indexed, with the services that work on it. */
export interface BenchVault {
  readonly db: Db;
  readonly root: string;
  readonly userId: string;
  readonly author: { readonly kind: "person"; readonly name: string; readonly userId: string };
  readonly services: ReturnType<typeof createDocumentServices>;
}

/** Runs a bench on a vault of its own with these notes, and removes it afterwards. */
export async function withBenchVault(
  notes: readonly { readonly path: string; readonly text: string }[],
  work: (vault: BenchVault) => Promise<void>,
): Promise<void> {
  await withBenchDatabase(async (db, dataDir) => {
    const root = join(dataDir, "vault");
    for (const folder of new Set(notes.map(({ path }) => dirname(path)))) {
      await mkdir(join(root, folder), { recursive: true });
    }
    for (const { path, text } of notes) await writeFile(join(root, path), text);
    const userId = uuidV7();
    await db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Bench', 'b@x.y', now())", [
      userId,
    ]);
    const shared = { db, clock: systemClock, ids: uuidV7, logger: silentLogger };
    const processes = createProcessRegistry({ ...shared, leaseMs: 30_000 });
    await processes.start();
    const services = createDocumentServices({
      ...shared,
      processes,
      events: createEventBus(console.error),
      vaultRoot: root,
      dataDir,
      maxContentBytes: 32 * 1024 * 1024,
      largeReads: createLargeReads(() => true),
    });
    await services.vaultMirror.start();
    while (services.vaultMirror.status.files !== notes.length) await sleep(200);
    await services.vaultMirror.housekeep();
    while (services.vaultMirror.status.unindexed > 0) await sleep(200);
    await work({ db, root, userId, author: { kind: "person", name: "Bench", userId }, services });
    await services.vaultMirror.close();
    await processes.close();
  });
}

/** Does some work and prints how long it took, and how long it kept the process from doing anything else. */
export async function timed<Result>(
  what: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; tookMs: number }> {
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  let longestStallMs = 0;
  let tickMs = startMs;
  const timer = setInterval(() => {
    longestStallMs = Math.max(longestStallMs, performance.now() - tickMs - 1);
    tickMs = performance.now();
  }, 1);
  const result = await work();
  clearInterval(timer);
  const tookMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const cpuS = ((user + system) / 1e6).toFixed(2);
  console.log(
    `${what}: ${(tookMs / 1_000).toFixed(2)} s (${cpuS} s of CPU), longest stall ${longestStallMs.toFixed(0)} ms`,
  );
  return { result, tookMs };
}

/** The hashes of the files in a vault, without those that belong to the service, by their paths. */
export async function hashesOf(root: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes("/.workspace")) continue;
    hashes.set(
      path.slice(root.length + 1),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    );
  }
  return hashes;
}
