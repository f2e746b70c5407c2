import { describe, expect, test } from "vitest";
import { renameTag } from "./tag-rename.ts";
import { findTextTags } from "./text-tags.ts";

describe("tags in a text", () => {
  test.each([
    ["#garden and #garden/roses, (#Birds) **#bold** | #cell |", ["garden", "garden/roses", "Birds", "bold", "cell"]],
    ["> #quoted\n- [ ] #todo\n# Title #titled", ["quoted", "todo", "titled"]],
    ["#größe #日本 #a-b_c #2026/11 #y2k #🌱", ["größe", "日本", "a-b_c", "y2k", "🌱"]],
    ["Each once: #Garden #garden #GARDEN", ["Garden"]],
    ["#cafe #facade #bad, but no colours: #fff #FFFFFF #1e90ff #f00 #0af8", ["cafe", "facade", "bad"]],
    ["no numbers: #1 #2026 #1-2", []],
    ["no headings: # Title\n##Two ## three", []],
    ["not in words: a#b c#, &#35; \\#escaped", []],
    ["not in code: `#code` ``#a ` #b``\n\n```\n#fenced\n```\n\n    #indented\n", []],
    ["not in addresses: https://example.com/a#part (https://example.com/(#part) www.example.com/#x", []],
    ["not in links: [#label](a.md#part) [[Note#Part]] [[#Part]] [x](#part)\n\n[ref]: #part", []],
    ["not in comments: <!-- #hidden --> and [^1]: #noted", ["noted"]],
    ["not in labels that go on: [see #label\nfurther\ndown](a.md)\n\nText", []],
    ["#before a block\n\n[#label](a.md) `#code`", ["before"]],
    ["#trailing/ #a//b #/c", ["trailing", "a"]],
  ])("%s", (text, tags) => expect(findTextTags(text)).toEqual(tags));

  test("are at most a hundred, each of at most a hundred characters", () => {
    const many = Array.from({ length: 150 }, (_, index) => `#tag${index}`).join(" ");
    expect(findTextTags(many)).toHaveLength(100);
    expect(findTextTags(`#${"a".repeat(100)} #${"b".repeat(101)}`)).toEqual(["a".repeat(100)]);
  });
});

describe("renaming a tag", () => {
  const rename = (text: string, from = "bird", to = "animal/bird") => renameTag(text, { from, to }, 1024 * 1024);

  test("changes it and what is nested in it, in frontmatter and text, and nothing else", () => {
    const before =
      "---\ntitle: x # kept\ntags: [Bird, bird/heron, birdcage]\n---\r\n#bird #Bird/heron `#bird` #birdcage a#bird\r\n";
    expect(rename(before)).toEqual({
      text: before
        .replace("[Bird, bird/heron, birdcage]", "[animal/bird, animal/bird/heron, birdcage]")
        .replace("#bird #Bird/heron", "#animal/bird #animal/bird/heron"),
      count: 4,
    });
  });

  test("joins it with one that exists", () => {
    expect(rename("---\ntags: [a, b]\n---\n#a #b\n", "a", "b")).toEqual({
      text: "---\ntags: [b]\n---\n#b #b\n",
      count: 2,
    });
  });

  test("leaves a note without it as it is", () => {
    const text = "---\ntags:   [ birds ]\n---\n#birds\n";
    expect(rename(text)).toEqual({ text, count: 0 });
  });
});
