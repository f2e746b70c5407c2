import { describe, expect, test } from "vitest";
import { LocalIndex, MAX_INDEX_BYTES, createIndex } from "./local-index.ts";
import type { Memory } from "./memory.ts";
import { rankLocally } from "./rank-locally.ts";

function memories(...contents: string[]): Memory[] {
  return contents.map((content, index) => ({ id: `${index}`, chunkType: "fact", content, createdAt: "2026-01-01" }));
}

function indexOf(...contents: string[]): LocalIndex {
  const index = LocalIndex.parse(Buffer.from(createIndex("project", memories(...contents))), "project");
  if (index === undefined) throw new Error("no index");
  return index;
}

const FILLER = Array.from({ length: 30 }, (_, index) => `Button number ${index} of the toolbar has a blue border.`);

function found(prompt: string, ...contents: string[]): string[] {
  const index = indexOf(...contents, ...FILLER);
  return rankLocally(index, prompt, () => true, 5).map(({ content }) => content);
}

describe("what is found", () => {
  test.each([
    ["other forms of the words", "How are invoices sent to a customer?", "Customers are sent one invoice a month."],
    ["an identifier", "Why is `parseConfig` slow?", "parseConfig reads the file twice."],
    ["the parts of an identifier", "Where do we parse the config?", "readAndParseConfig is in src/config.ts."],
    ["a path", "Fix src/hook/run-hook.ts, please", "Look out in src/hook/run-hook.ts: the order matters."],
    ["the end of a path", "Please fix run-hook.ts", "packages/cli/src/hook/run-hook.ts:120 must stay synchronous."],
    ["a script without spaces", "登录页面有问题", "登录页面使用旧的样式"],
  ])("has %s", (_what, prompt, content) => {
    expect(found(prompt, content)).toEqual([content]);
  });

  test("is nothing if only one word or only common ones are shared", () => {
    expect(found("Write a poem about a blue sea", "The release goes out on Tuesdays.")).toEqual([]);
    expect(found("What should I do with the number?", "The release goes out on Tuesdays.")).toEqual([]);
    expect(found("Why does my loop end at 40,000?", "The importer reads 40,000 rows.")).toEqual([]);
  });

  test("begins with the best, and leaves out what is much worse", () => {
    const contents = [
      "The nightly backup of the database runs at two.",
      "Backups of the database are encrypted with age before they leave the machine.",
      "A database is needed.",
    ];
    expect(found("Which tool encrypts the backups of our database?", ...contents)[0]).toBe(contents[1]);
    expect(found("Which tool encrypts the backups of our database?", ...contents)).not.toContain(contents[2]);
  });

  test("is nothing without one that is relevant itself", () => {
    const relevant =
      "Releases happen on Thursdays, after a long and careful look at everything that was merged since the last.";
    const index = indexOf(relevant, "Thursdays, every Thursday.", ...FILLER);
    const prompt = "Why releases on Thursdays?";
    expect(rankLocally(index, prompt, () => true, 5)).toHaveLength(2);
    expect(rankLocally(index, prompt, ({ content }) => content !== relevant, 5)).toEqual([]);
  });

  test("does not depend on what the words of a prompt could mean in a file", () => {
    for (const prompt of ["#0 #1", "\n\t\n", "… \u0000", "constructor __proto__ toString", '{"version":1} lengths'])
      expect(found(prompt, "The release goes out on Tuesdays.")).toEqual([]);
  });
});

test("an index has at most a megabyte, and the best memories", () => {
  const contents = Array.from({ length: 2_000 }, (_, at) => `Memory ${at}. ${`word${at} and more of it `.repeat(100)}`);
  const text = createIndex("project", memories(...contents));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_INDEX_BYTES);
  expect(LocalIndex.parse(Buffer.from(text), "project")?.memory(0)?.content).toContain("Memory 0.");
});

test("bytes that are not the project's index are none", () => {
  const text = createIndex("project", memories("A fact."));
  for (const bytes of ["", "{", "{}\n", text.replace('"version":1', '"version":2')])
    expect(LocalIndex.parse(Buffer.from(bytes), "project")).toBeUndefined();
  expect(LocalIndex.parse(Buffer.from(text), "another")).toBeUndefined();
  expect(LocalIndex.parse(Buffer.from(createIndex("project", [])), "project")?.find("fact")).toEqual([]);
});
