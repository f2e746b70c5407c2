import { expect, test } from "vitest";
import { describeIssues, problemOf, toDocument, toDraft } from "./policy-document.ts";

const RULE = { id: "no-npm", decision: "warn", when: { command: { program: "npm" } } };
const draftOf = (rules: unknown) => ({
  used: [],
  packs: [],
  decisions: {},
  rulesText: typeof rules === "string" ? rules : JSON.stringify(rules),
});

test("only the edited parts of a document change", () => {
  const before = { version: 1, description: "Ours", use: ["pipe-to-shell"], rules: [RULE] };
  const draft = toDraft(before);
  expect(draft.used).toEqual(["pipe-to-shell"]);
  expect(toDocument(before, { ...draft, used: ["read-env-files"] })).toEqual({ ...before, use: ["read-env-files"] });
  expect(toDocument({}, toDraft({}))).toEqual({ version: 1, use: [], rules: [] });
});

test("packs and decisions are kept, and go when none is left", () => {
  const before = { version: 1, packs: ["safe"], decisions: { "git.force-push": "deny" }, use: [], rules: [] };
  const draft = toDraft(before);
  expect(toDocument(before, draft)).toEqual(before);
  expect(toDocument(before, { ...draft, packs: [], decisions: {} })).toEqual({ version: 1, use: [], rules: [] });
});

test("what the server would refuse and the form does not show is left out", () => {
  const before = { version: 2, text: "x", packs: ["safe", "gone"], decisions: { "gone.rule": "deny" }, use: ["gone"] };
  expect(toDocument(before, toDraft(before))).toEqual({ version: 1, packs: ["safe"], use: [], rules: [] });
});

test.each([
  ["[1 2]", "line 1, column 4"],
  ["{}", "list of rules"],
  [[{ ...RULE, id: "a b" }], "Rule 1: “id”"],
  [[RULE, { ...RULE, id: "x", decision: "block" }], "Rule 2: “decision”"],
  [[{ ...RULE, when: {} }], "would match everything"],
  [[RULE, RULE], "Two rules are called no-npm"],
])("reports what is wrong with %j", (rules, problem) => {
  expect(problemOf(draftOf(rules))).toContain(problem);
});

test("what the hooks would reject is reported with its rule", () => {
  expect(describeIssues([{ path: "packs.0", message: "expected a pack" }])).toBeUndefined();
  expect(describeIssues([{ path: "rules.1.when.tol", message: "unknown" }])).toBe("Rule 2: when.tol: unknown.");
});

test.each([[""], [[]], [[RULE]]])("accepts %j", (rules) => {
  expect(problemOf(draftOf(rules))).toBeUndefined();
});
