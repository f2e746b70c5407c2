import { describe, expect, it } from "vitest";
import { findWikiLinks, indexForLinks, linkTextOf, pathForNewNote, resolveLink } from "./wiki-links.ts";

const files = ["Plan.md", "work/Plan.md", "work/Budget.md", "home/garden/Roses.md", "home/photo.png"];
const index = indexForLinks(files.map((path) => ({ path })));

describe("findWikiLinks", () => {
  it("reads targets, parts, labels and embeds", () => {
    expect(findWikiLinks("See [[Plan]], [[work/Plan#Goals|the goals]] and ![[photo.png]].", 10)).toEqual([
      { from: 14, to: 22, target: "Plan", label: null, isEmbed: false },
      { from: 24, to: 53, target: "work/Plan", label: "the goals", isEmbed: false },
      { from: 58, to: 72, target: "photo.png", label: null, isEmbed: true },
    ]);
  });

  it("does not take brackets that are open, empty or over two lines for links", () => {
    expect(findWikiLinks("[[]] [[open [[a\nb]]")).toEqual([]);
  });
});

describe("resolveLink", () => {
  it.each([
    ["Plan", "work/Notes.md", "work/Plan.md"],
    ["Plan", "home/Notes.md", "Plan.md"],
    ["plan", "Notes.md", "Plan.md"],
    ["Roses", "Notes.md", "home/garden/Roses.md"],
    ["garden/Roses", "Notes.md", "home/garden/Roses.md"],
    ["../Plan", "work/Notes.md", "Plan.md"],
    ["photo.png", "Plan.md", "home/photo.png"],
  ])("%s in %s means %s", (target, from, expected) => {
    expect(resolveLink(target, from, index)?.path).toBe(expected);
  });

  it.each(["Nothing", "/Roses", "./Budget", "../../out"])("%s means nothing yet", (target) => {
    expect(resolveLink(target, "Notes.md", index)).toBeNull();
  });
});

describe("linkTextOf", () => {
  it("is the name where that is enough, and the path where it is not", () => {
    expect(linkTextOf("work/Budget.md", index)).toBe("Budget");
    expect(linkTextOf("work/Plan.md", index)).toBe("work/Plan");
    expect(linkTextOf("home/photo.png", index)).toBe("photo.png");
  });
});

describe("pathForNewNote", () => {
  it("is beside the note with the link, or where the link says", () => {
    expect(pathForNewNote("Idea", "work/Plan.md")).toBe("work/Idea.md");
    expect(pathForNewNote("home/Idea", "work/Plan.md")).toBe("home/Idea.md");
    expect(pathForNewNote("../Idea", "work/Plan.md")).toBe("Idea.md");
    expect(pathForNewNote("../../out", "work/Plan.md")).toBeNull();
  });
});
