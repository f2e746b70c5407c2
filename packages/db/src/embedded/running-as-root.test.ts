import { chmod, cp, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../run-program.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { makeBinariesReachable } from "./reachable-binaries.ts";
import { expectToStartWithItsData, newDataDir, newUsedDataDir, start } from "./test-kit/data-dirs.ts";
import { query } from "./test-kit/queries.ts";

describe.runIf(process.getuid?.() === 0)("as root", () => {
  it("PostgreSQL runs as another user, in folders that this user cannot enter", async () => {
    const closed = await newDataDir();
    await chmod(closed, 0o700);
    const dataDir = join(closed, "data");
    const embedded = await start(dataDir);
    expect(await query(embedded.poolConfig, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const [server, outside] = await Promise.all([stat(`/proc/${embedded.pid}`), stat(closed)]);
    expect(server.uid).not.toBe(0);
    expect({ uid: outside.uid, mode: outside.mode & 0o777 }).toEqual({ uid: 0, mode: 0o700 });
  });

  it("an existing cluster's server runs as the cluster's owner", async () => {
    const dataDir = await newUsedDataDir();
    await runProgram("chown", ["-R", "1:1", join(dataDir, "postgres")]);
    const embedded = await start(dataDir);
    expect((await stat(`/proc/${embedded.pid}`)).uid).toBe(1);
  });

  it("a cluster that root restored is handed over to PostgreSQL's user", async () => {
    const dataDir = await newUsedDataDir();
    await runProgram("chown", ["-R", "0:0", join(dataDir, "postgres")]);
    await expectToStartWithItsData(dataDir);
  });

  it("programs in a folder that their user cannot access are copied once, completely, and only root can modify the copy", async () => {
    const dir = await newDataDir();
    const closed = join(dir, "closed");
    const root = join(dir, "open");
    await mkdir(root);
    await chmod(dir, 0o755);
    const binaries = await findPostgresBinaries();
    await cp(binaries.dir, closed, { recursive: true, verbatimSymlinks: true });
    await chmod(closed, 0o700);
    const owner = { uid: 65_534, gid: 65_534 };
    const options = { log: SILENT_LOG, root };

    const atOnce = Array.from({ length: 2 }, () => makeBinariesReachable({ ...binaries, dir: closed }, owner, options));
    const [binDir = "", other] = await Promise.all(atOnce);

    expect(other).toBe(binDir);
    expect(await readdir(root)).toEqual([`postgres-${binaries.build}`]);
    const { exitCode } = await runProgram(join(binDir, "initdb"), ["--version"], { owner });
    expect(exitCode).toBe(0);
    const copy = await stat(binDir);
    expect({ uid: copy.uid, mode: copy.mode & 0o777 }).toEqual({ uid: 0, mode: 0o755 });
  });

  it("a copy of the programs that other users could have modified is refused", async () => {
    const dir = await newDataDir();
    await chmod(dir, 0o755);
    const closed = join(dir, "closed");
    const binaries = await findPostgresBinaries();
    await cp(binaries.dir, closed, { recursive: true, verbatimSymlinks: true });
    await chmod(closed, 0o700);
    await mkdir(join(dir, `postgres-${binaries.build}`));
    await chmod(join(dir, `postgres-${binaries.build}`), 0o777);
    const owner = { uid: 65_534, gid: 65_534 };
    const made = makeBinariesReachable({ ...binaries, dir: closed }, owner, { log: SILENT_LOG, root: dir });
    await expect(made).rejects.toThrow(/can be modified by users other than root/);
  });
});
