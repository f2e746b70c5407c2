import { describe, expect, test } from "vitest";
import type { JsonRecord, JsonValue } from "../json/json-value.ts";
import { checkPolicy } from "./policy-check.ts";
import { SHIPPED_RULES } from "./shipped-rules.ts";

const RULE = { id: "no-x", decision: "deny", when: { command: { program: "x" } } };

/** `rules.0.id: expected …`, for each problem. */
function issuesOf(document: JsonValue): readonly string[] {
  return checkPolicy(document).issues.map(({ path, message }) => `${path}: ${message}`);
}

function issuesOfRule(changes: JsonRecord): readonly string[] {
  return issuesOf({ version: 1, rules: [{ ...RULE, ...changes }] });
}

describe("a valid policy", () => {
  test("is read with every condition; a single value is equivalent to a list of one", () => {
    const when = {
      tool: "Bash",
      command: { program: ["rm", "mv"], args: ["-r", ["-f", "--force"]], matches: "x+" },
      path: { in: "src/**", notIn: ["a", "b"], outsideProject: true, access: ["write", "delete"] },
      input: { field: "url", matches: "^http:" },
      detect: { name: "force-push", branches: "main", files: ["f"], allow: ["g"] },
    };
    const rule = { id: "All.of_it-1", decision: "ask", reason: "Why", description: { any: "thing" }, when };
    const examples = { match: ["rm x", { tool: "Read", input: { path: "x" } }], pass: [{ tool: "Glob" }] };
    const document = { $schema: "s", version: 1, description: "d", rules: [{ ...rule, examples }] };
    expect(checkPolicy(document)).toEqual({
      issues: [],
      policy: {
        rules: [
          {
            id: "All.of_it-1",
            decision: "ask",
            reason: "Why",
            when: {
              tool: ["Bash"],
              command: { program: ["rm", "mv"], args: [["-r"], ["-f", "--force"]], matches: "x+" },
              path: { in: ["src/**"], notIn: ["a", "b"], outsideProject: true, access: ["write", "delete"] },
              input: { field: "url", matches: "^http:" },
              detect: { name: "force-push", branches: ["main"], files: ["f"], allow: ["g"] },
            },
            examples: {
              match: ["rm x", { tool: "Read", input: { path: "x" } }],
              pass: [{ tool: "Glob", input: {} }],
            },
          },
        ],
      },
    });
  });

  test("needs only an id, a decision and a condition per rule", () => {
    const rules = [
      RULE,
      { id: "prompt", decision: "warn", when: { prompt: "(?i)please" } },
      { id: "inside", decision: "warn", when: { path: { outsideProject: false } } },
      { id: "detector", decision: "warn", when: { detect: "pipe-to-shell" } },
    ];
    expect(checkPolicy({ version: 1, rules }).policy?.rules).toEqual([
      {
        id: "no-x",
        decision: "deny",
        reason: "The rule no-x forbids this.",
        when: { command: { program: ["x"] } },
        examples: { match: [], pass: [] },
      },
      expect.objectContaining({ when: { prompt: "(?i)please" } }),
      expect.objectContaining({ when: { path: { outsideProject: false } } }),
      expect.objectContaining({ when: { detect: { name: "pipe-to-shell" } } }),
    ]);
  });

  test("lists its own rules before the shipped ones that it uses", () => {
    const { policy } = checkPolicy({ version: 1, use: ["pipe-to-shell"], rules: [RULE] });
    expect(policy?.rules.map(({ id }) => id)).toEqual(["no-x", "pipe-to-shell"]);
    expect(checkPolicy({ version: 1 }).policy).toEqual({ rules: [] });
  });
});

describe("a document", () => {
  const SECTIONS = "$schema, version, description, use, packs, decisions, rules";

  test.each<[JsonValue, readonly string[]]>([
    [null, [`: expected an object with ${SECTIONS}`, "version: expected 1"]],
    [[], [`: expected an object with ${SECTIONS}`, "version: expected 1"]],
    [{}, ["version: expected 1"]],
    [{ version: "1" }, ["version: expected 1"]],
    [{ version: 1, rule: [] }, [`rule: unknown; expected ${SECTIONS}`]],
    [{ version: 1, rules: {} }, ["rules: expected a list"]],
    [{ version: 1, use: "pipe-to-shell" }, ["use: expected a list"]],
    [
      { version: 1, use: ["pipe-to-shell", "none"] },
      [`use.1: expected a shipped rule: ${SHIPPED_RULES.map(({ id }) => id).join(", ")}`],
    ],
    [{ version: 1, rules: [RULE, RULE, RULE] }, ["rules: two rules are called no-x"]],
    [
      { version: 1, use: ["pipe-to-shell"], rules: [{ ...RULE, id: "pipe-to-shell" }] },
      ["rules: two rules are called pipe-to-shell"],
    ],
  ])("%j: %j", (document, issues) => expect(issuesOf(document)).toEqual(issues));

  test("has at most 2000 rules", () => {
    const rules = Array.from({ length: 2_001 }, (_, index) => ({ ...RULE, id: `rule-${index}` }));
    expect(issuesOf({ version: 1, rules: rules.slice(1) })).toEqual([]);
    expect(issuesOf({ version: 1, rules })).toEqual(["rules: expected at most 2000 entries"]);
  });

  test("is rejected with all its problems at once", () => {
    const check = checkPolicy({ version: 2, rules: [RULE, { id: "no spaces", decision: "forbid" }] });
    expect(check.policy).toBeUndefined();
    expect(check.issues.map(({ path }) => path)).toEqual(["rules.1.id", "rules.1.decision", "rules.1.when", "version"]);
  });
});

describe("a rule", () => {
  const MEMBERS = "id, decision, reason, description, when, examples";
  const CONDITIONS = "tool, project, command, path, input, prompt, detect";
  const TOO_LONG = "x".repeat(1_001);
  const EXPECTED_ID = "rules.0.id: expected at most 64 letters, digits, dots and dashes";

  test.each<[JsonRecord, readonly string[]]>([
    [{ wen: {} }, [`rules.0.wen: unknown; expected ${MEMBERS}`]],
    [{ id: "x".repeat(65) }, [EXPECTED_ID]],
    [{ id: "" }, [EXPECTED_ID]],
    [{ id: "-x" }, [EXPECTED_ID]],
    [{ id: "a b" }, [EXPECTED_ID]],
    [{ id: 5 }, [EXPECTED_ID]],
    [{ decision: "forbid" }, ["rules.0.decision: expected one of warn, undo, ask, deny"]],
    [{ reason: "" }, ["rules.0.reason: expected a string of at most 500 characters"]],
    [{ reason: "x".repeat(501) }, ["rules.0.reason: expected a string of at most 500 characters"]],
    [{ when: {} }, [`rules.0.when: expected an object with at least one of ${CONDITIONS}`]],
    [{ when: "x" }, [`rules.0.when: expected an object with at least one of ${CONDITIONS}`]],
    [{ when: { tol: "x" } }, [`rules.0.when.tol: unknown; expected ${CONDITIONS}`]],
    [{ when: { tool: [] } }, ["rules.0.when.tool: expected at least one"]],
    [{ when: { tool: ["Read", ""] } }, ["rules.0.when.tool.1: expected a string"]],
    [{ when: { tool: 5 } }, ["rules.0.when.tool: expected a string"]],
    [
      { when: { command: {} } },
      ["rules.0.when.command: expected an object with at least one of program, args, matches"],
    ],
    [{ when: { command: { args: [["-f", 1]] } } }, ["rules.0.when.command.args.0.1: expected a string"]],
    [{ when: { command: { matches: TOO_LONG } } }, ["rules.0.when.command.matches: expected at most 1000 characters"]],
    [{ when: { command: { matches: "a(?=b)" } } }, [expect.stringMatching(/^rules\.0\.when\.command\.matches: ./)]],
    [{ when: { prompt: "" } }, ["rules.0.when.prompt: expected a string"]],
    [{ when: { prompt: "a", project: "b" } }, ["rules.0.when.project: a rule about prompts applies to every project"]],
    [
      { when: { path: {} } },
      ["rules.0.when.path: expected an object with at least one of in, notIn, outsideProject, access"],
    ],
    [{ when: { path: { outsideProject: "yes" } } }, ["rules.0.when.path.outsideProject: expected true or false"]],
    [{ when: { path: { access: "run" } } }, ["rules.0.when.path.access: expected one of read, write, delete"]],
    [
      { when: { input: {} } },
      ["rules.0.when.input.field: expected a string", "rules.0.when.input.matches: expected a string"],
    ],
    [
      { when: { detect: "pipe" } },
      [
        "rules.0.when.detect.name: expected one of force-push, delete-outside-project, write-outside-project, pipe-to-shell, read-secret-file, unreadable-command",
      ],
    ],
    [
      { when: { detect: { name: "force-push", branch: "x" } } },
      ["rules.0.when.detect.branch: unknown; expected name, branches, files, allow"],
    ],
    [{ when: { detect: 5 } }, expect.arrayContaining([expect.stringMatching(/^rules\.0\.when\.detect: /)])],
    [{ examples: { match: "x" } }, ["rules.0.examples.match: expected a list"]],
    [{ examples: { matches: [] } }, ["rules.0.examples.matches: unknown; expected match, pass"]],
    [{ examples: { match: [{ input: {} }] } }, ["rules.0.examples.match.0.tool: expected a string"]],
  ])("with %j: %j", (changes, issues) => expect(issuesOfRule(changes)).toEqual(issues));

  test.each<JsonRecord>([
    { id: "x".repeat(64) },
    { reason: "x".repeat(500) },
    { reason: "two\nlines" },
    { when: { prompt: "x".repeat(1_000) } },
  ])("can have %j", (changes) => expect(issuesOfRule(changes)).toEqual([]));

  test.each(["id", "decision", "when"])("must have its %s", (member) => {
    expect(issuesOfRule({ [member]: undefined })).toEqual([expect.stringMatching(`^rules\\.0\\.${member}: expected `)]);
  });
});
