import { describe, expect, it } from "vitest";
import { NO_HOOK_FILTER, parseHookSearch, toHookSearch, toListInput, type HookSearch } from "./hook-search.ts";

const PLAIN: HookSearch = { ...NO_HOOK_FILTER, view: "timeline", period: "7d" };

describe("the URL", () => {
  it.each<Partial<HookSearch>>([
    {},
    { types: ["PreToolUse", "SessionEnd"], isBlocked: true },
    { tool: "mcp__files__read", session: "abc,def", view: "statistics", period: "24h" },
  ])("round-trips %j", (part) => {
    const search = { ...PLAIN, ...part };
    expect(parseHookSearch(toHookSearch(search))).toEqual(search);
  });

  it("is empty if nothing is selected", () => {
    expect(Object.values(toHookSearch(PLAIN)).every((value) => value === undefined)).toBe(true);
  });

  it("drops invalid values", () => {
    expect(parseHookSearch({ type: "Nonsense", view: "pie", period: "1y", blocked: "no", tool: 5 })).toEqual(PLAIN);
  });
});

it("sends only the selected filters", () => {
  expect(toListInput(NO_HOOK_FILTER)).toEqual({});
  expect(toListInput({ types: ["PreToolUse"], tool: "Bash", session: "s", isBlocked: true })).toEqual({
    eventType: ["PreToolUse"],
    toolName: "Bash",
    sessionId: "s",
    blocked: true,
  });
});
