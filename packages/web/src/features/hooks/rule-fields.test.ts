import { expect, test } from "vitest";
import { fieldsOf, freeId, hiddenConditions, rulesIn, splitNames, summaryOfRule, withFields } from "./rule-fields.ts";

const RULE = {
  id: "no-production",
  decision: "ask",
  reason: "This is production.",
  when: {
    tool: ["Bash", "Shell"],
    command: { program: "kubectl", matches: "--context=prod", args: ["-n"] },
    path: { in: ["a/**"], notIn: "a/b", access: "write" },
    detect: { name: "force-push", branches: "main" },
  },
  examples: { match: ["kubectl -n a --context=prod get pods"] },
};

test("what the form does not show stays as it was", () => {
  expect(hiddenConditions(RULE)).toEqual(["args", "notIn", "detect"]);
  const changed = withFields(RULE, { ...fieldsOf(RULE), decision: "deny", programs: ["kubectl", "oc"] });
  expect(changed).toEqual({
    ...RULE,
    decision: "deny",
    when: {
      ...RULE.when,
      command: { ...RULE.when.command, program: ["kubectl", "oc"] },
      path: { ...RULE.when.path, in: "a/**" },
    },
  });
});

test("conditions without a value go", () => {
  const plain = {
    id: "a",
    decision: "ask",
    when: { project: "~/work/*", command: { program: "npm" }, detect: "force-push" },
  };
  const emptied = { ...fieldsOf(plain), programs: [], effect: "", projects: [], paths: ["x"] };
  expect(withFields(plain, emptied)).toEqual({ id: "a", decision: "ask", when: { path: { in: "x" } } });
});

test("a rule about prompts has no condition about calls", () => {
  const changed = withFields(RULE, { ...fieldsOf(RULE), isAboutPrompts: true, prompt: "password" });
  expect(changed).toMatchObject({ when: { prompt: "password" } });
  expect(Object.keys(changed["when"] as object)).toEqual(["prompt"]);
  expect(withFields(changed, { ...fieldsOf(changed), isAboutPrompts: false, tools: ["Bash"] })).toMatchObject({
    when: { tool: "Bash" },
  });
});

test("rules are read from text, described in a line and given a free name", () => {
  expect(rulesIn("[1]")).toBeUndefined();
  expect(rulesIn("[{")).toBeUndefined();
  expect(rulesIn(" ")).toEqual([]);
  expect(splitNames(" a, b\n\nc,")).toEqual(["a", "b", "c"]);
  expect(freeId([{ id: "rule-2" }])).toBe("rule-3");
  expect(
    summaryOfRule(fieldsOf({ when: { command: { program: ["npm", "pnpm"], matches: "publish" }, project: "shop" } })),
  ).toBe("npm or pnpm publish, in shop");
});
