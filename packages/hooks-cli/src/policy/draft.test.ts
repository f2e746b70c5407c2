import { expect, test } from "vitest";
import { openDraft } from "./draft.ts";

const POLICY = {
  version: 1,
  packs: ["safe"],
  rules: [{ id: "no-npm", decision: "deny", when: { project: "~/work/*", command: { program: "npm" } } }],
};

const bash = (command: string, projectDir?: string) => ({ tool: "Bash", input: { command }, projectDir });

test("a draft judges calls as a hook would in their project", () => {
  const { judge } = openDraft(POLICY);
  expect(judge?.(bash("npm test", "/home/ada/work/shop")).decision).toBe("deny");
  expect(judge?.(bash("npm test", "/Users/ada/other")).decision).toBe("allow");
  expect(judge?.(bash("rm -rf ../shop", "/home/ada/work/api")).decision).toBe("ask");
  expect(judge?.(bash("git reset --hard")).decision).toBe("undo");
  expect(judge?.(bash(`${":;".repeat(1_000)} ls`, "/home/ada/work/shop")).decision).toBe("deny");
});

test("a draft with a mistake judges nothing, and says where it is", () => {
  const { judge, issues } = openDraft({ version: 1, rules: [{ id: "x", decision: "deny", when: { porject: "a" } }] });
  expect(judge).toBeUndefined();
  expect(issues.map(({ path }) => path)).toEqual(["rules.0.when.porject"]);
});
