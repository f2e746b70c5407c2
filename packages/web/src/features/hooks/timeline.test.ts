import { describe, expect, it } from "vitest";
import { sampleHookEvent } from "../../test-kit/sample-hook-event.ts";
import { hasGap, holdBack, mergeEvents } from "./timeline.ts";

const at = (id: string, minute: number) =>
  sampleHookEvent({ id, createdAt: `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z` });
const [a, b, c] = [at("a", 1), at("b", 2), at("c", 3)];
const idsOf = (events: readonly { id: string }[]) => events.map((event) => event.id);

it("contains every event once, newest first", () => {
  expect(idsOf(mergeEvents([c, b], [b, a], [at("late", 0)]))).toEqual(["c", "b", "a", "late"]);
});

describe("hasGap", () => {
  it("is false if everything since was returned", () => {
    expect(hasGap({ data: [c, b, a] }, a.createdAt)).toBe(false);
    expect(hasGap({ data: [c, b, a], nextCursor: "x" }, b.createdAt)).toBe(false);
    expect(hasGap({ data: [] }, undefined)).toBe(false);
  });

  it("is true if the response ends before the known events begin", () => {
    expect(hasGap({ data: [c, b], nextCursor: "x" }, a.createdAt)).toBe(true);
  });
});

describe("holdBack", () => {
  it("shows everything while nothing is held", () => {
    expect(holdBack([c, b, a], null)).toEqual({ shown: [c, b, a], waiting: 0 });
    expect(holdBack([c, b, a], "gone")).toEqual({ shown: [c, b, a], waiting: 0 });
  });

  it("counts later events separately", () => {
    expect(holdBack([c, b, a], "b")).toEqual({ shown: [b, a], waiting: 1 });
  });
});
