import { describe, expect, test } from "vitest";
import { EVASIONS, KNOWN_MISSES } from "../../tests/corpus/evasions.ts";
import { HARMLESS } from "../../tests/corpus/harmless.ts";
import { evaluateCall } from "./evaluate-policy.ts";
import { EXAMPLE_FACTS, isAsExpected, tryRule } from "./fire-rules.ts";
import type { Rule } from "./policy.ts";
import { isCovered } from "./file-location.ts";
import { ENV_FILES, KEY_FILES } from "./secret-file-names.ts";
import { SHIPPED_RULES } from "./shipped-rules.ts";
import { interpretTool } from "./tool-call.ts";

const LIMITS = { now: () => 0, budgetMs: 1 };

function isCaught(rules: readonly Rule[], command: string): boolean {
  return evaluateCall({ rules }, interpretTool("Bash", { command }), EXAMPLE_FACTS, LIMITS).decision !== "allow";
}

test("the shipped rules have their documented decisions", () => {
  expect(SHIPPED_RULES.map(({ id, decision }) => [id, decision])).toEqual([
    ["force-push-main", "deny"],
    ["delete-outside-project", "deny"],
    ["write-outside-project", "ask"],
    ["read-env-files", "deny"],
    ["read-key-files", "deny"],
    ["pipe-to-shell", "deny"],
    ["unreadable-command", "ask"],
  ]);
});

test.each(SHIPPED_RULES)(
  "$id has a reason, and examples of what it matches and what passes",
  ({ reason, examples }) => {
    expect(reason).toMatch(/^\w.+\.$/);
    expect(examples.match.length).toBeGreaterThanOrEqual(3);
    expect(examples.pass.length).toBeGreaterThanOrEqual(3);
    expect([...examples.match, ...examples.pass]).not.toContain("");
  },
);

test.each(SHIPPED_RULES)("$id judges its own examples correctly", (rule) => {
  expect(tryRule(rule).filter((trial) => !isAsExpected(trial))).toEqual([]);
});

describe.each(EVASIONS)("attempts to evade $rule", ({ rule: id, commands }) => {
  const rules = SHIPPED_RULES.filter((rule) => rule.id === id);

  test("fail, except for the known ones", () => {
    const missed = commands.filter((command) => !isCaught(rules, command));
    expect(missed).toEqual(commands.filter((command) => command in KNOWN_MISSES));
  });
});

test("the corpus has at least 200 attempts, and no unused known slips", () => {
  const all = EVASIONS.flatMap(({ commands }) => commands);
  expect(all.length).toBeGreaterThan(200);
  expect(Object.keys(KNOWN_MISSES).filter((command) => !all.includes(command))).toEqual([]);
});

test("no rule affects ordinary commands", () => {
  expect(HARMLESS.filter((command) => isCaught(SHIPPED_RULES, command))).toEqual([]);
});

describe("files with passwords", () => {
  test.each([".env", ".env.local", "prod.env"])("are %s", (path) =>
    expect(isCovered(`/home/user/project/${path}`, ENV_FILES, EXAMPLE_FACTS)).toBe(true),
  );

  test.each([".env.example", ".env.test.example", "prod.sample.env", "env.ts"])("are not %s", (path) =>
    expect(isCovered(`/home/user/project/${path}`, ENV_FILES, EXAMPLE_FACTS)).toBe(false),
  );
});

describe("files with keys", () => {
  test.each([
    "/backup/id_rsa",
    "/backup/id_ed25519_sk",
    "/x/server.pem",
    "/x/store.jks",
    "/home/user/.ssh/work",
    "/root/.aws/credentials",
    "/home/user/.gnupg/private-keys-v1.d/x",
    "/home/user/.kube/config",
    "/home/user/.docker/config.json",
    "/home/user/.config/gh/hosts.yml",
    "/home/user/.azure/tokens/x",
    "/home/user/.workspace-hooks/config.json",
    "/home/user/.netrc",
    "/home/user/project/.pgpass",
    "/home/user/.npmrc",
    "/x/_netrc",
    "/x/credentials.json",
    "/x/service-account-7.json",
    "/x/secrets.yml",
    "/x/terraform.tfstate",
    "/x/terraform.tfstate.backup",
    "/etc/shadow",
    "/proc/self/environ",
  ])("are %s", (path) => expect(isCovered(path, KEY_FILES, EXAMPLE_FACTS)).toBe(true));

  test.each([
    "/x/id_rsa.pub",
    "/x/server-public.pem",
    "/home/user/.ssh/config",
    "/home/user/.ssh/work.pub",
    "/home/user/project/.npmrc",
    "/etc/hosts",
    "/x/config.json",
  ])("are not %s", (path) => expect(isCovered(path, KEY_FILES, EXAMPLE_FACTS)).toBe(false));
});
