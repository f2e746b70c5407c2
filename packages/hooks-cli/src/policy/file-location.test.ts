import { describe, expect, test } from "vitest";
import { UNKNOWN } from "../shell/unknown.ts";
import { isBelow, isCovered, isDevice, isInsideProject, locate } from "./file-location.ts";
import { EXAMPLE_FACTS } from "./fire-rules.ts";

const CWD = "/home/user/project/src";

describe("a name", () => {
  const place = (text: string, cwd: string | undefined = CWD, facts = EXAMPLE_FACTS) =>
    locate({ text, hasGlob: false }, cwd, facts);

  test.each([
    ["a", `${CWD}/a`],
    ["", CWD],
    ["../a/", "/home/user/project/a"],
    ["/etc/hosts", "/etc/hosts"],
    ["~", "/home/user"],
    ["~/a", "/home/user/a"],
    ["~other/a", `${CWD}/~other/a`],
    ["a~", `${CWD}/a~`],
    [`a/${UNKNOWN}`, `${CWD}/a/${UNKNOWN}`],
    [`a/b${UNKNOWN}/c`, `${CWD}/a/b`],
    [`/${UNKNOWN}`, `/${UNKNOWN}`],
  ])("%j resolves to %j", (text, path) => expect(place(text)).toEqual({ kind: "known", path }));

  test("is unknown if its beginning is", () => {
    expect(place(UNKNOWN)).toEqual({ kind: "unknown" });
    expect(place(`${UNKNOWN}/a`)).toEqual({ kind: "unknown" });
    expect(place("~/a", CWD, { ...EXAMPLE_FACTS, home: undefined })).toEqual({ kind: "unknown" });
  });

  test("is unknown if its directory is, unless it is absolute", () => {
    const inUnknown = (text: string) => locate({ text, hasGlob: false }, undefined, EXAMPLE_FACTS);
    expect(inUnknown("a")).toEqual({ kind: "unknown" });
    expect(inUnknown("/a")).toEqual({ kind: "known", path: "/a" });
  });
});

test.each([
  ["/dev/null", true],
  ["/dev/fd/63", true],
  ["/dev/tcp/example.com/80", true],
  ["/dev/udp/example.com/53", true],
  ["/proc/self/fd/2", true],
  ["/proc/self/fd/10", true],
  ["/dev/sda", false],
  ["/dev/nullx", false],
  ["/dev/fd/x", false],
  ["/tmp/dev/null", false],
  ["/proc/self/fd/2/x", false],
  ["/x/proc/self/fd/2", false],
  ["/proc/self/mem", false],
])("%s is a device: %s", (path, expected) => expect(isDevice(path)).toBe(expected));

test.each([
  ["/a/b", "/a", true],
  ["/a/b/c", "/a", true],
  ["/a", "/a", false],
  ["/a/", "/a", false],
  ["/ab", "/a", false],
  ["/a", "/", true],
  ["/", "/", false],
])("%s is below %s: %s", (path, directory, expected) => expect(isBelow(path, directory)).toBe(expected));

describe("inside the project", () => {
  const links: Readonly<Record<string, string>> = {
    "/home/user/project/out": "/etc",
    "/home/user/in": "/home/user/project/src",
    "/linked/a": "/real/a",
    "/linked": "/real",
  };
  const facts = { ...EXAMPLE_FACTS, realPath: (path: string) => links[path] ?? path };

  test.each([
    ["/home/user/project/a", true],
    ["/tmp/a", true],
    ["/home/user/project", false],
    ["/tmp", false],
    ["/etc/hosts", false],
    ["/home/user/project/out", false],
    ["/home/user/in", false],
  ])("is %s: %s", (path, expected) => expect(isInsideProject(path, facts)).toBe(expected));

  test("is decided by a file's own name or by its link target", () => {
    const linked = { ...facts, projectRoot: "/linked" };
    expect(isInsideProject("/linked/a", linked)).toBe(true);
    expect(isInsideProject("/real/a", linked)).toBe(true);
  });
});

describe("globs", () => {
  test.each([
    ["/any/where/.env", [".env"], true],
    ["/any/where/.env.local", [".env"], false],
    ["/home/user/project/src/a.ts", ["src/*.ts"], true],
    ["/home/user/other/src/a.ts", ["src/*.ts"], false],
    ["/home/user/.npmrc", ["~/.npmrc"], true],
    ["/root/.npmrc", ["~/.npmrc"], false],
    ["/etc/shadow", ["/etc/*"], true],
    ["/x/etc/shadow", ["/etc/*"], false],
    ["/x/.ssh/id", ["**/.ssh/*"], true],
    ["/.ssh/id", ["**/.ssh/*"], true],
    ["/a/.env.example", [".env*", "!.env.example"], false],
    ["/a/.env.example", ["!.env.example", ".env*"], true],
    ["/a/.env.example", [".env*", "!*.example", "*.example"], true],
    ["/a/b", [], false],
  ])("match %s against %j: %s", (path, globs, expected) =>
    expect(isCovered(path, globs, EXAMPLE_FACTS)).toBe(expected),
  );

  test("with a tilde match nothing without a home", () => {
    const homeless = { ...EXAMPLE_FACTS, home: undefined };
    expect(isCovered("/home/user/.npmrc", ["~/.npmrc"], homeless)).toBe(false);
    expect(isCovered("undefined/.npmrc", ["~/.npmrc"], homeless)).toBe(false);
  });
});
