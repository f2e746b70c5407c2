import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLargeJson } from "./large-json.ts";

const MIB = 1024 * 1024;
const MANY = 100_000;

/** Characters that are escaped or take one to four bytes. */
const CHARACTERS = ["a", '"', "\\", "\n", "\u0001", "é", "漢", "😀", "u", "/"];
const character = fc.constantFrom(...CHARACTERS);
const longText = fc
  .tuple(fc.array(character, { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 40_000 }), fc.nat(5))
  .map(([unit, count, offset]) => "-".repeat(offset) + unit.join("").repeat(count));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, longText, fc.jsonValue({ maxDepth: 2 }), tie("list"), tie("fields")),
  list: fc.array(tie("any"), { maxLength: 4 }),
  fields: fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("any"), { maxKeys: 4 }),
})).any;

/** As some clients write it: everything that can be escaped is. */
function escapeAll(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/gu, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

describe("a large JSON body", () => {
  test("is parsed like JSON.parse does", async () => {
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(0, 2), fc.boolean(), async (given, indent, isEscaped) => {
        const json = JSON.stringify(given, null, indent);
        const bytes = Buffer.from(isEscaped ? escapeAll(json) : json);
        expect(await parseLargeJson(bytes, MANY)).toStrictEqual(JSON.parse(json));
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ["a text without an end", `{"a":"${"b".repeat(5_000)}`],
    ["a text with a line break", `{"a":"${"b".repeat(5_000)}\n"}`],
    ["half an escape sequence", `{"a":"${"b".repeat(5_000)}\\u00"}`],
    ["an escape sequence that there is not", `{"a":"${"b".repeat(5_000)}\\x00"}`],
    ["something behind it", `{"a":"${"b".repeat(5_000)}"} 1`],
    ["two texts side by side", `["${"b".repeat(5_000)}" "${"b".repeat(5_000)}"]`],
    ["nothing", " "],
  ])("with %s is refused", async (_name, json) => {
    await expect(parseLargeJson(Buffer.from(json), MANY)).rejects.toThrow(SyntaxError);
  });

  test("is refused for too many values, a very long name, or too much besides its long texts", async () => {
    const refused: [object, string][] = [
      [Array.from({ length: 101 }, () => 0), "at most 100 values"],
      [{ ["n".repeat(2_000)]: 0 }, "longer than 1024 bytes"],
      [[["n".repeat(1_000)].concat(...Array.from({ length: 10_000 }, () => "b".repeat(1_000)))], "only long texts"],
    ];
    for (const [given, message] of refused) {
      await expect(parseLargeJson(Buffer.from(JSON.stringify(given)), 100)).rejects.toThrow(message);
    }
  });

  test.each(["a", '"', "\\", "\u0001", "é", "漢", "😀"])(
    "of %j repeated lets others be served in between",
    async (unit) => {
      const json = JSON.stringify({ content: unit.repeat((20 * MIB) / JSON.stringify(unit).length) });
      const bytes = Buffer.from(json);
      let [isReading, longestMs, before] = [true, 0, process.cpuUsage()];
      const measure = (): void => {
        longestMs = Math.max(longestMs, process.cpuUsage(before).user / 1_000);
        before = process.cpuUsage();
        if (isReading) setImmediate(measure);
      };
      measure();
      const read = await parseLargeJson(bytes, MANY);
      isReading = false;
      expect(JSON.stringify(read) === json).toBe(true);
      // A bound for any machine; `bench/src/largest-requests.ts` measures the actual time.
      expect(longestMs).toBeLessThan(1_000);
    },
  );
});
