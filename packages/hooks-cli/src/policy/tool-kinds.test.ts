import { expect, test } from "vitest";
import type { RuleConditions } from "./policy.ts";
import { TOOL_KINDS, mayConcern } from "./tool-kinds.ts";

function kindsOf(when: RuleConditions): readonly string[] {
  const rule = { id: "r", decision: "deny", reason: "No.", when, examples: { match: [], pass: [] } } as const;
  return TOOL_KINDS.filter((kind) => mayConcern({ rules: [rule] }, kind));
}

test.each<[what: string, when: RuleConditions, kinds: readonly string[]]>([
  ["about commands, shells and tools that may be some", { command: { program: ["rm"] } }, ["shell", "other"]],
  ["with a detector of commands, the same", { detect: { name: "force-push" } }, ["shell", "other"]],
  [
    "that finds deleted files, those that may delete",
    { detect: { name: "delete-outside-project" } },
    ["shell", "edit", "other"],
  ],
  ["about files, all tools", { path: { in: ["*.pem"] } }, ["shell", "edit", "read", "other"]],
  ["with a detector of files, all tools", { detect: { name: "read-secret-file" } }, ["shell", "edit", "read", "other"]],
  ["that names tools, those", { tool: ["Edit", "Write"], path: { in: ["*.pem"] } }, ["edit", "other"]],
  ["that names tools by a glob, those and others", { tool: ["R*"] }, ["read", "other"]],
  ["that names a tool of another assistant, the kind of that", { tool: ["apply_patch"] }, ["edit", "other"]],
  ["whose glob matches tools of several assistants, their kinds", { tool: ["r*"] }, ["shell", "edit", "read", "other"]],
  ["about prompts, no tool", { prompt: "secret" }, []],
])("a rule %s", (_what, when, kinds) => {
  expect(kindsOf(when)).toEqual(kinds);
});

test("packs are about commands, and about files that are written", () => {
  const policy = { rules: [], effects: { "git.force-push": "deny" } } as const;
  expect(TOOL_KINDS.filter((kind) => mayConcern(policy, kind))).toEqual(["shell", "edit", "other"]);
});
