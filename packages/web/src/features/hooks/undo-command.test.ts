import { expect, it } from "vitest";
import { undoCommand } from "./undo-command.ts";

it("names a turn and a file for any shell", () => {
  const turn = { turn: 2, root: "/home/ada/my app" };
  expect(undoCommand("0d3f-6c1a", turn)).toBe(
    "cd '/home/ada/my app' && workspace-hooks undo --session 0d3f-6c1a --turn 2",
  );
  expect(undoCommand("$(x)", { ...turn, root: null }, "src/it's b.ts")).toBe(
    String.raw`workspace-hooks undo --session '$(x)' --turn 2 --file 'src/it'\''s b.ts'`,
  );
  expect(undoCommand("0d3f", { ...turn, root: null }, "\u{1b}[201~\nit's\u{9b}\\")).toBe(
    String.raw`workspace-hooks undo --session 0d3f --turn 2 --file $'\x1b[201~\x0ait\x27s\xc2\x9b\x5c'`,
  );
});
