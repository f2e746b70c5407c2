import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, homeAt } from "../files/home.ts";
import { claimMemories, givenFile, readGiven } from "./given-memories.ts";

let home: Home;

beforeEach(() => {
  home = homeAt(mkdtempSync(join(tmpdir(), "hooks-given-")));
});

afterEach(() => rmSync(home.root, { recursive: true, force: true }));

test("of hooks that chose the same memory, the first to claim it in a session has it", () => {
  expect([...claimMemories(home, "session", { memoryIds: ["a", "b"], subject: "src/main.ts" })]).toEqual(["a", "b"]);
  expect([...claimMemories(home, "session", { memoryIds: ["b", "c"] })]).toEqual(["c"]);
  expect([...claimMemories(home, "session", { memoryIds: ["b", "c"] })]).toEqual([]);
  expect([...claimMemories(home, "another", { memoryIds: ["b"] })]).toEqual(["b"]);
  const { memoryIds, subjects } = readGiven(givenFile(home.given, "session"));
  expect([[...memoryIds], [...subjects]]).toEqual([["a", "b", "c"], ["src/main.ts"]]);
});
