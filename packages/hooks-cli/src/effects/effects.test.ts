import { describe, expect, test } from "vitest";
import { CallSubject } from "../policy/call-subject.ts";
import { type Verdict, evaluateCall } from "../policy/evaluate-policy.ts";
import { EXAMPLE_FACTS } from "../policy/fire-rules.ts";
import { checkPolicy } from "../policy/policy-check.ts";
import { interpretTool } from "../policy/tool-call.ts";
import { EFFECT_EXAMPLES } from "./effect-examples.ts";
import { PACKS, SAFE_PACK, findEffectRule } from "./effect-rules.ts";
import { knownPrograms, patternsOf } from "./effect-tables.ts";
import { findEffects } from "./find-effects.ts";

const LIMITS = { now: () => 0, budgetMs: 1 };
const RULES = PACKS.flatMap(({ rules }) => rules);

function effectsOf(command: string): readonly string[] {
  const call = interpretTool("Bash", { command });
  return findEffects(new CallSubject(call, EXAMPLE_FACTS)).map(({ rule }) => rule);
}

test("every rule has examples, and every example a rule", () => {
  expect(Object.keys(EFFECT_EXAMPLES).toSorted()).toEqual(RULES.map(({ id }) => id).toSorted());
});

test("every program of a table is found, also of those that are loaded when it is started", () => {
  expect(knownPrograms().filter((program) => patternsOf(program).length === 0)).toEqual([]);
});

test("the table names only rules that exist", () => {
  const named = knownPrograms().flatMap((program) => patternsOf(program).map(({ rule }) => rule));
  expect([...new Set(named)].filter((id) => findEffectRule(id) === undefined)).toEqual([]);
});

test.each(Object.entries(EFFECT_EXAMPLES))(
  "%s is found in what it is about, and in nothing close to it",
  (id, { match, pass }) => {
    expect(match.filter((command) => !effectsOf(command).includes(id))).toEqual([]);
    expect(pass.filter((command) => effectsOf(command).length > 0 && !command.startsWith("git push"))).toEqual([]);
    expect(pass.filter((command) => effectsOf(command).includes(id))).toEqual([]);
  },
);

function judge(document: Parameters<typeof checkPolicy>[0], command: string): Verdict {
  const { policy, issues } = checkPolicy(document);
  expect(issues).toEqual([]);
  return evaluateCall(policy ?? { rules: [] }, interpretTool("Bash", { command }), EXAMPLE_FACTS, LIMITS);
}

describe("a policy with packs", () => {
  test("asks about what a pack protects from, in words", () => {
    const { decision, matches } = judge(
      { version: 1, packs: ["infrastructure"] },
      "cd a; terraform destroy -auto-approve",
    );
    expect(decision).toBe("ask");
    expect(matches[0]).toEqual({
      rule: { id: "infrastructure.destroy", decision: "ask", reason: "Destroys infrastructure." },
      subject: "terraform destroy -auto-approve",
    });
    expect(judge({ version: 1, packs: ["git"] }, "terraform destroy").decision).toBe("allow");
  });

  test("allows what can be undone here, and asks about it on another machine", () => {
    const document = { version: 1, packs: ["safe"] };
    expect(judge(document, "git reset --hard").decision).toBe("undo");
    expect(judge(document, "ssh host git reset --hard").decision).toBe("ask");
    expect(judge(document, "docker exec web git reset --hard").decision).toBe("ask");
  });

  test.each(["git -C ../other reset --hard", "cd /srv/app && git reset --hard", 'cd "$X" && git stash drop'])(
    "asks about what is outside the project: %s",
    (command) => expect(judge({ version: 1, packs: ["safe"] }, command).decision).toBe("ask"),
  );

  test("lets a copy within the project delete files, and asks about one to another machine", () => {
    expect(judge({ version: 1, packs: ["safe"] }, "rsync -a --delete src/ dist/").decision).toBe("undo");
    expect(judge({ version: 1, packs: ["safe"] }, "rsync -a --delete src/ h:dist/").decision).toBe("ask");
    expect(judge({ version: 1, packs: ["safe"] }, "rsync -a --delete src/ ../dist/").decision).toBe("ask");
  });

  test("allows it in a folder of the project", () => {
    expect(judge({ version: 1, packs: ["safe"] }, "git -C packages/a reset --hard").decision).toBe("undo");
  });

  test("can be changed for each rule, also of a pack that is off", () => {
    const document = {
      version: 1,
      packs: ["git"],
      decisions: {
        "git.force-push": "deny",
        "git.push-main": "off",
        "databases.drop-data": "warn",
        "force-push-main": "off",
      },
    };
    expect(judge(document, "git push -f").decision).toBe("deny");
    expect(judge(document, "git push origin main").decision).toBe("allow");
    expect(judge(document, "dropdb app").decision).toBe("warn");
  });

  test("includes the shipped rules of a pack, which ask unless they are used by themselves", () => {
    expect(judge({ version: 1, packs: ["safe"] }, "rm -rf /").decision).toBe("ask");
    expect(judge({ version: 1, packs: ["safe"], use: ["delete-outside-project"] }, "rm -rf /").decision).toBe("deny");
  });

  test("is rejected if it names what does not exist", () => {
    const { issues } = checkPolicy({
      version: 1,
      packs: ["gti"],
      decisions: { "git.x": "ask", "git.force-push": "no" },
    });
    expect(issues.map(({ path }) => path)).toEqual(["packs.0", "decisions.git.x", "decisions.git.force-push"]);
  });
});

describe("extreme commands", () => {
  test.each([
    ["many commands", `${"echo a; ".repeat(500)}git reset --hard`],
    ["many words", `git reset ${"a ".repeat(1_900)}--hard`],
    ["many options with values", `git ${"-c a=b ".repeat(900)}reset --hard`],
    ["a long word", `git reset --hard ${"a".repeat(100_000)}`],
    ["nested shells", `bash -c "bash -c 'git reset --hard'"`],
    ["programs that start others", `${"nice ".repeat(8)}git reset --hard`],
  ])("are judged: %s", (_, command) => expect(effectsOf(command)).toContain("git.discard-changes"));

  test.each([
    ["too many commands", `${"echo a; ".repeat(5_000)}git reset --hard`],
    ["too long", `git reset --hard ${"a".repeat(400_000)}`],
    ["too many words", `git reset ${"a ".repeat(3_000)}--hard`],
    ["too many substitutions", `${"$(a)".repeat(20_000)}; git reset --hard`],
    ["a value that doubles", `a=x; ${"a=$a$a; ".repeat(60)}git reset --hard`],
    ["an array that doubles", `a=(x y); ${"a=(${a[@]} ${a[@]}); ".repeat(40)}git reset --hard`],
    ["text that is piped on and on", `echo ${"a".repeat(60_000)}${" | cat".repeat(500)}; git reset --hard`],
    ["too deep", `${"$(".repeat(2_000)}git reset --hard`],
    ["too many wrappers", `${"nice ".repeat(50)}git reset --hard`],
  ])("are called unreadable: %s", (_, command) => {
    const document = { version: 1, packs: ["git"], use: ["unreadable-command"] };
    expect(judge(document, command).matches.map(({ rule }) => rule.id)).toContain("unreadable-command");
  });

  test.each([
    ["words that may be values", `gcloud ${"-a b ".repeat(900)}list`],
    ["stars that match nothing", `rm -f ${"*a".repeat(2_000)}`],
    ["a statement without end", `psql -c "${"select from a ".repeat(5_000)}"`],
  ])("are judged quickly: %s", (_, command) => expect(effectsOf(command)).toEqual([]));
});

describe("a loop over many values", () => {
  const many = Array.from({ length: 900 }, (_, index) => `src/file-${index}.ts`).join(" ");

  test.each([
    [`for f in ${many} .git; do rm -rf "$f"; done`, "git.delete-repository"],
    [`for f in a ${many} .git/refs; do rm -rf $f; done`, "git.delete-repository"],
    [`for f in ${many} etc/passwd; do rm -rf "/$f"; done`, undefined],
    [`for b in ${many} main; do git push origin $b; done`, "git.push-main"],
    [`for o in ${many} --hard; do git reset $o; done`, "git.discard-changes"],
    [`for x in ${many} dropdb; do $x app; done`, "databases.drop-data"],
    [`for f in ${many.slice(0, 5_000)} ~/.bashrc; do cp a "$f"; done`, "files.overwrite"],
    [`for f in ${many} ~/.bashrc; do tee "$f" < a; done`, "files.overwrite"],
    ["for f in a ~/.bashrc; do echo > $f; done", "files.overwrite"],
    ["for f in a ~/.bashrc; do : > $f; done", "files.truncate"],
  ])("hides none of them: %#", (command, rule) => {
    const document = { version: 1, packs: ["safe", "git"] };
    expect(judge(document, command).matches.map(({ rule: { id } }) => id)).toContain(rule ?? "delete-outside-project");
  });

  test("is not too large because of its values", () => {
    const values = `${many} ${many.replaceAll("src/", "lib/")}`;
    const document = { version: 1, packs: ["safe"], use: ["unreadable-command"] };
    expect(judge(document, `for f in ${values}; do echo "$f"; done`).decision).toBe("allow");
    expect(judge(document, `for f in ${values}; do mv $f $f.bak; done`).matches[0]?.rule.id).toBe("code.beyond-limits");
  });
});

test.each([
  "blockdev --setro /dev/sda",
  "chattr -i a",
  "systemctl suspend",
  "terraform taint a.b",
  "pulumi import a b c",
  "aws s3api put-bucket-policy --bucket b --policy file://a.json",
  "npm deprecate a@1 b",
  "rabbitmqctl -n a stop_app",
  "docker rm -f web",
  "az vm restart -n a",
  "gsutil mv gs://a/b gs://a/c",
  "flux suspend kustomization a",
  "mount -o remount,ro /srv",
])("the safe pack does not ask about what interrupts or changes, but loses nothing: %s", (command) =>
  expect(judge({ version: 1, packs: ["safe"] }, command).decision).toBe("allow"),
);

test("the safe pack has no rule that is part of routine work such as publishing", () => {
  const ids = SAFE_PACK.rules.map(({ id }) => id);
  expect(ids).toContain("git.discard-changes");
  expect(ids).not.toContain("packages.publish");
  expect(new Set(ids).size).toBe(ids.length);
});

describe("what is not recorded", () => {
  const root = "/home/user/project";
  const facts = {
    ...EXAMPLE_FACTS,
    isFile: (path: string) => path.startsWith(`${root}/`) || EXAMPLE_FACTS.isFile(path),
    unrecorded: [`${root}/dev.db`, `${root}/data/`, `${root}/ign/large.bin`],
  };
  const judged = (command: string): Verdict => {
    const { policy } = checkPolicy({ version: 1, packs: ["safe"] });
    return evaluateCall(policy ?? { rules: [] }, interpretTool("Bash", { command }), facts, LIMITS);
  };

  test.each([
    "rm dev.db",
    "rm -f ./dev.*",
    "rm -rf dist data",
    "rm -rf ign",
    "rm -rf ign/*",
    "rm -rf data/2026",
    "unlink data/a.json",
    "> dev.db",
    ": > data/a.json",
    "truncate -s 0 dev.db",
    "cp seed.db dev.db",
    "mv seed.db dev.db",
    "echo a | tee dev.db",
    "mv dev.db /dev/null",
    "find ign -type f -delete",
    "find . -name '*.db' -delete",
    "find . -name '*.json' -exec rm {} +",
    "find . -type f | xargs rm",
    "git ls-files -oi --exclude-standard | xargs rm",
    "find ign -type f | xargs rm",
    "git stash -a && git stash drop",
    "git stash push --all; git stash clear",
    "(cd data; rm a.json)",
  ])("is asked about before it is lost: %s", (command) => {
    const { decision, matches } = judged(command);
    expect([command, decision]).toEqual([command, "ask"]);
    expect(matches[0]?.rule.reason).toMatch(/^Loses \/home\/user\/project\/.*, which undo does not bring back\.$/);
    const { policy } = checkPolicy({ version: 1, packs: ["safe"] });
    const call = interpretTool("Bash", { command });
    expect(evaluateCall(policy ?? { rules: [] }, call, { ...facts, unrecorded: [] }, LIMITS)).toMatchObject({
      losesFiles: true,
    });
  });

  test.each([
    "rm a.txt",
    "rm *.txt",
    "rm -rf dist src",
    "mv dev.db old.db",
    "mv data /tmp/data",
    "echo a >> dev.db",
    "echo a > data/new/../../a.txt",
    "cat dev.db > copy.txt",
    "find . -name '*.pyc' -delete",
    "find . -type d -empty -delete",
    "find src -type f -delete",
    "rmdir data",
    "git stash -u && git stash drop",
    "git stash -a && git stash pop",
    "git clean -fd",
    "git reset --hard",
    "ls data | xargs wc -l",
  ])("is nothing to ask about where it is not lost: %s", (command) => {
    expect([command, judged(command).decision]).not.toEqual([command, "ask"]);
  });
});
