import { expect, test } from "vitest";
import { givenByPrompt, learntByRow } from "./memory-places.ts";
import type { SessionPrompt } from "./session-outline.ts";
import { promptOfTurn, runningRows, sessionRows } from "./session-rows.ts";
import type { SessionStep } from "./session-steps.ts";
import type { HookSession } from "./use-hook-session.ts";

const prompt = (id: string, more: Partial<SessionPrompt> = {}): SessionPrompt => ({
  id,
  text: id,
  isCut: false,
  isBlocked: false,
  turns: null,
  since: null,
  until: null,
  startedAt: null,
  lastAt: null,
  answer: null,
  calls: 0,
  failed: 0,
  blocked: 0,
  asked: 0,
  changes: null,
  usage: null,
  ...more,
});
const step = (id: string, more: Partial<SessionStep> = {}): SessionStep => ({
  id,
  kind: "call",
  position: null,
  text: null,
  toolName: "Bash",
  input: null,
  output: null,
  state: "done",
  isAsked: false,
  reason: null,
  isOfSubagent: false,
  startedAt: null,
  durationMs: null,
  ...more,
});

const changes = { turn: 1, root: "/p", files: [], total: 1, isCompared: true };
const one = prompt("one", { turns: { first: 1, last: 9 }, since: "2026-01-01T00:00:00.000Z", failed: 1, changes });
const two = prompt("two", { turns: { first: 10, last: 12 }, since: "2026-01-01T00:10:00.000Z" });
const steps = [
  step("a", { kind: "prompt", position: 1 }),
  step("b", { position: 2, state: "failed" }),
  step("c", { position: 4, isAsked: true, state: "blocked" }),
];
const loaded = (total: number) => ({
  pageOf: (id: string, page: number) => (id === "one" && page === 0 ? steps : undefined),
  totalOf: (id: string) => (id === "one" ? total : undefined),
});
const idsOf = (options: Partial<Parameters<typeof sessionRows>[1]>) =>
  sessionRows([one, two], {
    isUnfolded: () => false,
    steps: loaded(3),
    filter: "all",
    hasGiven: () => false,
    ...options,
  }).map(({ id }) => id);

test("prompts that are folded are a row each; below one that is not are its memories, steps, pages to load and files", () => {
  expect(idsOf({})).toEqual(["one", "two"]);
  expect(idsOf({ isUnfolded: () => true, steps: loaded(150), hasGiven: (id) => id === "one" })).toEqual([
    "one",
    "one/given",
    "one/b",
    "one/c",
    "one/page-1",
    "one/changes",
    "two",
    "two/page-0",
  ]);
});

test("a filter leaves the prompts that have such calls, and those calls", () => {
  expect(idsOf({ filter: "failed" })).toEqual(["one", "one/b"]);
  expect(idsOf({ filter: "asked" })).toEqual([]);
});

test("a turn belongs to a prompt, and what was given and learnt to the prompt and the step at the time", () => {
  expect(promptOfTurn([one, two], 9)?.id).toBe("one");
  expect(promptOfTurn([one, two], 13)).toBeUndefined();
  const given = (givenAt: string) => ({ givenAt }) as HookSession["given"][number];
  const early = given("2025-12-31T23:59:59.000Z");
  const late = given("2026-01-01T00:10:01.000Z");
  expect([...givenByPrompt([one, two], [early, late])]).toEqual([
    ["one", [early]],
    ["two", [late]],
  ]);
  const memory = (sourceTurn: number | null) => ({ sourceTurn }) as HookSession["memories"][number];
  const rows = sessionRows([one, two], {
    isUnfolded: () => true,
    steps: loaded(3),
    filter: "all",
    hasGiven: () => false,
  });
  const learnt = learntByRow(rows, [memory(3), memory(11), memory(1), memory(null)]);
  expect(Object.fromEntries([...learnt].map(([id, own]) => [id, own.map(({ sourceTurn }) => sourceTurn)]))).toEqual({
    "one/b": [3],
    two: [11],
    one: [1],
    "": [null],
  });
});

test("a call without a result runs no more once a later one has ended, unless that is a subagent's", () => {
  const rows = [
    step("patched", { state: "open" }),
    step("ended"),
    step("agent", { state: "open" }),
    step("of-agent", { isOfSubagent: true }),
    step("of-agent-open", { isOfSubagent: true, state: "open" }),
  ].map((own) => ({ kind: "step", id: own.id, prompt: one, step: own }) as const);
  expect([...runningRows(rows)].toSorted()).toEqual(["agent", "of-agent-open"]);
});
