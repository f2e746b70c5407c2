import { describe, expect, test } from "vitest";
import type { HourOfUse, LimitWindow } from "./limit-windows.ts";
import { progressOfFiveHours, progressOfSevenDays } from "./own-limit-progress.ts";

const NOW = new Date("2026-06-10T12:00:00.000Z");

const window: LimitWindow = {
  startsAt: "2026-06-10T10:00:00.000Z",
  endsAt: "2026-06-10T15:00:00.000Z",
  messages: 4,
  totalTokens: 60_000,
  costUsd: 3,
  pace: { tokensPerMinute: 500, costUsdPerMinute: 0.025 },
  forecast: { totalTokens: 150_000, costUsd: 7.5 },
};

const hour = (startsAt: string, totalTokens: number, costUsd: number | null = null): HourOfUse => ({
  startsAt,
  firstUseAt: startsAt,
  lastUseAt: startsAt,
  messages: 1,
  totalTokens,
  costUsd,
});

describe("a limit of five hours", () => {
  test("is reached at the pace of the window, if that is before its end", () => {
    expect(progressOfFiveHours({ unit: "tokens", amount: 90_000 }, window, NOW)).toEqual({
      unit: "tokens",
      amount: 90_000,
      usedPercent: expect.closeTo(66.67, 1),
      reachedAt: "2026-06-10T13:00:00.000Z",
    });
    expect(progressOfFiveHours({ unit: "usd", amount: 6 }, window, NOW)).toMatchObject({
      usedPercent: 50,
      reachedAt: "2026-06-10T14:00:00.000Z",
    });
    expect(progressOfFiveHours({ unit: "tokens", amount: 150_001 }, window, NOW).reachedAt).toBeNull();
  });

  test("has no forecast once it is reached, without a pace, and while no window is current", () => {
    const limit = { unit: "tokens", amount: 60_000 } as const;
    expect(progressOfFiveHours(limit, window, NOW)).toMatchObject({ usedPercent: 100, reachedAt: null });
    const brief = { ...window, pace: null, forecast: null };
    expect(progressOfFiveHours({ ...limit, amount: 120_000 }, brief, NOW)).toMatchObject({
      usedPercent: 50,
      reachedAt: null,
    });
    expect(progressOfFiveHours(limit, null, NOW)).toMatchObject({ usedPercent: 0, reachedAt: null });
  });

  test("of a cost that is not known has no share", () => {
    const unknown = { ...window, costUsd: null, pace: { tokensPerMinute: 500, costUsdPerMinute: null } };
    expect(progressOfFiveHours({ unit: "usd", amount: 6 }, unknown, NOW)).toMatchObject({
      usedPercent: null,
      reachedAt: null,
    });
  });
});

describe("a limit of seven days", () => {
  test("is reached at the pace of the last day", () => {
    const hours = [hour("2026-06-09T06:00:00.000Z", 40_000), hour("2026-06-10T09:00:00.000Z", 24_000)];
    expect(progressOfSevenDays({ unit: "tokens", amount: 74_000 }, hours, NOW)).toMatchObject({
      usedPercent: expect.closeTo(86.49, 1),
      reachedAt: "2026-06-10T22:00:00.000Z",
    });
  });

  test("is not reached if more falls out of the seven days than is added", () => {
    const hours = [hour("2026-06-03T13:00:00.000Z", 90_000), hour("2026-06-10T09:00:00.000Z", 240)];
    const limit = { unit: "tokens", amount: 90_300 } as const;
    expect(progressOfSevenDays(limit, hours, NOW)).toMatchObject({ reachedAt: null });
  });

  test("has no forecast after a day without use, once it is reached, and for unknown costs", () => {
    const old = [hour("2026-06-08T09:00:00.000Z", 50_000, 2)];
    expect(progressOfSevenDays({ unit: "usd", amount: 4 }, old, NOW)).toMatchObject({
      usedPercent: 50,
      reachedAt: null,
    });
    expect(progressOfSevenDays({ unit: "usd", amount: 1 }, old, NOW)).toMatchObject({
      usedPercent: 200,
      reachedAt: null,
    });
    const unknown = [hour("2026-06-10T09:00:00.000Z", 50_000)];
    expect(progressOfSevenDays({ unit: "usd", amount: 4 }, unknown, NOW)).toMatchObject({ usedPercent: null });
  });
});
