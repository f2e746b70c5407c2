import { describe, expect, it } from "vitest";
import { parseUsageSearch, toUsageSearch, type UsageSearch } from "./usage-search.ts";

const PLAIN: UsageSearch = { view: "overview", period: "7d", source: undefined, text: "", page: 1 };

describe("the URL", () => {
  it.each<Partial<UsageSearch>>([
    {},
    { view: "calls", source: "agent", text: "weekly report", page: 3 },
    { view: "assistants", period: "30d" },
  ])("round-trips %j", (part) => {
    const search = { ...PLAIN, ...part };
    expect(parseUsageSearch(toUsageSearch(search))).toEqual(search);
  });

  it("is empty if nothing is selected, and drops invalid values", () => {
    expect(Object.values(toUsageSearch(PLAIN)).every((value) => value === undefined)).toBe(true);
    expect(parseUsageSearch({ view: "x", period: 7, source: "y", page: "-1", q: null })).toEqual(PLAIN);
  });
});
