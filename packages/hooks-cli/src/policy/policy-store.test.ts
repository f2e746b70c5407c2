import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, homeAt } from "../files/home.ts";
import { keepServerPolicy, loadPolicy, markServerPolicyFetched, serverPolicyAgeMs } from "./policy-store.ts";

let home: Home;

beforeEach(() => {
  home = homeAt(mkdtempSync(join(tmpdir(), "hooks-policy-")));
});

afterEach(() => rmSync(home.root, { recursive: true, force: true }));

function documentOf(...ids: readonly string[]) {
  return { version: 1, rules: ids.map((id) => ({ id, decision: "deny", when: { command: { program: id } } })) };
}

function writeOwn(policy: unknown): void {
  writeFileSync(home.policy, typeof policy === "string" ? policy : JSON.stringify(policy));
}

/** The names of the rules that hold, and what is wrong. */
function loaded(): { readonly ids: readonly string[]; readonly problems: readonly string[] } {
  const { policy, problems } = loadPolicy(home);
  return { ids: policy.rules.map(({ id }) => id), problems };
}

describe("the rules that hold", () => {
  test("are none where there is no file", () => {
    expect(loaded()).toEqual({ ids: [], problems: [] });
  });

  test("are the user's own, then the server's that have other names", () => {
    writeOwn(documentOf("mine", "both"));
    keepServerPolicy(home, documentOf("both", "theirs"), 1);
    expect(loaded()).toEqual({ ids: ["mine", "both", "theirs"], problems: [] });
  });

  test("follow the file", () => {
    writeOwn(documentOf("one"));
    expect(loaded().ids).toEqual(["one"]);
    expect(loaded().ids).toEqual(["one"]);
    writeOwn(documentOf("one", "two"));
    expect(loaded().ids).toEqual(["one", "two"]);
  });

  test("are not checked again while the file is the same, by this version of the program", () => {
    writeOwn(documentOf("one"));
    loaded();
    const file = join(home.policies, "accepted-local.json");
    const accepted = JSON.parse(readFileSync(file, "utf8")) as { checkedBy: string };
    const changed = { ...accepted, rules: [...documentOf("kept").rules] };
    writeFileSync(file, JSON.stringify(changed));
    expect(loaded()).toEqual({ ids: ["kept"], problems: [] });
    writeFileSync(file, JSON.stringify({ ...changed, checkedBy: "0.0.1" }));
    expect(loaded()).toEqual({ ids: ["one"], problems: [] });
  });

  test("hold although no copy of them can be kept", () => {
    mkdirSync(join(home.policies, "accepted-local.json"), { recursive: true });
    writeOwn(documentOf("one"));
    expect(loaded()).toEqual({ ids: ["one"], problems: [] });
  });
});

describe("a file that is broken", () => {
  test.each([
    ["", "policy.json could not be read (line 1, column 1: the file is empty); no rule of it holds"],
    ["{", "policy.json could not be read (line 1, column 2: the document ends too early); no rule of it holds"],
    [
      "[]",
      expect.stringMatching(/^policy\.json is broken: expected an object .* \(and 1 more\); no rule of it holds$/),
    ],
    ['{"version": 2}', "policy.json is broken: version: expected 1; no rule of it holds"],
    [
      '{"version": 2, "use": {}, "rules": {}}',
      "policy.json is broken: use: expected a list (and 2 more); no rule of it holds",
    ],
  ])("as %j is told of", (text, problem) => {
    writeOwn(text);
    expect(loaded()).toEqual({ ids: [], problems: [problem] });
  });

  test("leaves its last good version in force, and the other file alone", () => {
    writeOwn(documentOf("mine"));
    keepServerPolicy(home, documentOf("theirs"), 1);
    loaded();
    for (const text of ["{", '{"version": 2}']) {
      writeOwn(text);
      const { ids, problems } = loaded();
      expect(ids).toEqual(["mine", "theirs"]);
      expect(problems).toEqual([expect.stringMatching(/^policy\.json .*; its last good version holds$/)]);
    }
    rmSync(home.policy);
    mkdirSync(home.policy);
    expect(loaded()).toEqual({
      ids: ["mine", "theirs"],
      problems: [expect.stringMatching(/^policy\.json could not be read \(EISDIR: .*\); its last good version holds$/)],
    });
  });

  test.each(["stamp", "checkedBy", "rules"])("has no last good version where the copy of it lacks its %s", (name) => {
    writeOwn(documentOf("one"));
    loaded();
    const file = join(home.policies, "accepted-local.json");
    const accepted = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...accepted, [name]: null }));
    writeOwn("{");
    expect(loaded()).toMatchObject({ ids: [], problems: [expect.stringContaining("no rule of it holds")] });
  });
});

describe("the server's policy", () => {
  test("is none where nobody has set one", () => {
    keepServerPolicy(home, {}, 0);
    expect(loaded()).toEqual({ ids: [], problems: [] });
    writeFileSync(join(home.policies, "server.json"), "garbage");
    expect(loaded()).toEqual({ ids: [], problems: [] });
  });

  test("is told of by its name where it is broken", () => {
    keepServerPolicy(home, documentOf("theirs"), 1);
    loaded();
    keepServerPolicy(home, { version: 2 }, 2);
    expect(loaded()).toEqual({
      ids: ["theirs"],
      problems: ["the server's policy is broken: version: expected 1; its last good version holds"],
    });
  });

  test("is written once for each version, for nobody else to read", () => {
    const file = join(home.policies, "server.json");
    keepServerPolicy(home, documentOf("one"), 1);
    expect(statSync(home.policies).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    keepServerPolicy(home, documentOf("two"), 1);
    expect(loaded().ids).toEqual(["one"]);
    keepServerPolicy(home, documentOf("two"), 2);
    expect(loaded().ids).toEqual(["two"]);
  });

  test("has an age since it was asked for", () => {
    const now = Date.now();
    expect(serverPolicyAgeMs(home, now)).toBe(Number.POSITIVE_INFINITY);
    markServerPolicyFetched(home);
    const mark = join(home.policies, "fetched");
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    expect(readFileSync(mark, "utf8")).toBe("");
    utimesSync(mark, now / 1000 - 60, now / 1000 - 60);
    expect(serverPolicyAgeMs(home, now)).toBeCloseTo(60_000, -1);
    // A clock that was set back makes it old too, rather than young for ever.
    expect(serverPolicyAgeMs(home, now - 120_000)).toBeCloseTo(60_000, -1);
    markServerPolicyFetched(home);
    expect(serverPolicyAgeMs(home, Date.now())).toBeLessThan(5_000);
  });
});
