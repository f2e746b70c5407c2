import { describe, expect, test } from "vitest";
import { runKillRounds } from "./kill-rounds.ts";

describe("an acknowledged write survives", () => {
  test.each(["service", "database"] as const)("kill -9 of the %s", { timeout: 90_000 }, async (victim) => {
    const report = await runKillRounds(victim, 2);
    expect(report.lost).toBe(0);
    expect(report.acknowledged).toBeGreaterThan(200);
    expect(Math.max(...report.recoveriesMs)).toBeLessThan(15_000);
  });
});
