import { setImmediate as nextTurn } from "node:timers/promises";
import { createListener } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "./clock.ts";
import { silentLogger } from "./logger.ts";
import { createNotifiedWaits } from "./notified-waits.ts";

it("lets many requests wait at once, without a warning in the log", async () => {
  const { db, poolConfig, close } = await createTestDatabase();
  onTestFinished(close);
  const listener = createListener(poolConfig, { log: silentLogger });
  onTestFinished(() => listener.close());
  const waits = createNotifiedWaits({ db, listener, clock: systemClock, channel: "test" });
  const warned = vi.fn<(warning: Error) => void>();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const read = vi.fn<() => Promise<string>>().mockResolvedValue("nothing yet");
  const waiting = Array.from({ length: 20 }, () => waits.wait("key", 60_000, read, () => Infinity));
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(20));
  await nextTurn();
  await waits.close();
  expect(await Promise.all(waiting)).toEqual(Array<string>(20).fill("nothing yet"));
  expect(warned).not.toHaveBeenCalled();
});
