import { describe, expect, it } from "vitest";
import { newDataDir } from "./embedded/test-kit/data-dirs.ts";
import { DataDirInUseError, lockDataDir } from "./instance-lock.ts";

/** With the program that takes the lock, and without it, which uses another kind of lock. */
describe.each(["flock", "no-such-program"])("lockDataDir with %s", (flockProgram) => {
  const options = { flockProgram, waitMs: 0 };

  it("locks a data directory for one holder at a time", async () => {
    const dataDir = await newDataDir();
    const lock = await lockDataDir(dataDir, options);
    await expect(lockDataDir(dataDir, options)).rejects.toThrow(DataDirInUseError);
    await Promise.all([lock.release(), lock.release()]);
    await (await lockDataDir(dataDir, options)).release();
  });

  it("locks it for exactly one of many concurrent callers", async () => {
    const dataDir = await newDataDir();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dataDir, options)));
    const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(winners).toHaveLength(1);
    await winners[0]?.value.release();
  });

  it("does not confuse two data directories", async () => {
    const locks = await Promise.all([
      lockDataDir(await newDataDir(), options),
      lockDataDir(await newDataDir(), options),
    ]);
    expect(locks).toHaveLength(2);
    await Promise.all(locks.map((lock) => lock.release()));
  });

  it("waits for a holder that is about to release it", async () => {
    const dataDir = await newDataDir();
    const first = await lockDataDir(dataDir, options);
    const second = lockDataDir(dataDir, { flockProgram, waitMs: 5000 });
    await first.release();
    await expect(second).resolves.toBeDefined();
    await (await second).release();
  });

  it("reports who holds it", async () => {
    const dataDir = await newDataDir();
    const lock = await lockDataDir(dataDir, options);
    const message = `The data directory ${dataDir} is in use by another running service (process ${process.pid}).`;
    await expect(lockDataDir(dataDir, options)).rejects.toThrow(message);
    await lock.release();
  });
});
