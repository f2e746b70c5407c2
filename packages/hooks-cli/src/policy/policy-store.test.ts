import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, homeAt } from "../files/home.ts";
import { storeServerPolicy, loadPolicy, markServerPolicyFetched, serverPolicyAgeMs } from "./policy-store.ts";

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

/** The ids of the rules in force, and the problems. */
function loaded(): { readonly ids: readonly string[]; readonly problems: readonly string[] } {
  const { policy, problems } = loadPolicy(home);
  return { ids: policy.rules.map(({ id }) => id), problems };
}

describe("the rules in force", () => {
  test("are empty if there is no file", () => {
    expect(loaded()).toEqual({ ids: [], problems: [] });
  });

  test("are the user's own, then the server's that have other names", () => {
    writeOwn(documentOf("mine", "both"));
    storeServerPolicy(home, documentOf("both", "theirs"), 1);
    expect(loaded()).toEqual({ ids: ["mine", "both", "theirs"], problems: [] });
  });

  test("follow the file", () => {
    writeOwn(documentOf("one"));
    expect(loaded().ids).toEqual(["one"]);
    expect(loaded().ids).toEqual(["one"]);
    writeOwn(documentOf("one", "two"));
    expect(loaded().ids).toEqual(["one", "two"]);
  });

  test("are not checked again by the same version of the program while the file is unchanged", () => {
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

  test("apply even if no copy of them can be stored", () => {
    mkdirSync(join(home.policies, "accepted-local.json"), { recursive: true });
    writeOwn(documentOf("one"));
    expect(loaded()).toEqual({ ids: ["one"], problems: [] });
  });
});

describe("a file that is broken", () => {
  test.each([
    ["", "policy.json could not be read (line 1, column 1: the file is empty); none of its rules apply"],
    ["{", "policy.json could not be read (line 1, column 2: close brace expected); none of its rules apply"],
    [
      "[]",
      expect.stringMatching(/^policy\.json is broken: expected an object .* \(and 1 more\); none of its rules apply$/),
    ],
    ['{"version": 2}', "policy.json is broken: version: expected 1; none of its rules apply"],
    [
      '{"version": 2, "use": {}, "rules": {}}',
      "policy.json is broken: use: expected a list (and 2 more); none of its rules apply",
    ],
  ])("as %j is reported", (text, problem) => {
    writeOwn(text);
    expect(loaded()).toEqual({ ids: [], problems: [problem] });
  });

  test("leaves its last good version in force, and the other file alone", () => {
    writeOwn(documentOf("mine"));
    storeServerPolicy(home, documentOf("theirs"), 1);
    loaded();
    for (const text of ["{", '{"version": 2}']) {
      writeOwn(text);
      const { ids, problems } = loaded();
      expect(ids).toEqual(["mine", "theirs"]);
      expect(problems).toEqual([expect.stringMatching(/^policy\.json .*; its last good version stays in force$/)]);
    }
    rmSync(home.policy);
    mkdirSync(home.policy);
    expect(loaded()).toEqual({
      ids: ["mine", "theirs"],
      problems: [
        expect.stringMatching(/^policy\.json could not be read \(EISDIR: .*\); its last good version stays in force$/),
      ],
    });
  });

  test.each(["stamp", "checkedBy", "rules"])("has no last good version if the copy lacks its %s", (name) => {
    writeOwn(documentOf("one"));
    loaded();
    const file = join(home.policies, "accepted-local.json");
    const accepted = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...accepted, [name]: null }));
    writeOwn("{");
    expect(loaded()).toMatchObject({ ids: [], problems: [expect.stringContaining("none of its rules apply")] });
  });
});

describe("the server's policy", () => {
  test("is empty if nobody has set one", () => {
    storeServerPolicy(home, {}, 0);
    expect(loaded()).toEqual({ ids: [], problems: [] });
    writeFileSync(join(home.policies, "server.json"), "garbage");
    expect(loaded()).toEqual({ ids: [], problems: [] });
  });

  test("is reported by name if it is broken", () => {
    storeServerPolicy(home, documentOf("theirs"), 1);
    loaded();
    storeServerPolicy(home, { version: 2 }, 2);
    expect(loaded()).toEqual({
      ids: ["theirs"],
      problems: ["the server's policy is broken: version: expected 1; its last good version stays in force"],
    });
  });

  test("is written once per version, unreadable for other users", () => {
    const file = join(home.policies, "server.json");
    storeServerPolicy(home, documentOf("one"), 1);
    expect(statSync(home.policies).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    storeServerPolicy(home, documentOf("two"), 1);
    expect(loaded().ids).toEqual(["one"]);
    storeServerPolicy(home, documentOf("two"), 2);
    expect(loaded().ids).toEqual(["two"]);
  });

  test("has an age since it was last fetched", () => {
    const now = Date.now();
    expect(serverPolicyAgeMs(home, now)).toBe(Number.POSITIVE_INFINITY);
    markServerPolicyFetched(home);
    const mark = join(home.policies, "fetched");
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    expect(readFileSync(mark, "utf8")).toBe("");
    utimesSync(mark, now / 1000 - 60, now / 1000 - 60);
    expect(serverPolicyAgeMs(home, now)).toBeCloseTo(60_000, -1);
    // A clock that was set back makes it old as well, rather than young forever.
    expect(serverPolicyAgeMs(home, now - 120_000)).toBeCloseTo(60_000, -1);
    markServerPolicyFetched(home);
    expect(serverPolicyAgeMs(home, Date.now())).toBeLessThan(5_000);
  });
});
