import { describe, expect, it } from "vitest";
import { findWikiLinks } from "./wiki-links.ts";

describe("findWikiLinks", () => {
  it("reads targets, parts, labels and embeds", () => {
    expect(findWikiLinks("See [[Plan]], [[work/Plan#Goals|the goals]] and ![[photo.png]].", 10)).toEqual([
      { from: 14, to: 22, target: "Plan", part: "", label: null, isEmbed: false },
      { from: 24, to: 53, target: "work/Plan", part: "#Goals", label: "the goals", isEmbed: false },
      { from: 58, to: 72, target: "photo.png", part: "", label: null, isEmbed: true },
    ]);
  });

  it("reads links in tables, where the bar is escaped", () => {
    expect(findWikiLinks("| [[Plan\\|p]] | [[Plan#Goals\\|g]] |")).toMatchObject([
      { target: "Plan", part: "", label: "p" },
      { target: "Plan", part: "#Goals", label: "g" },
    ]);
  });

  it("ignores brackets that are unclosed, empty or span two lines", () => {
    expect(findWikiLinks("[[]] [[open [[a\nb]]")).toEqual([]);
  });
});
