import { expect, test } from "vitest";
import { findUsedMemories, marksOf } from "./memory-use.ts";

test.each([
  ["The staging port is 5433 since 2026", ["5433"]],
  ["`readFile` in src/io/read-file.ts obeys MAX_SIZE", ["readfile", "src/io/read-file.ts", "max_size"]],
  ["A well-known, case-insensitive e.g. and so on", []],
  ["Antworte auf Deutsch", []],
])("of “%s” the words that nobody uses by chance are kept", (content, marks) => {
  expect(marksOf(content)).toEqual(marks);
});

test.each([
  ["5433", "psql --port=5433", true],
  ["5433", "psql --port=15433", false],
  ["src/io.ts", "/home/ada/app/src/io.ts:12", true],
  ["src/io.ts", "/home/ada/app/src/io.tsx", false],
  ["readfile", "await readFile(path)", true],
  ["readfile", "await readFiles(path)", false],
])("%s in “%s”: %s", async (mark, text, isUsed) => {
  const watched = [{ memoryId: "m", givenAt: "2026-01-01T00:00:00.000Z", marks: [mark] }];
  expect((await findUsedMemories(watched, [{ isOwn: true, text, occurredAt: null }])).has("m")).toBe(isUsed);
});
