import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendText, MAX_NOTE_CHARACTERS, MAX_PART_CHARACTERS, replaceTexts, takeLines } from "./note-text.ts";

describe("takeLines", () => {
  const text = "one\ntwo\r\nthree\nfour";

  test.each([
    [1, 2, "one\ntwo\r\n", 2],
    [2, 1, "two\r\n", 2],
    [3, 10, "three\nfour", 4],
    [4, 1, "four", 4],
    [5, 1, "", 4],
  ])("takes lines from %i, %i of them", (fromLine, lineCount, content, toLine) => {
    expect(takeLines(text, { fromLine, lineCount })).toEqual({ content, toLine, totalLines: 4, isCut: false });
  });

  test("has no line of an empty text, and none after the last line break", () => {
    expect(takeLines("", { fromLine: 1, lineCount: 5 })).toMatchObject({ content: "", toLine: 0, totalLines: 0 });
    expect(takeLines("a\n", { fromLine: 1, lineCount: 5 })).toMatchObject({ content: "a\n", toLine: 1, totalLines: 1 });
  });

  test("takes only as many lines as fit into a part, and cuts one that alone does not", () => {
    const line = `${"x".repeat(999)}\n`;
    const many = takeLines(line.repeat(100), { fromLine: 2, lineCount: 100 });
    expect(many).toMatchObject({ content: line.repeat(40), toLine: 41, isCut: false });
    const long = takeLines(`${"y".repeat(MAX_PART_CHARACTERS + 1)}\nend`, { fromLine: 1, lineCount: 2 });
    expect(long).toMatchObject({ content: "y".repeat(MAX_PART_CHARACTERS), toLine: 1, totalLines: 2, isCut: true });
  });

  test("gives the whole text, part by part", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab\r\n]*$/), fc.integer({ min: 1, max: 3 }), (whole, lineCount) => {
        let read = "";
        for (let fromLine = 1; ;) {
          const part = takeLines(whole, { fromLine, lineCount });
          read += part.content;
          if (part.toLine < fromLine) break;
          fromLine = part.toLine + 1;
        }
        expect(read).toBe(whole);
      }),
    );
  });
});

describe("replaceTexts", () => {
  test("replaces what occurs once, and each occurrence if asked to, literally and in order", async () => {
    expect(await replaceTexts("a b c", [{ oldText: "b", newText: "$& x" }])).toBe("a $& x c");
    expect(await replaceTexts("a a", [{ oldText: "a", newText: "b", all: true }])).toBe("b b");
    const inOrder = [
      { oldText: "a", newText: "b" },
      { oldText: "b", newText: "c" },
    ];
    expect(await replaceTexts("a", inOrder)).toBe("c");
  });

  test.each([
    [[{ oldText: "x", newText: "y" }], "edits.0.oldText: does not occur in the note"],
    [[{ oldText: "a", newText: "y" }], "edits.0.oldText: occurs 2 times; add text around it, or set all"],
    [
      [
        { oldText: "b", newText: "y" },
        { oldText: "b", newText: "z" },
      ],
      "edits.1.oldText: does not occur in the note",
    ],
    [
      [{ oldText: "a", newText: "y".repeat(MAX_NOTE_CHARACTERS / 2), all: true }],
      "edits.0.newText: makes the note longer",
    ],
  ])("refuses %#", async (edits, message) => {
    await expect(replaceTexts("a b a", edits)).rejects.toThrow(message);
  });

  test("refuses what occurs too often to be replaced in one go", async () => {
    const all = replaceTexts("a".repeat(100_001), [{ oldText: "a", newText: "b", all: true }]);
    await expect(all).rejects.toThrow("too often to be replaced");
  });

  test("understands line breaks as the note has them", async () => {
    expect(await replaceTexts("a\r\nb\r\nc\r\n", [{ oldText: "a\nb", newText: "x\ny\nz" }])).toBe(
      "x\r\ny\r\nz\r\nc\r\n",
    );
    expect(await replaceTexts("a\r\nb", [{ oldText: "b", newText: "c\nd" }])).toBe("a\r\nc\r\nd");
    expect(await replaceTexts("a\r\nb\nc", [{ oldText: "b\nc", newText: "d\ne" }])).toBe("a\r\nd\ne");
  });
});

test("a text is not added to a note that would be too long", () => {
  expect(() => appendText("a\n", "b".repeat(MAX_NOTE_CHARACTERS))).toThrow("makes the note longer");
});

test("a text is added on lines of its own, with the line breaks of the note", () => {
  expect(appendText("", "a")).toBe("a\n");
  expect(appendText("a", "b")).toBe("a\nb\n");
  expect(appendText("a\n", "b\n")).toBe("a\nb\n");
  expect(appendText("a\r\n", "b\nc")).toBe("a\r\nb\r\nc\r\n");
});
