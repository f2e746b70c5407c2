import { describe, expect, test } from "vitest";
import { describeForecast, describeOwnLimit, describeReported, describeTimes, describeUse } from "./describe-limits.ts";

/** A local time, so that the tests pass in any time zone. */
const at = (hour: number, minute = 0) => new Date(2026, 5, 10, hour, minute);

const fiveHours = {
  startsAt: at(9).toISOString(),
  endsAt: at(14).toISOString(),
  messages: 1,
  totalTokens: 51_500,
  costUsd: 0.12,
  pace: { tokensPerMinute: 1203.7, costUsdPerMinute: 0.004 },
  forecast: { totalTokens: 360_000, costUsd: 4.1 },
};

describe("a window of five hours", () => {
  test("is described in local time", () => {
    expect(describeTimes(fiveHours, at(11, 10))).toBe("9:00 to 14:00, ends in 3 h");
  });

  test("states what was used", () => {
    expect(describeUse(fiveHours)).toBe("51.5 k tokens, $0.12, 1 response");
    expect(describeUse({ ...fiveHours, costUsd: null })).toBe("51.5 k tokens, cost unknown, 1 response");
  });

  test("states what will have been used at its end, or that this is not known", () => {
    expect(describeForecast(fiveHours)).toBe("At this pace, 1,204 tokens a minute: 360 k tokens, $4.10 by 14:00");
    expect(describeForecast({ ...fiveHours, pace: null, forecast: null })).toContain("too short for a forecast");
  });
});

test("an own limit states what is used of it, and when it is reached at this pace", () => {
  const limit = { unit: "tokens", amount: 500_000, usedPercent: 64, reachedAt: at(17, 55).toISOString() } as const;
  expect(describeOwnLimit(limit, at(12))).toBe("64 % of your 500 k tokens used, at this pace reached Today 17:55");
  const reached = { unit: "usd", amount: 20, usedPercent: 120, reachedAt: null } as const;
  expect(describeOwnLimit(reached, at(12))).toBe("120 % of your $20.00 used");
  expect(describeOwnLimit({ ...reached, usedPercent: null }, at(12))).toContain("not known");
});

describe("a reported limit", () => {
  const reported = { usedPercent: 73, resetsAt: at(18, 40).toISOString(), reportedAt: at(12).toISOString() };

  test("states when it resets, and when it is used up before", () => {
    expect(describeReported({ ...reported, fullAt: at(17, 55).toISOString() }, at(12))).toBe(
      "73 % used, resets Today 18:40, at this pace full Today 17:55",
    );
    expect(describeReported({ ...reported, fullAt: null }, at(12))).toBe("73 % used, resets Today 18:40");
  });

  test("has no forecast once it is used up", () => {
    const full = { ...reported, usedPercent: 100, fullAt: at(11).toISOString() };
    expect(describeReported(full, at(12))).toBe("100 % used, resets Today 18:40");
  });
});
