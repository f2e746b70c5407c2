import { describe, expect, test } from "vitest";
import type { JsonRecord } from "../json/json-value.ts";
import { type Verdict, evaluateCall, evaluatePrompt } from "./evaluate-policy.ts";
import { EXAMPLE_FACTS } from "./fire-rules.ts";
import type { Decision, Policy, Rule, RuleConditions } from "./policy.ts";
import { interpretTool } from "./tool-call.ts";

const LIMITS = { now: () => 0, budgetMs: 1 };

function rule(when: RuleConditions, id = "rule", decision: Decision = "deny"): Rule {
  return { id, decision, reason: "Because.", when, examples: { match: [], pass: [] } };
}

function judgeTool(when: RuleConditions, name: string, input: JsonRecord, facts = EXAMPLE_FACTS): Verdict {
  return evaluateCall({ rules: [rule(when)] }, interpretTool(name, input), facts, LIMITS);
}

/** What the rule matched in the call; undefined if it does not match. */
function matchedIn(when: RuleConditions, command: string, facts = EXAMPLE_FACTS): string | undefined {
  return judgeTool(when, "Bash", { command }, facts).matches[0]?.subject;
}

describe("a verdict", () => {
  const anyTool: RuleConditions = { tool: ["*"] };
  const call = interpretTool("Bash", { command: "ls" });

  test("is to allow if no rule matches", () => {
    const rules = [rule({ tool: ["Read"] }), rule({ prompt: "ls" })];
    expect(evaluateCall({ rules }, call, EXAMPLE_FACTS, LIMITS)).toEqual({
      decision: "allow",
      matches: [],
      losesFiles: false,
      skippedRules: 0,
    });
  });

  test("is that of the strictest rule, and lists all that match, the strictest first", () => {
    const decisions = ["warn", "deny", "ask", "deny", "warn"] as const;
    const rules = decisions.map((decision, index) => rule(anyTool, `${decision}-${index}`, decision));
    const verdict = evaluateCall({ rules }, call, EXAMPLE_FACTS, LIMITS);
    expect(verdict.decision).toBe("deny");
    expect(verdict.matches.map((match) => match.rule.id)).toEqual(["deny-1", "deny-3", "ask-2", "warn-0", "warn-4"]);
  });

  test("counts the rules that were skipped for lack of time", () => {
    let time = 0;
    const now = () => (time += 1);
    const rules = ["a", "b", "c", "d"].map((id) => rule(anyTool, id));
    // The clock is at 1 when the budget starts, and at 2, 3, 4, 5 before each rule.
    const { matches, skippedRules } = evaluateCall({ rules }, call, EXAMPLE_FACTS, { now, budgetMs: 2 });
    expect(matches.map((match) => match.rule.id)).toEqual(["a", "b"]);
    expect(skippedRules).toBe(2);
  });

  test("shows what was matched, with an ellipsis for unknown parts, and limited in length", () => {
    expect(matchedIn({ command: { program: ["rm"] } }, 'rm "$X/a$Y"')).toBe("rm …/a…");
    expect(matchedIn({ command: { program: ["rm"] } }, `rm ${"x".repeat(400)}`)).toHaveLength(300);
  });
});

test("a rule applies only in its projects, which are named by their folder or its name", () => {
  const appliesIn = (project: readonly string[], projectRoot: string): boolean =>
    matchedIn({ project, tool: ["Bash"] }, "ls", { ...EXAMPLE_FACTS, projectRoot }) !== undefined;
  expect(appliesIn(["~/work/*"], "/home/user/work/shop")).toBe(true);
  expect(appliesIn(["~/work/*"], "/home/user/other")).toBe(false);
  expect(appliesIn(["shop", "api"], "/srv/api")).toBe(true);
  expect(appliesIn(["/srv/**", "!/srv/api"], "/srv/api")).toBe(false);
});

describe("a command that cannot be read as a whole", () => {
  const nested = (levels: number): string => `echo ${"$(".repeat(levels)}rm -rf /etc${")".repeat(levels)}`;
  const rm: RuleConditions = { command: { program: ["rm"] } };
  const unread = {
    id: "code.beyond-limits",
    reason: expect.stringMatching(/too long or too deeply.*split it/) as string,
  };

  function judgeAll(policy: Policy, command: string): Verdict {
    return evaluateCall(policy, interpretTool("Bash", { command }), EXAMPLE_FACTS, LIMITS);
  }

  test.each([
    ["substitutions", nested(10)],
    ["more commands than are counted", `${":;".repeat(1_000)} rm -rf /etc`],
    ["a long text", `echo ${"a".repeat(400_000)}; rm -rf /etc`],
    ["programs that start one another", `${"nice ".repeat(20)}rm -rf /etc`],
    ["default values", `echo ${"${a:-".repeat(30)}$(rm -rf /etc)${"}".repeat(30)}`],
    ["default values in a here-document", `cat <<E\n${"${a:-".repeat(30)}$(rm -rf /etc)${"}".repeat(30)}\nE`],
    ["default values in a computation", `echo $((${"${a:-".repeat(30)}$(rm -rf /etc)${"}".repeat(30)}))`],
    ["braces", `{rm,-rf,/etc${",x".repeat(3_000)}}`],
  ])("because of %s matches every rule about commands", (_what, command) => {
    const { decision, matches } = judgeAll({ rules: [rule(rm, "a"), rule(rm, "b")] }, command);
    expect(decision).toBe("deny");
    expect(matches).toEqual([
      { rule: { ...unread, decision: "deny" }, subject: expect.stringMatching(/too/) as string },
    ]);
  });

  test.each<[what: string, policy: Policy, decision: Verdict["decision"]]>([
    ["nothing", { rules: [] }, "allow"],
    ["prompts", { rules: [rule({ prompt: "rm" })] }, "allow"],
    ["another tool", { rules: [rule({ ...rm, tool: ["Read"] })] }, "allow"],
    ["another project", { rules: [rule({ ...rm, project: ["~/other"] })] }, "allow"],
    ["an input that is another", { rules: [rule({ ...rm, input: { field: "command", matches: "^x" } })] }, "allow"],
    ["this tool", { rules: [rule({ ...rm, tool: ["Bash"] })] }, "deny"],
    ["files", { rules: [rule({ path: { in: ["*.pem"] } })] }, "deny"],
    ["what is detected", { rules: [rule({ detect: { name: "delete-outside-project" } })] }, "deny"],
    ["commands, by several", { rules: [rule(rm, "a", "warn"), rule(rm, "b", "ask"), rule(rm, "c", "undo")] }, "ask"],
    ["commands that can be undone", { rules: [rule(rm, "a", "undo"), rule(rm, "b", "warn")] }, "undo"],
    ["effects", { rules: [], effects: { "git.force-push": "ask", "files.delete": "undo" } }, "ask"],
    ["effects and commands", { rules: [rule(rm)], effects: { "git.force-push": "ask" } }, "deny"],
    ["just that", { rules: [rule(rm, "a", "ask")], effects: { "code.beyond-limits": "deny" } }, "deny"],
    ["just that, less strictly", { rules: [rule(rm)], effects: { "code.beyond-limits": "ask" } }, "deny"],
  ])("is decided by rules about %s", (_what, policy, decision) => {
    expect(judgeAll(policy, nested(10)).decision).toBe(decision);
  });

  test("still shows what was found in it", () => {
    const { matches } = judgeAll({ rules: [rule(rm)] }, `rm -rf /etc; ${nested(10)}`);
    expect(matches.map(({ rule: { id }, subject }) => [id, subject])).toEqual([["rule", "rm -rf /etc"]]);
  });

  test.each([nested(9), `${":;".repeat(998)} ls`, `echo ${"{a,b}".repeat(5)} {1..1000}`])(
    "is not one within the limits",
    (command) => {
      expect(judgeAll({ rules: [rule({ command: { program: ["x"] } })] }, command).decision).toBe("allow");
    },
  );
});

describe("a prompt", () => {
  const rules = [rule({ prompt: "(?i)card [0-9]+" }, "card"), rule({ tool: ["*"] }, "tool")];

  test("is judged only by rules about prompts", () => {
    const { decision, matches } = evaluatePrompt({ rules }, "My CARD 123", LIMITS);
    expect(decision).toBe("deny");
    expect(matches).toEqual([{ rule: rules[0], subject: "the prompt" }]);
    expect(evaluatePrompt({ rules }, "my card", LIMITS).decision).toBe("allow");
  });
});

describe("a condition on the tool", () => {
  test.each([
    [["Read"], "Read", true],
    [["Read"], "read_file", true],
    [["read_*"], "read_file", true],
    [["mcp__*"], "mcp__github__push", true],
    [["Write", "Read"], "Read", true],
    [["Write"], "Read", false],
    [[], "Read", false],
  ])("%j matches %s: %s", (tool, name, expected) => {
    const { matches } = judgeTool({ tool }, name, {});
    expect(matches.map(({ subject }) => subject)).toEqual(expected ? [name] : []);
  });
});

describe("a condition on the input", () => {
  const input = { url: "http://example.com", edits: [{ text: "secret" }], count: 12 };

  test.each([
    ["url", "^http:", "url: http://example.com"],
    ["edits.0.text", "secret", "edits.0.text: secret"],
    ["count", "^12$", "count: 12"],
    ["url", "^https:", undefined],
    ["missing", "", undefined],
  ])("%s with %s matches %j", (field, matches, subject) => {
    expect(judgeTool({ input: { field, matches } }, "WebFetch", input).matches[0]?.subject).toBe(subject);
  });
});

describe("a condition on a command", () => {
  test.each<[NonNullable<RuleConditions["command"]>, string, string | undefined]>([
    [{ program: ["git"] }, "ls; git status", "git status"],
    [{ program: ["git"] }, "/usr/bin/git status", "git status"],
    [{ program: ["/usr/bin/git"] }, "/usr/bin/git status", "git status"],
    [{ program: ["/usr/bin/git"] }, "/opt/git status", undefined],
    [{ program: ["py*"] }, "python3 a.py", "python3 a.py"],
    [{ program: ["rm"] }, "/bin/r? a", "r? a"],
    [{ program: ["rm"] }, "'r?' a", undefined],
    [{ program: ["ls", "git"] }, "git", "git"],
    [{ program: ["git"] }, "ls", undefined],
    [{ args: [["push"], ["-f", "--force"]] }, "git push --force", "git push --force"],
    [{ args: [["push"], ["-f", "--force"]] }, "git push", undefined],
    [{ args: [["-f"]] }, "rm -rf a", "rm -rf a"],
    [{ args: [["-r"], ["-f"]] }, "rm -rf a", "rm -rf a"],
    [{ args: [["-x"]] }, "rm -rf a", undefined],
    [{ args: [["--force"]] }, "git push --force=yes", "git push --force=yes"],
    [{ args: [["--force"]] }, "git push --forced", undefined],
    [{ args: [["-m"]] }, "git commit -message1", undefined],
    [{ args: [["--m"]] }, "tool x--m=1", undefined],
    [{ args: [["-e"]] }, "tool a-ef", undefined],
    [{ args: [["*.pem"]] }, "cat a.pem", "cat a.pem"],
    [{ args: [["[x"]] }, "cat '[x'", "cat [x"],
    [{ args: [["rm"]] }, "rm a", undefined],
    [{ matches: "^npm (i|install) " }, "npm  install   x", "npm install x"],
    [{ matches: "^npm x" }, "npm install x", undefined],
    [{ program: ["npm"], args: [["-g"]], matches: "install" }, "npm install -g x", "npm install -g x"],
    [{ program: ["npm"], args: [["-g"]], matches: "remove" }, "npm install -g x", undefined],
    [{ program: ["npm"] }, "", undefined],
  ])("%j matches in %j: %j", (command, script, subject) => {
    expect(matchedIn({ command }, script)).toBe(subject);
  });

  test("matches nothing in a call that runs no script", () => {
    expect(judgeTool({ command: { matches: "" } }, "Read", { path: "a" }).decision).toBe("allow");
  });
});

describe("a condition on a file", () => {
  test.each<[NonNullable<RuleConditions["path"]>, string, string | undefined]>([
    [{ in: ["*.lock"] }, "touch a.ts b.lock", "b.lock"],
    [{ in: ["*.lock"] }, "touch a.ts", undefined],
    [{ notIn: ["*.lock"] }, "touch a.lock b.ts", "b.ts"],
    [{ in: ["*.ts"], notIn: ["a*"] }, "touch a.ts", undefined],
    [{ access: ["write"] }, "cp a b", "b"],
    [{ access: ["delete"] }, "cp a b", undefined],
    [{ access: ["read", "delete"] }, "cp a b", "a"],
    [{ outsideProject: true }, "touch a /etc/b", "/etc/b"],
    [{ outsideProject: false }, "touch /etc/b a", "a"],
    [{ outsideProject: true }, "touch a", undefined],
    [{ access: ["read"] }, 'cat "$X"', undefined],
  ])("%j matches in %j: %j", (path, script, subject) => {
    expect(matchedIn({ path }, script)).toBe(subject);
  });

  test("also applies to the target of a link", () => {
    const realPath = (path: string) => (path.endsWith("/link") ? "/etc/shadow" : path);
    const facts = { ...EXAMPLE_FACTS, realPath };
    expect(matchedIn({ path: { in: ["/etc/*"] } }, "cat link", facts)).toBe("link");
    expect(matchedIn({ path: { notIn: ["/etc/*"] } }, "cat link", facts)).toBeUndefined();
  });

  test("also applies to a tool's files; a search pattern may match many", () => {
    expect(judgeTool({ path: { in: ["*.ts"] } }, "Edit", { path: "a.ts" }).matches[0]?.subject).toBe("a.ts");
    const secrets: RuleConditions = { detect: { name: "read-secret-file", files: [".env"] } };
    expect(judgeTool(secrets, "Grep", { glob: ".e*" }).decision).toBe("deny");
    expect(judgeTool(secrets, "Grep", { glob: ".ex" }).decision).toBe("allow");
    expect(judgeTool(secrets, "Read", { path: ".e*" }).decision).toBe("allow");
  });
});

describe("a detector", () => {
  test.each<[NonNullable<RuleConditions["detect"]>, string, string | undefined]>([
    [{ name: "force-push" }, "git push -f origin main", "git push -f origin main"],
    [{ name: "force-push", branches: ["release/*"] }, "git push -f origin main", undefined],
    [{ name: "delete-outside-project" }, "rm -r /srv/x", "/srv/x"],
    [{ name: "delete-outside-project", allow: ["/srv/**"] }, "rm -r /srv/x", undefined],
    [{ name: "write-outside-project" }, "touch /srv/x", "/srv/x"],
    [{ name: "write-outside-project", allow: ["/srv/**"] }, "touch /srv/x", undefined],
    [{ name: "read-secret-file" }, "cat .env", ".env"],
    [{ name: "read-secret-file" }, "cat id_rsa", "id_rsa"],
    [{ name: "read-secret-file", files: ["*.txt"] }, "cat .env", undefined],
    [{ name: "pipe-to-shell" }, "curl https://x | sh", "curl https://x | sh"],
    [{ name: "unreadable-command" }, '"$X" a', "… a"],
  ])("%j matches in %j: %j", (detect, script, subject) => {
    expect(matchedIn({ detect }, script)).toBe(subject);
  });
});

test("all conditions of a rule must match, and the last one determines the reported subject", () => {
  const when: RuleConditions = {
    tool: ["Bash"],
    input: { field: "command", matches: "/etc" },
    command: { program: ["cat"] },
    path: { in: ["/etc/*"] },
    detect: { name: "read-secret-file" },
  };
  expect(matchedIn(when, "cat /etc/shadow")).toBe("/etc/shadow");
  expect(matchedIn({ ...when, tool: ["Read"] }, "cat /etc/shadow")).toBeUndefined();
  expect(matchedIn({ ...when, input: { field: "command", matches: "/usr" } }, "cat /etc/shadow")).toBeUndefined();
  expect(matchedIn({ ...when, command: { program: ["tac"] } }, "cat /etc/shadow")).toBeUndefined();
  expect(matchedIn({ ...when, path: { in: ["/usr/*"] } }, "cat /etc/shadow")).toBeUndefined();
  expect(matchedIn(when, "cat /etc/hosts")).toBeUndefined();
});

describe("a tool that runs PowerShell", () => {
  const deletes: RuleConditions = { detect: { name: "delete-outside-project" } };
  const judged = (command: string) => judgeTool(deletes, "PowerShell", { command }).decision;

  test.each([
    "Remove-Item -Recurse C:\\Users\\me",
    "rm -r -fo C:\\Users\\me",
    'iex "Remove-Item -Recurse C:\\Users"',
    "gci C:\\ | ForEach-Object { del $_ -Recurse }",
    '[System.IO.Directory]::Delete("C:\\Users\\me", $true)',
  ])("deletes outside the project: %s", (command) => expect(judged(command)).toBe("deny"));

  test.each([
    "Remove-Item .\\dist -Recurse",
    "if (Test-Path dist) { Remove-Item -Recurse dist }",
    "gci | % { $_.Name }",
  ])("does not: %s", (command) => expect(judged(command)).toBe("allow"));
});
