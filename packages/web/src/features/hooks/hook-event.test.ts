import { describe, expect, it } from "vitest";
import { matchedRulesOf, shortSessionId, summaryOf } from "./hook-event.ts";

describe("summaryOf", () => {
  it.each([
    [null, ""],
    [{}, ""],
    [{ toolInput: { description: "List", command: "ls  -la\n/srv" } }, "ls -la /srv"],
    [{ toolInput: { content: "x", file_path: "/srv/app.ts" } }, "/srv/app.ts"],
    [{ tool_input: { url: "https://example.com" } }, "https://example.com"],
    [{ toolInput: { lines: 4, note: "something else" } }, "something else"],
    [{ prompt: "Fix the build" }, "Fix the build"],
    [{ source: "resume", toolInput: {} }, "resume"],
    [{ source: "startup", hooks: { version: "1.0.0", waiting: 0 } }, "startup"],
    [{ source: "startup", hooks: { dropped: 3, rejected: 1 } }, "startup; dropped so far: 3; refused so far: 1"],
    [{ hooks: { policyProblem: "policy.json is broken" } }, "policy.json is broken"],
    [{ toolInput: "not an object", prompt: 7 }, ""],
  ])("of %j is “%s”", (eventData, summary) => {
    expect(summaryOf({ eventData })).toBe(summary);
  });
});

describe("matchedRulesOf", () => {
  it("returns the rules that the hooks have recorded", () => {
    const rules = [{ id: "no-force-push", decision: "block", subject: "git push --force" }, "broken", { id: 3 }];
    expect(matchedRulesOf({ eventData: { policy: { decision: "block", rules } } })).toEqual([
      { id: "no-force-push", decision: "block", subject: "git push --force" },
    ]);
  });

  it("returns none if there are none", () => {
    expect(matchedRulesOf({ eventData: null })).toEqual([]);
    expect(matchedRulesOf({ eventData: { policy: "none" } })).toEqual([]);
  });
});

it("shortens long session ids only", () => {
  expect(shortSessionId("0d3f6c1a-77aa-4b2e-9d55-000000000001")).toBe("0d3f6c1a");
  expect(shortSessionId("session-1")).toBe("session-1");
});
