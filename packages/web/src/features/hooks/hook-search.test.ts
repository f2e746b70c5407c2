import { describe, expect, it } from "vitest";
import { NO_HOOK_FILTER, parseHookSearch, toHookSearch, toListInput, type HookSearch } from "./hook-search.ts";

const PLAIN: HookSearch = { ...NO_HOOK_FILTER, view: "timeline", period: "7d" };

describe("the address", () => {
  it.each<Partial<HookSearch>>([
    {},
    { types: ["PreToolUse", "SessionEnd"], isBlocked: true },
    { tool: "mcp__files__read", session: "abc,def", view: "statistics", period: "24h" },
  ])("says %j again when it is read", (part) => {
    const search = { ...PLAIN, ...part };
    expect(parseHookSearch(toHookSearch(search))).toEqual(search);
  });

  it("is empty where nothing is chosen", () => {
    expect(Object.values(toHookSearch(PLAIN)).every((value) => value === undefined)).toBe(true);
  });

  it("drops what means nothing", () => {
    expect(parseHookSearch({ type: "Nonsense", view: "pie", period: "1y", blocked: "no", tool: 5 })).toEqual(PLAIN);
  });
});

it("asks the server for nothing that is not chosen", () => {
  expect(toListInput(NO_HOOK_FILTER)).toEqual({});
  expect(toListInput({ types: ["PreToolUse"], tool: "Bash", session: "s", isBlocked: true })).toEqual({
    eventType: ["PreToolUse"],
    toolName: "Bash",
    sessionId: "s",
    blocked: true,
  });
});
