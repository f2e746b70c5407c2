import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ForbiddenError, InvalidInputError } from "../../platform/errors.ts";
import {
  childOf,
  depthOf,
  isVaultName,
  isWithin,
  nameOf,
  parentOf,
  parseVaultPath,
  rebase,
  temporaryName,
  VAULT_ROOT,
  writerOfTemporary,
} from "./vault-path.ts";

/** Based on the path traversal lists that scanners use. */
const OUTSIDE = [
  "..",
  "../",
  "../etc/passwd",
  "/../etc/passwd",
  "notes/../../etc/passwd",
  "notes/../a.md",
  "notes/..",
  "//etc/passwd",
  "///etc/passwd",
  "\\..\\..\\windows",
  "notes\\..\\..\\x",
  "C:",
  "C:/windows",
  "c:\\windows",
  "\\\\server\\share",
  "file:///etc/passwd",
  "http://example.com/x",
  "%2e%2e/etc/passwd",
  "%2e%2e%2fetc%2fpasswd",
  "%2E%2E%2Fetc",
  "notes/%2e%2e/%2e%2e/x",
  "%252e%252e%252fetc",
  "%25252e%25252e/x",
  "%c0%ae%c0%ae/etc",
  "%c1%9c",
  "%e0%80%ae%e0%80%ae/x",
  "%f0%80%80%ae/x",
  "%u002e%u002e/x",
  "a%5cb",
  "a%255cb",
  "a%2fb",
  "a%00b.md",
  "a%2500b.md",
  "%2ehidden",
];

const HIDDEN = [
  ".",
  "./a.md",
  "./../x",
  "....//....//etc/passwd",
  "..;/etc/passwd",
  "..\\..\\windows",
  "..%2fetc",
  "..%c0%af..%c0%afetc",
  "..%u2215etc",
  ".env",
  "notes/.git/config",
  "a/./b",
  ".workspace-x.tmp",
  "a/.b/c",
  "\u200b.workspace",
  "\ufeff.workspace/id",
  "notes/\u202e.workspace",
  "\u2066\u200f.git",
  "\u00ad.git",
  " .workspace",
  "\t\n\u00a0.workspace",
];

describe("parseVaultPath", () => {
  it.each(OUTSIDE)("rejects %j as outside the vault", (text) => {
    expect(() => parseVaultPath(text)).toThrow(new ForbiddenError("The path leads outside the vault."));
  });

  it.each(HIDDEN)("rejects %j as hidden", (text) => {
    const refusal = new ForbiddenError("Names that begin with a dot are not part of the vault.");
    expect(() => parseVaultPath(text)).toThrow(refusal);
  });

  it.each([
    ["must not contain NUL characters", "a\0b.md"],
    ["must not contain NUL characters", "\0"],
    ["names must be at most 255 bytes long", "x".repeat(256)],
    ["names must be at most 255 bytes long", `a/${"é".repeat(128)}`],
    ["must be at most 3500 bytes long", `${"x".repeat(17)}/`.repeat(195)],
  ])("rejects names that no file can have, with the field: %s", (message, text) => {
    expect(() => parseVaultPath(text)).toThrow(InvalidInputError.at("path", message));
    expect(() => parseVaultPath(text, "newPath")).toThrow(InvalidInputError.at("newPath", message));
  });

  it.each([
    ["", ""],
    ["/", ""],
    ["a.md", "a.md"],
    ["/a.md", "a.md"],
    ["/notes/", "notes"],
    ["notes//a.md", "notes/a.md"],
    ["100%.md", "100%.md"],
    ["100%25 sure.md", "100%25 sure.md"],
    ["50%ab.md", "50%ab.md"],
    ["a..b/c...d", "a..b/c...d"],
    ["with space/ü/日本語/🙂.md", "with space/ü/日本語/🙂.md"],
    ["~/x", "~/x"],
    ["notes/C:/a.md", "notes/C:/a.md"],
    ["100%uae.md", "100%uae.md"],
    ["line\nbreak", "line\nbreak"],
    [" blank.md", " blank.md"],
    ["\u200bname.md", "\u200bname.md"],
    ["\uff0eworkspace", "\uff0eworkspace"],
  ])("parses %j as %j", (text, path) => {
    expect(parseVaultPath(text)).toBe(path);
  });

  it("accepts names of 255 bytes, 200 names, and paths of 3500 bytes", () => {
    const longest = `${"x".repeat(16)}/`.repeat(199) + "x".repeat(3_500 - 199 * 17);
    expect(depthOf(parseVaultPath("a/".repeat(200)))).toBe(200);
    expect(() => parseVaultPath("a/".repeat(201))).toThrow(InvalidInputError);
    expect(depthOf(VAULT_ROOT)).toBe(0);
    expect(parseVaultPath("x".repeat(255))).toHaveLength(255);
    expect(parseVaultPath(`/${longest}/`)).toBe(longest);
  });

  it("rejects long names and paths that are encoded many times, in an instant", () => {
    const name = `%${"25".repeat(200_000)}`;
    const path = `%${"25".repeat(120)}/`.repeat(2_000);
    const start = performance.now();
    for (const text of [name, path]) expect(() => parseVaultPath(text)).toThrow(InvalidInputError);
    for (const text of [`${name}/..`, `${path}..`]) expect(() => parseVaultPath(text)).toThrow();
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it("keeps composed and decomposed names apart", () => {
    expect(parseVaultPath("é.md")).not.toBe(parseVaultPath("e\u0301.md"));
  });

  it("never accepts a name that is hidden, contains a separator or leads upwards, however it is encoded", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2f",
      "%5c",
      "%252e",
      "%c0%ae",
      "a",
      "b.md",
      "%",
      "2e",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect(readings(pieces.join("")).filter((text) => /(^|\/)\.|[\\\0]/.test(text))).toEqual([]);
      }),
    );
  });
});

/** All decodings of a path that is accepted; none for one that is rejected. */
function readings(text: string): string[] {
  const found: string[] = [];
  try {
    for (let path: string = parseVaultPath(text); !found.includes(path); path = decode(path)) found.push(path);
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof InvalidInputError)) throw error;
  }
  return found;
}

function decode(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe("path parts", () => {
  const path = parseVaultPath("notes/2026/a.md");

  it("splits and joins paths", () => {
    expect(nameOf(path)).toBe("a.md");
    expect(parentOf(path)).toBe("notes/2026");
    expect(parentOf(parseVaultPath("a.md"))).toBe(VAULT_ROOT);
    expect(childOf(VAULT_ROOT, "a.md")).toBe("a.md");
    expect(childOf(parentOf(path), "b.md")).toBe("notes/2026/b.md");
  });

  it("compares whole names to determine whether a path is within a directory", () => {
    expect(isWithin(path, parseVaultPath("notes"))).toBe(true);
    expect(isWithin(path, path)).toBe(true);
    expect(isWithin(path, parseVaultPath("note"))).toBe(false);
    expect(isWithin(path, VAULT_ROOT)).toBe(true);
  });

  it("rebases a path", () => {
    expect(rebase(path, parseVaultPath("notes"), parseVaultPath("old/notes"))).toBe("old/notes/2026/a.md");
    expect(rebase(path, path, parseVaultPath("b.md"))).toBe("b.md");
  });

  it("never begin or end with a slash", () => {
    expect(() => childOf(VAULT_ROOT, "/etc")).toThrow("not a vault path: /etc");
    expect(() => childOf(path, "")).toThrow("not a vault path: notes/2026/a.md/");
    expect(() => rebase(path, parseVaultPath("notes"), VAULT_ROOT)).toThrow("not a vault path: /2026/a.md");
  });

  it("excludes names that cannot be addressed", () => {
    expect(isVaultName("a.md")).toBe(true);
    expect(isVaultName("")).toBe(false);
    expect(isVaultName(".git")).toBe(false);
    expect(isVaultName("\u200b.git")).toBe(false);
    expect(isVaultName("a\\b")).toBe(false);
    expect(isVaultName("%2e%2e")).toBe(false);
  });
});

describe("the name of an unfinished file", () => {
  const writerId = "0196f3a0-0000-7000-8000-000000000000";
  const name = temporaryName(writerId, "12-backup");

  it("identifies the writer and is hidden", () => {
    expect(writerOfTemporary(name)).toBe(writerId);
    expect(isVaultName(name)).toBe(false);
  });

  it.each([
    `a${name}`,
    `${name}.md`,
    temporaryName("not-an-id", "1"),
    temporaryName(writerId, ""),
    temporaryName(writerId, "A b"),
  ])("is not %j", (other) => {
    expect(writerOfTemporary(other)).toBeNull();
  });
});
