import fc from "fast-check";
import { expect, test } from "vitest";
import { turnPositions } from "./turn-positions.ts";

const positions = (known: string, sent: string) => turnPositions(known.split(""), sent.split(""));

test.each([
  ["a new session", "", "abc", [1, 2, 3]],
  ["the same again", "abc", "abc", [1, 2, 3]],
  ["a longer one", "abc", "abcd", [1, 2, 3, 4]],
  ["its beginning again", "abc", "ab", [1, 2]],
  ["what was said twice", "aba", "abaa", [1, 2, 3, 4]],
  ["what begins with the last turns", "axbxc", "cxd", [5, 6, 7]],
  ["what begins with several of the last turns", "axbxc", "xcxd", [4, 5, 6, 7]],
  ["a part from the middle", "abcd", "bc", [2, 3]],
  ["a turn that is no longer the same", "axa", "axby", [1, 2, 4, 5]],
  ["something else", "abc", "xyz", [4, 5, 6]],
])("the positions of %s", async (_name, known, sent, expected) => {
  expect(await positions(known, sent)).toEqual(expected);
});

test("sending a session in parts, each repeated and overlapping, gives the same as sending it once", async () => {
  const session = fc.array(fc.uuid(), { minLength: 1, maxLength: 30 });
  const cuts = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(session, cuts, async (turns, ranges) => {
      let known: string[] = [];
      const send = async (part: readonly string[]) => {
        const found = await turnPositions(known, part);
        known = [...known, ...part.filter((_key, index) => (found[index] ?? 0) > known.length)];
      };
      for (const [start, length] of ranges) {
        const from = Math.min(start, known.length);
        await send(turns.slice(from, from + length));
        await send(turns.slice(from, from + length));
      }
      await send(turns);
      expect(known).toEqual(turns);
    }),
  );
});

test("a session full of the same turns takes no longer", async () => {
  const turns = Array.from({ length: 50_000 }, () => "ok");
  expect((await turnPositions(turns, [...turns, "end"])).at(-1)).toBe(50_001);
});
