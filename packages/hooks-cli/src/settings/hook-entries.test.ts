import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HARNESSES } from "../harness/registry.ts";
import { settingsDocument } from "./settings-documents.testing.ts";
import { type EntryPlan, addEntries, findEntries, removeEntries } from "./hook-entries.ts";
import type { JsonDialect } from "./json-tree.ts";
import { settingsTarget } from "./settings-target.ts";

const places = {
  userHome: "/home/u",
  projectDir: "/p",
  claudeConfigDir: undefined,
  node: "/usr/bin/node",
  launcher: "/home/u/.workspace-hooks/bin/workspace-hooks.cjs",
  passes: "/passes",
  calls: "/calls",
  policy: "/policy",
  programFolder: "/",
};

function planOf(id: "claude-code" | "cursor" | "gemini-cli"): EntryPlan {
  const target = settingsTarget(HARNESSES[id], "user", places);
  if (target?.kind !== "entries") throw new Error("has entries");
  return target.plan;
}

const claude = planOf("claude-code");
const withDialect = (plan: EntryPlan, dialect: JsonDialect): EntryPlan => ({ ...plan, dialect });

describe("entries", () => {
  test.each(["json", "jsonc"] as const)("are added to and removed from any %s document, byte for byte", (dialect) => {
    fc.assert(
      fc.property(settingsDocument(dialect), (text) => {
        const { text: installed, created } = addEntries(text, withDialect(claude, dialect));
        expect(findEntries(installed, dialect)).toHaveLength(claude.entries.length);
        expect(removeEntries(installed, dialect, created)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("leave every foreign value unchanged", () => {
    fc.assert(
      fc.property(settingsDocument("json"), (text) => {
        const before: unknown = JSON.parse(text.replace("\uFEFF", ""));
        const after: unknown = JSON.parse(addEntries(text, claude).text.replace("\uFEFF", ""));
        expect(withoutOurs(after)).toEqual(withoutEmpty(before));
      }),
      { numRuns: 200 },
    );
  });

  test("are last in their list, and replace older ones of ours", () => {
    const { text } = addEntries('{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]}]}}', claude);
    const again = addEntries(removeEntries(text, "json", undefined), claude).text;
    expect(again).toBe(text);
    const planned = claude.entries.filter(({ event }) => event === "PreToolUse");
    const found = findEntries(text, "json").filter(({ event }) => event === "PreToolUse");
    expect(found).toHaveLength(planned.length);
    expect(text.indexOf("mine")).toBeLessThan(text.indexOf("run PreToolUse"));
  });

  test("are removed even if the ledger is lost and other hooks follow them", () => {
    const { text } = addEntries("{}\n", claude);
    const parsed = JSON.parse(text) as { hooks: { PreToolUse: object[] } };
    parsed.hooks.PreToolUse.push({ hooks: [{ type: "command", command: "theirs" }] });
    const without = removeEntries(JSON.stringify(parsed, null, 2), "json", undefined);
    expect(JSON.parse(without)).toEqual({
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "theirs" }] }] },
    });
  });

  test("leave a hook that someone added to our group", () => {
    const { text, created } = addEntries("{}\n", claude);
    const shared = text.replace(
      '"hooks": [\n          {\n            "type": "command",\n            "command": "NODE',
      '"hooks": [\n          { "type": "command", "command": "theirs" },\n          {\n            "type": "command",\n            "command": "NODE',
    );
    expect(shared).not.toBe(text);
    const without = JSON.parse(removeEntries(shared, "json", created)) as unknown;
    expect(without).toEqual({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "theirs" }] }] } });
  });

  test("keep a comment beside its entry", () => {
    const text = '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [] } // mine\n    ]\n  }\n}\n';
    const { text: installed } = addEntries(text, withDialect(claude, "jsonc"));
    expect(installed).toContain('{ "hooks": [] }, // mine\n      {');
  });

  test("of Cursor add its version, and remove it again with the last hook", () => {
    const plan = planOf("cursor");
    const { text, created } = addEntries("", plan);
    expect(JSON.parse(text)).toMatchObject({ version: 1 });
    expect(removeEntries(text, plan.dialect, created).trim()).toBe("{}");
    const others = text.replace('"hooks": {', '"hooks": {\n    "stop": [{ "command": "theirs" }],');
    expect(JSON.parse(removeEntries(others, plan.dialect, created))).toEqual({
      version: 1,
      hooks: { stop: [{ command: "theirs" }] },
    });
  });

  test.each([
    ['{"hooks": []}', "line 1, column 11"],
    ['{\n  "hooks": {"PreToolUse": {}}\n}', "line 2, column 27"],
    ["[]", "line 1, column 1"],
    ['{\n  "a": 1,\n}', "line 3, column 1"],
    ["{ // no\n}", "line 1, column 3"],
    ['{"a": 01}', "line 1, column 8"],
    ['{"a": "\n"}', "line 1, column 7"],
    ['{"a" 1}', "line 1, column 6"],
    ['{"a": 1} x', "line 1, column 10"],
    ['{"a": [1, 2', "line 1, column 12"],
  ])("are rejected in %s, with the position", (text, place) => {
    expect(() => addEntries(text, claude)).toThrow(place);
  });
});

function withoutOurs(value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as { hooks: Record<string, unknown[]> };
  const lists = Object.entries(copy.hooks).map(([event, list]) => [
    event,
    list.filter((item) => !JSON.stringify(item).includes("workspace-hooks.cjs' run")),
  ]);
  return withoutEmpty({ ...copy, hooks: Object.fromEntries(lists) });
}

/** Empty lists and objects of hooks are equivalent to none. */
function withoutEmpty(value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as { hooks?: Record<string, unknown> };
  if (copy.hooks === undefined) return copy;
  const filled = Object.entries(copy.hooks).filter(([, list]) => !(Array.isArray(list) && list.length === 0));
  const { hooks: _hooks, ...rest } = copy;
  return filled.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(filled) };
}

test("in Gemini CLI, each tool has one hook before its call, and none after it", () => {
  const hooks = planOf("gemini-cli").entries.filter(({ event }) => event.includes("Tool"));
  expect(new Set(hooks.map(({ event }) => event))).toEqual(new Set(["BeforeTool"]));
  const matchers = hooks.map(({ value }) => new RegExp((value as { matcher: string }).matcher));
  for (const tool of ["run_shell_command", "replace", "write_file", "read_file", "glob", "mcp_files_read", "bash_"])
    expect([tool, matchers.filter((matcher) => matcher.test(tool)).length]).toEqual([tool, 1]);
});
