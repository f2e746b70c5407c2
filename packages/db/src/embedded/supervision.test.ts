import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createDb } from "../db.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import type { EmbeddedPostgresState } from "./supervisor.ts";
import { expectToStartWithItsData, newUsedDataDir, start } from "./test-kit/data-dirs.ts";
import { eventually, isAlive } from "./test-kit/processes.ts";
import { query } from "./test-kit/queries.ts";
import { startService } from "./test-kit/service-process.ts";

describe("a server that is killed while its service runs", () => {
  it("is restarted, with all acknowledged writes, and pools recover by themselves", async () => {
    const embedded = await start(await newUsedDataDir());
    const states: EmbeddedPostgresState[] = [];
    embedded.onStateChange((state) => states.push(state));
    const db = createDb(embedded.poolConfig, { log: SILENT_LOG });
    await db.pool.query("CREATE TABLE acknowledged AS SELECT 1 AS id");
    const busy = db.pool.query("SELECT pg_sleep(60)").catch((error: unknown) => error);

    const killed = embedded.pid ?? 0;
    process.kill(killed, "SIGKILL");

    expect(await busy).toBeInstanceOf(Error);
    await eventually(() => embedded.pid !== undefined && embedded.pid !== killed);
    const { rows } = await eventually(() => db.pool.query("SELECT id FROM acknowledged").catch(() => false as const));
    expect(rows).toEqual([{ id: 1 }]);
    await db.close();
    await embedded.close();
    expect(states).toEqual(["restarting", "running", "closed"]);
  });

  it("is restarted even though a busy process of the old one is still running", async () => {
    const embedded = await start(await newUsedDataDir());
    const endless = "DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$";
    const busy = query(embedded.poolConfig, endless).catch(() => "lost");
    await eventually(async () => {
      const rows = await query(embedded.poolConfig, "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DO $$%'");
      return rows.length > 0;
    });
    process.kill(embedded.pid ?? 0, "SIGKILL");
    expect(await busy).toBe("lost");
    expect(await eventually(() => query(embedded.poolConfig, "SELECT 1 AS one").catch(() => false as const))).toEqual([
      { one: 1 },
    ]);
  });

  it("is not restarted if the service is closed in the meantime", async () => {
    const dataDir = await newUsedDataDir();
    const embedded = await start(dataDir);
    process.kill(embedded.pid ?? 0, "SIGKILL");
    await embedded.close();
    expect(embedded.pid).toBeUndefined();
    await expectToStartWithItsData(dataDir);
  });
});

describe("a server", () => {
  it("does not receive a Ctrl-C in the service's terminal, so the service can finish its work first", async () => {
    const { pid = 0 } = await start(await newUsedDataDir());
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [, , processGroup, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect({ processGroup, session }).toEqual({ processGroup: String(pid), session: String(pid) });
  });
});

describe("a service that is killed", () => {
  it("ends its server as well", async () => {
    const service = await startService(await newUsedDataDir(), { endsWithService: true });
    expect(isAlive(service.postmasterPid)).toBe(true);
    await service.kill();
    await eventually(() => !isAlive(service.postmasterPid));
  });

  it("leaves nothing behind that could break the next start, not even a running server", async () => {
    const dataDir = await newUsedDataDir();
    const service = await startService(dataDir, { endsWithService: false });
    await service.kill();
    expect(isAlive(service.postmasterPid)).toBe(true);

    const next = await start(dataDir);
    await eventually(() => !isAlive(service.postmasterPid));
    expect(await query(next.poolConfig, "SELECT count(*)::int AS rows FROM survivors")).toEqual([{ rows: 1 }]);
  });

  it("keeps other processes out of the data directory while it is running", async () => {
    const dataDir = await newUsedDataDir();
    const service = await startService(dataDir, { endsWithService: true });
    await expect(start(dataDir)).rejects.toThrow(`(process ${service.pid})`);
    expect(isAlive(service.postmasterPid)).toBe(true);
  });
});
