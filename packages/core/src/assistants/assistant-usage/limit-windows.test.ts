import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currentFiveHours, sumUse, type HourOfUse } from "./limit-windows.ts";

const HOUR_MS = 3_600_000;

/** The hour of uses at these times, each of which takes 600 tokens and costs a dollar. */
function hourOf(...times: readonly string[]): HourOfUse {
  const [first = "", ...others] = times.map((time) => new Date(time).toISOString());
  return {
    startsAt: `${first.slice(0, 13)}:00:00.000Z`,
    firstUseAt: first,
    lastUseAt: others.at(-1) ?? first,
    messages: times.length,
    totalTokens: 600 * times.length,
    costUsd: times.length,
  };
}

const at = (time: string) => new Date(`2026-06-10T${time}:00.000Z`);
const use = (...times: readonly string[]) => hourOf(...times.map((time) => at(time).toISOString()));

describe("the current window", () => {
  test("begins at the full hour of the first use and ends five hours later", () => {
    expect(currentFiveHours([use("09:59")], at("10:00"))).toMatchObject({
      startsAt: "2026-06-10T09:00:00.000Z",
      endsAt: "2026-06-10T14:00:00.000Z",
      messages: 1,
    });
  });

  test("does not exist without use, or after its end", () => {
    expect(currentFiveHours([], at("10:00"))).toBeNull();
    expect(currentFiveHours([use("09:10")], at("13:59"))).not.toBeNull();
    expect(currentFiveHours([use("09:10")], at("14:00"))).toBeNull();
  });

  test("includes the use until its end, and none after", () => {
    const before = [use("09:10"), use("13:59")];
    expect(currentFiveHours(before, at("13:59"))).toMatchObject({ messages: 2 });
    expect(currentFiveHours([...before, use("14:00")], at("14:30"))).toMatchObject({
      startsAt: "2026-06-10T14:00:00.000Z",
      messages: 1,
    });
  });

  test("begins with the next use after a gap, not at the end of the one before", () => {
    expect(currentFiveHours([use("02:20"), use("09:40"), use("10:05")], at("10:30"))).toMatchObject({
      startsAt: "2026-06-10T09:00:00.000Z",
      messages: 2,
    });
  });

  test("crosses midnight", () => {
    const hours = [hourOf("2026-06-09T22:30:00Z"), use("01:00")];
    expect(currentFiveHours(hours, at("02:00"))).toMatchObject({ startsAt: "2026-06-09T22:00:00.000Z", messages: 2 });
  });

  test("is the same in every time zone, also where clocks differ by half an hour or change", () => {
    const zoned = currentFiveHours([hourOf("2026-03-29T06:15:00+05:30")], new Date("2026-03-29T03:10:00+02:00"));
    expect(zoned).toMatchObject({ startsAt: "2026-03-29T00:00:00.000Z", endsAt: "2026-03-29T05:00:00.000Z" });
  });

  test("contains the last use, whatever came before", () => {
    const anyHours = fc.uniqueArray(fc.integer({ min: 0, max: 167 }), { minLength: 1 });
    fc.assert(
      fc.property(anyHours, (offsets) => {
        const ordered = offsets.toSorted((one, other) => one - other);
        const hours = ordered.map((offset) => hourOf(new Date(at("00:30").getTime() + offset * HOUR_MS).toISOString()));
        const last = new Date(hours.at(-1)?.lastUseAt ?? "");
        const window = currentFiveHours(hours, last);
        expect(Date.parse(window?.startsAt ?? "")).toBeLessThanOrEqual(last.getTime());
        expect(Date.parse(window?.endsAt ?? "")).toBeGreaterThan(last.getTime());
        expect(hours.map((hour) => hour.startsAt)).toContain(window?.startsAt);
      }),
    );
  });
});

describe("the forecast", () => {
  test("continues the pace between the first and the last use until the end", () => {
    const hours = [use("09:30"), use("10:00", "10:10", "10:30")];
    expect(currentFiveHours(hours, at("11:00"))).toMatchObject({
      totalTokens: 2400,
      costUsd: 4,
      pace: { tokensPerMinute: 40, costUsdPerMinute: 4 / 60 },
      forecast: { totalTokens: 2400 + 40 * 180, costUsd: 16 },
    });
  });

  test("is not made from less than five minutes", () => {
    expect(currentFiveHours([use("09:30", "09:34")], at("10:00"))).toMatchObject({ pace: null, forecast: null });
    expect(currentFiveHours([use("09:30", "09:35")], at("10:00"))?.forecast).not.toBeNull();
  });

  test("has no cost if none is known", () => {
    const hours = [{ ...use("09:00", "09:30"), costUsd: null }];
    expect(currentFiveHours(hours, at("10:00"))).toMatchObject({
      costUsd: null,
      pace: { tokensPerMinute: 40, costUsdPerMinute: null },
      forecast: { totalTokens: 1200 + 40 * 240, costUsd: null },
    });
  });
});

test("a sum includes the costs that are known", () => {
  expect(sumUse([])).toEqual({ messages: 0, totalTokens: 0, costUsd: null });
  expect(sumUse([use("09:00"), { ...use("10:00"), costUsd: null }])).toEqual({
    messages: 2,
    totalTokens: 1200,
    costUsd: 1,
  });
});
