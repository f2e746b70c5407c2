import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { shapeOutput } from "./shape-output.ts";

interface Item {
  name: string;
  children?: Item[] | undefined;
}

const item: z.ZodType<Item> = z.object({
  name: z.string(),
  get children() {
    return z.array(item).optional();
  },
});
const list = z.object({ data: z.array(item), nextCursor: z.string().optional() });

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.record(
    { name: fc.string(), extra: fc.constant(1), children: fc.array(tie("tree"), { maxLength: 2 }) },
    { requiredKeys: ["name"] },
  ),
}));

describe("shaping a list", () => {
  test("gives what its schema gives, however long it is and however deep the items are", async () => {
    const many = fc
      .tuple(tree, fc.integer({ min: 0, max: 1_200 }))
      .map(([first, length]) =>
        Array.from({ length }, (_, index) => (index % 100 === 0 ? first : { name: `${index}` })),
      );
    await fc.assert(
      fc.asyncProperty(many, fc.constantFrom(undefined, "next"), async (data, nextCursor) => {
        const output = { data, nextCursor, other: 1 };
        expect(JSON.stringify(await shapeOutput(list, output))).toBe(JSON.stringify(list.parse(output)));
      }),
      { numRuns: 40 },
    );
  });

  test("lets other work run in between, also within one item", async () => {
    const children = Array.from({ length: 100_000 }, (_, index) => ({ name: `${index}` }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await shapeOutput(list, { data: [{ name: "a", children: [{ name: "b", children }] }] });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  test("refuses an item deep inside that its schema refuses", async () => {
    await expect(shapeOutput(list, { data: [{ name: "a", children: [{ name: 1 }] }] })).rejects.toThrow("name");
  });
});
