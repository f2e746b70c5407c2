import { expect, it } from "vitest";
import { changesByTurn, undoCommand } from "./turn-changes.ts";

function event(eventType: "UserPromptSubmit" | "PostToolUse", eventData: Record<string, unknown>) {
  return { eventType, eventData, projectDir: "/home/ada/app" };
}

const FIRST = event("UserPromptSubmit", { prompt: "Add  limits", turn: { number: 1 } });
const EDIT = event("PostToolUse", {
  turn: { number: 1 },
  writtenLines: { root: "/home/ada/app", files: [{ path: "src/a.ts", lines: "" }] },
});
const SECOND = event("UserPromptSubmit", { prompt: "Test them", turn: { number: 2 } });
const changed = {
  turn: 1,
  root: "/home/ada/app",
  total: 3,
  files: [
    { path: "src/a.ts", change: "changed" },
    { path: "src/it's b.ts", change: "added" },
  ],
};

it("knows the files that tools edited, until the project has been compared", () => {
  const turn = { turn: 1, prompt: "Add limits", root: "/home/ada/app" };
  expect(changesByTurn([FIRST, EDIT, EDIT])).toEqual([
    { ...turn, files: [{ path: "src/a.ts", change: "changed" }], total: 1, isCompared: false },
  ]);
  const after = event("PostToolUse", { turn: { number: 2, changed } });
  expect(changesByTurn([FIRST, EDIT, SECOND, after])).toEqual([
    { ...turn, files: changed.files, total: 3, isCompared: true },
  ]);
});

it("ignores events of hooks that record no turns, and what is none", () => {
  const odd = event("PostToolUse", { turn: { number: "1", changed: 7 } });
  expect(changesByTurn([event("UserPromptSubmit", { prompt: "Hi" }), odd, { ...odd, eventData: null }])).toEqual([]);
});

it("names a turn and a file for any shell", () => {
  const turn = { turn: 2, prompt: "", root: "/home/ada/my app", files: [], total: 0, isCompared: true };
  expect(undoCommand("0d3f-6c1a", turn)).toBe(
    "cd '/home/ada/my app' && workspace-hooks undo --session 0d3f-6c1a --turn 2",
  );
  expect(undoCommand("$(x)", { ...turn, root: undefined }, "src/it's b.ts")).toBe(
    String.raw`workspace-hooks undo --session '$(x)' --turn 2 --file 'src/it'\''s b.ts'`,
  );
  expect(undoCommand("0d3f", { ...turn, root: undefined }, "\u{1b}[201~\nit's\u{9b}\\")).toBe(
    String.raw`workspace-hooks undo --session 0d3f --turn 2 --file $'\x1b[201~\x0ait\x27s\xc2\x9b\x5c'`,
  );
});
