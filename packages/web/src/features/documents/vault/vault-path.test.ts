import { describe, expect, it } from "vitest";
import {
  foldersAbove,
  freeName,
  isWithin,
  nameFromTyped,
  outermost,
  problemWithName,
  rebase,
  stemOf,
} from "./vault-path.ts";

describe("vault paths", () => {
  it.each([
    ["Plan", "Journey.md", "Plan.md"],
    [" Plan.md ", "Journey.md", "Plan.md"],
    ["Plan.MD", "Journey.md", "Plan.md"],
    ["Plan.txt", "Journey.markdown", "Plan.txt.markdown"],
    ["Plan.md", "Plan.md.md", "Plan.md.md"],
  ])("keeps the extension that is not shown once: %s typed for %s is %s", (typed, name, expected) => {
    expect(nameFromTyped(typed, name)).toBe(expected);
  });

  it("distinguishes paths in a folder from paths that only share its prefix", () => {
    expect(isWithin("notes/a.md", "notes")).toBe(true);
    expect(isWithin("notes-old/a.md", "notes")).toBe(false);
    expect(isWithin("a.md", "")).toBe(true);
  });

  it("moves a folder's contents along with it", () => {
    expect(rebase("a/b/c.md", "a/b", "x")).toBe("x/c.md");
    expect(rebase("a/bc.md", "a/b", "x")).toBe("a/bc.md");
  });

  it("lists the folders above a path, outermost first", () => {
    expect(foldersAbove("a/b/c.md")).toEqual(["a", "a/b"]);
    expect(foldersAbove("c.md")).toEqual([]);
  });

  it("finds an unused name", () => {
    const taken = new Set(["Note.md", "Note 2.md"]);
    expect(freeName("Note.md", (name) => taken.has(name))).toBe("Note 3.md");
    expect(freeName("Other.md", (name) => taken.has(name))).toBe("Other.md");
  });

  it("leaves a name alone that consists of an extension only", () => {
    expect(stemOf(".md")).toBe(".md");
    expect(stemOf("archive.tar.gz")).toBe("archive.tar");
  });

  it.each(["", ".hidden", "a/b", "a\\b", "a\u0000b", "ü".repeat(200)])("rejects the name %j", (name) => {
    expect(problemWithName(name)).not.toBeNull();
  });

  it("drops paths that lie within another selected path", () => {
    expect(outermost(["a", "a/b.md", "c.md", "ab.md"])).toEqual(["a", "c.md", "ab.md"]);
  });
});
