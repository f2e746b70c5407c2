import { expect, test } from "vitest";
import { type LineTouch, rankSessions } from "./session-ranking.ts";

let minute = 0;
const touch = (sessionId: string, keys: readonly number[], over: Partial<LineTouch> = {}): LineTouch => {
  minute += 1;
  return { sessionId, keys, touchedAt: `2026-06-01T12:${minute + 9}`, isWhole: false, isElsewhere: false, ...over };
};
const ranked = (keys: readonly number[], touches: readonly LineTouch[]) =>
  rankSessions(keys, touches).map(({ sessionId, role, lines }) => `${sessionId} ${role} ${lines}`);

test("the session that wrote most of the lines is first, those that only changed the file are last, latest first", () => {
  const touches = [touch("most", [1, 2, 3]), touch("one", [4]), touch("early", []), touch("late", [])];
  expect(ranked([1, 2, 3, 4], touches)).toEqual([
    "most wrote 3",
    "one wrote 1",
    "late changed_file 0",
    "early changed_file 0",
  ]);
});

test("a line goes back to the last session that added it, and whoever wrote it before follows", () => {
  expect(ranked([1], [touch("first", [1]), touch("last", [1]), touch("other", [])])).toEqual([
    "last wrote 1",
    "first wrote_before 1",
    "other changed_file 0",
  ]);
});

test("a session that wrote the whole file again did not write the lines that were in it", () => {
  const touches = [touch("added", [1, 2]), touch("rewrote", [1, 2, 3], { isWhole: true })];
  expect(ranked([1, 2], touches)).toEqual(["added wrote 2", "rewrote wrote_before 2"]);
  expect(ranked([3], touches)).toEqual(["rewrote wrote 1", "added changed_file 0"]);
});

test("a line of a file that was only written as a whole goes back to whoever added it to another file", () => {
  const touches = [
    touch("added", [1], { isElsewhere: true }),
    touch("renamed", [1, 2], { isWhole: true }),
    touch("again", [1, 2], { isWhole: true }),
  ];
  expect(ranked([1], touches)).toEqual(["added wrote_elsewhere 1", "renamed wrote_before 1", "again wrote_before 1"]);
  expect(ranked([2], touches)).toEqual(["renamed wrote 1", "again wrote_before 1"]);
});

test("of those who wrote a line before, the first comes before the others", () => {
  const touches = ["first", "second", "third", "last"].map((session) => touch(session, [1]));
  expect(ranked([1], touches).slice(0, 2)).toEqual(["last wrote 1", "first wrote_before 1"]);
});

test("a line that many sessions wrote counts less than one that is rare", () => {
  const touches = [touch("rare", [1]), ...["a", "b", "c"].map((session) => touch(session, [2, 3]))];
  expect(ranked([1, 2, 3], touches)[0]).toBe("rare wrote 1");
});

test("who wrote lines in another file follows whoever moved them, and is first if nobody is known to have", () => {
  const source = touch("source", [1, 2], { isElsewhere: true });
  expect(ranked([1, 2], [source, touch("moved", [1, 2])])).toEqual(["moved wrote 2", "source wrote_elsewhere 2"]);
  expect(ranked([1, 2], [source, touch("other", [])])).toEqual(["source wrote_elsewhere 2", "other changed_file 0"]);
});
