import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { findClusterProcessesByFolder, findClusterProcessesBySocket } from "./cluster-processes.ts";
import { endLeftoverProcesses } from "./leftover-processes.ts";
import { expectToStartWithItsData, newDataDir, newUsedDataDir, start } from "./test-kit/data-dirs.ts";
import { eventually, isAlive } from "./test-kit/processes.ts";
import { query } from "./test-kit/queries.ts";
import { spawnService } from "./test-kit/service-process.ts";

/** An unrelated process that runs until the test has finished. */
function startForeignProcess(options: { cwd?: string; uid?: number; gid?: number } = {}): number {
  const child = spawn("sleep", ["60"], { stdio: "ignore", ...options });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child.pid ?? 0;
}

describe("a lock file that an earlier server has left behind", () => {
  it("does not prevent the next start, whatever its content, and no process that it names is harmed", async () => {
    const dataDir = await newUsedDataDir();
    const lockFile = join(dataDir, "postgres", "postmaster.pid");
    const rest = "/proc/self/cwd\n1795219831\n5432\n.\n\n  9978234 14\nready   \n";
    const foreign = startForeignProcess();
    const contents = ["", "\n", "garbage", "\0".repeat(64), `4194303\n${rest}`, `1\n${rest}`, `${foreign}\n${rest}`];
    for (const content of contents) {
      await writeFile(lockFile, content);
      await expectToStartWithItsData(dataDir);
    }
    expect(isAlive(foreign)).toBe(true);
  });

  it("may name a process of the same user as the server's", async () => {
    const dataDir = await newUsedDataDir();
    const cluster = join(dataDir, "postgres");
    const { uid, gid } = await stat(cluster);
    const foreign = startForeignProcess({ uid, gid });
    await writeFile(join(cluster, "postmaster.pid"), `${foreign}\n`);
    await writeFile(join(cluster, ".s.PGSQL.5432.lock"), `${foreign}\n`);
    await expectToStartWithItsData(dataDir);
    expect(isAlive(foreign)).toBe(true);
  });
});

describe("processes of a cluster", () => {
  it("are distinguished from others in the same folder, such as a shell, which is left alone", async () => {
    const dataDir = await newUsedDataDir();
    const cluster = join(dataDir, "postgres");
    const bystander = startForeignProcess({ cwd: cluster });
    const owner = undefined;
    expect(await findClusterProcessesByFolder(cluster, owner)).toEqual([]);
    await endLeftoverProcesses({ dir: cluster, owner, log: SILENT_LOG });
    expect(isAlive(bystander)).toBe(true);
  });

  it("are not those of another data directory", async () => {
    const [first, second] = await Promise.all([newUsedDataDir(), newUsedDataDir()]);
    const running = await start(first);
    await expectToStartWithItsData(second);
    expect(await query(running.poolConfig, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("can be found through the socket if there is no /proc", async () => {
    const dataDir = await newUsedDataDir();
    const cluster = join(dataDir, "postgres");
    expect(await findClusterProcessesBySocket(cluster, undefined)).toEqual([]);
    const embedded = await start(dataDir);
    // On Linux, the path of the socket's folder is relative to the cluster; without /proc, the server writes the absolute path.
    const lockFile = join(cluster, "postmaster.pid");
    await writeFile(lockFile, `${embedded.pid}\n${cluster}\n0\n5432\n${cluster}\n\n\nready\n`);
    const found = await findClusterProcessesBySocket(cluster, undefined);
    expect(found).toEqual([{ pid: embedded.pid, isPostmaster: true }]);
  });
});

describe("the creation of a cluster", () => {
  it("starts over after an interruption, even in an empty folder, which may be a mount", async () => {
    const dataDir = await newDataDir();
    const unfinished = join(dataDir, "postgres.init-abc123");
    await mkdir(join(unfinished, "base"), { recursive: true });
    await writeFile(join(unfinished, "PG_VERSION"), "18\n");
    await mkdir(join(dataDir, "postgres"));
    const embedded = await start(dataDir);
    expect(await query(embedded.poolConfig, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).toEqual(["instance.lock", "postgres"]);
  });

  it("starts over after its service and initdb were killed halfway through", async () => {
    const dataDir = await newDataDir();
    const service = spawnService(dataDir);
    await eventually(async () => {
      const unfinished = (await readdir(dataDir)).find((name) => name.startsWith("postgres.init-"));
      return unfinished !== undefined && (await readdir(join(dataDir, unfinished))).includes("base");
    });
    await service.kill();
    const embedded = await start(dataDir);
    expect(await query(embedded.poolConfig, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).toEqual(["instance.lock", "postgres"]);
  });

  it("continues after an interruption before the service's database was created", async () => {
    const dataDir = await newUsedDataDir();
    const embedded = await start(dataDir);
    await query({ ...embedded.poolConfig, database: "postgres" }, "DROP DATABASE workspace");
    await embedded.close();
    const next = await start(dataDir);
    expect(await query(next.poolConfig, "SELECT current_database() AS name")).toEqual([{ name: "workspace" }]);
  });
});
