import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateLargeParts, toJsonPieces } from "./json-pieces.ts";

const longText = fc
  .tuple(fc.constantFrom("a", "\u0001", "é😀", '"\\'), fc.integer({ min: 140_000, max: 200_000 }))
  .map(([unit, count]) => unit.repeat(count));
const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.date({ noInvalidDate: true }));
const item = fc.dictionary(fc.string(), field, { maxKeys: 4 });
const longList = fc
  .tuple(item, fc.integer({ min: 101, max: 400 }))
  .map(([first, length]) => Array.from({ length }, (_, index) => (index % 7 === 0 ? { index } : first)));

describe("the pieces of a response", () => {
  test("are the output of JSON.stringify", async () => {
    const data = fc.oneof(
      longText,
      longList,
      fc.record({ title: field, content: longText, list: longList, none: fc.constant(undefined) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.record({ data, nextCursor: fc.option(fc.string(), { nil: undefined }) }), async (body) => {
        expect(estimateLargeParts(body)).toBeGreaterThan(0);
        const text = Buffer.concat(await toJsonPieces(body)).toString();
        expect(text === JSON.stringify(body)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("are short if the list is long", async () => {
    const data = Array.from({ length: 2_000 }, () => ({ description: '"'.repeat(5_000) }));
    const pieces = await toJsonPieces({ data });
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  });

  test("are not used for values without long texts or lists", () => {
    expect(estimateLargeParts({ data: { title: "a", tags: Array.from({ length: 100 }, () => "tag") } })).toBe(0);
    expect(estimateLargeParts({ data: [{ title: "a" }], nextCursor: "b" })).toBe(0);
  });
});
