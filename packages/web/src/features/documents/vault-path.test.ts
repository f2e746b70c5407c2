import { describe, expect, it } from "vitest";
import { foldersAbove, freeName, isWithin, outermost, problemWithName, rebase, stemOf } from "./vault-path.ts";

describe("vault paths", () => {
  it("tells what is in a folder from what only begins like it", () => {
    expect(isWithin("notes/a.md", "notes")).toBe(true);
    expect(isWithin("notes-old/a.md", "notes")).toBe(false);
    expect(isWithin("a.md", "")).toBe(true);
  });

  it("carries what is in a folder along when the folder moves", () => {
    expect(rebase("a/b/c.md", "a/b", "x")).toBe("x/c.md");
    expect(rebase("a/bc.md", "a/b", "x")).toBe("a/bc.md");
  });

  it("names the folders above a path, outermost first", () => {
    expect(foldersAbove("a/b/c.md")).toEqual(["a", "a/b"]);
    expect(foldersAbove("c.md")).toEqual([]);
  });

  it("finds a name that is free", () => {
    const taken = new Set(["Note.md", "Note 2.md"]);
    expect(freeName("Note.md", (name) => taken.has(name))).toBe("Note 3.md");
    expect(freeName("Other.md", (name) => taken.has(name))).toBe("Other.md");
  });

  it("leaves a name alone that is nothing but an ending", () => {
    expect(stemOf(".md")).toBe(".md");
    expect(stemOf("archive.tar.gz")).toBe("archive.tar");
  });

  it.each(["", ".hidden", "a/b", "a\\b", "a\u0000b", "ü".repeat(200)])("refuses the name %j", (name) => {
    expect(problemWithName(name)).not.toBeNull();
  });

  it("keeps of a selection only what is not carried along by something else in it", () => {
    expect(outermost(["a", "a/b.md", "c.md", "ab.md"])).toEqual(["a", "c.md", "ab.md"]);
  });
});
