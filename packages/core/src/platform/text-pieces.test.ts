import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeTextArray, PIECE_CHARACTERS, splitAtLines, splitUtf8 } from "./text-pieces.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", "\n", '"', "\\", "\ufeff"), maxLength: 60 });
const length = fc.integer({ min: 1, max: 20 });

describe("a text in pieces", () => {
  test("is whole again when its pieces of lines are joined by line feeds", () => {
    fc.assert(
      fc.property(text, length, (text, length) => {
        expect([...splitAtLines(text, length)].join("\n")).toBe(text);
      }),
    );
  });

  test("is divided between characters, whatever the pieces' length", () => {
    fc.assert(
      fc.property(text, length, (text, length) => {
        const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
        const pieces = [...splitUtf8(Buffer.from(text), length)];
        expect(pieces.map((piece) => decoder.decode(piece)).join("")).toBe(text);
        expect(Math.max(0, ...pieces.map((piece) => piece.byteLength))).toBeLessThan(length + 4);
      }),
    );
  });

  test("is divided as well if it is no text", () => {
    const bytes = new Uint8Array(100).fill(0x80);
    expect(Buffer.concat([...splitUtf8(bytes, 10)])).toEqual(Buffer.from(bytes));
  });
});

test("an array of texts is written as PostgreSQL reads it", async () => {
  expect(await encodeTextArray([])).toBe("{}");
  expect(await encodeTextArray(["", null, 'a"b\\c,{}', "NULL"])).toBe('{"",NULL,"a\\"b\\\\c,{}","NULL"}');
  expect(await encodeTextArray(['"'.repeat(PIECE_CHARACTERS + 1)])).toBe(`{"${'\\"'.repeat(PIECE_CHARACTERS + 1)}"}`);
});
