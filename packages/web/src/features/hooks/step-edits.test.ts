import { expect, test } from "vitest";
import type { SessionStep } from "./session-steps.ts";
import { editsOf } from "./step-edits.ts";
import { resultLine } from "./step-result.ts";

const call = (input: unknown, more: Partial<SessionStep> = {}): SessionStep => ({
  id: "a",
  kind: "call",
  position: 1,
  text: null,
  toolName: "Edit",
  input: typeof input === "string" ? input : JSON.stringify(input),
  output: null,
  state: "done",
  isAsked: false,
  reason: null,
  isOfSubagent: false,
  startedAt: null,
  durationMs: null,
  ...more,
});

test("the edits of any assistant are shown as diffs", () => {
  const edit = call({ file_path: "/a.ts", old_string: "one\ntwo", new_string: "one\n2\nthree" });
  expect(editsOf(edit)).toEqual([{ path: "/a.ts", diff: " one\n-two\n+2\n+three", added: 2, removed: 1 }]);
  expect(editsOf(call({ path: "b", edits: [{ oldString: "x", newString: "y" }, { newString: "z" }, 7] }))).toEqual([
    { path: "b", diff: "-x\n+y\n+z", added: 2, removed: 1 },
  ]);
  expect(editsOf(call({ filePath: "c", content: "new\n" }))).toMatchObject([{ path: "c", added: 2, removed: 0 }]);
  const patch = "*** Begin Patch\n*** Update File: d.ts\n@@\n-a\n+b\n*** End Patch";
  expect(editsOf(call(patch))).toEqual([{ path: "d.ts", diff: "@@\n-a\n+b", added: 1, removed: 1 }]);
  expect(editsOf(call({ command: "ls" }))).toEqual([]);
  expect(editsOf(call("{not json"))).toEqual([]);
});

test("what came of a call is said in a line", () => {
  const input = { file_path: "/a.ts", old_string: "a", new_string: "b" };
  expect(resultLine(call(input))).toBe("+1 −1");
  expect(resultLine(call(input, { state: "failed", output: "\nNo such file\nat all" }))).toBe("No such file (2 lines)");
  expect(resultLine(call({ command: "ls" }, { state: "blocked", reason: "Never", output: "x" }))).toBe("Never");
  expect(resultLine(call({ command: "ls" }, { output: "a.txt\n" }))).toBe("a.txt");
  expect(resultLine(call({ command: "ls" }, { state: "failed", output: "Exit code 2\nNo such file" }))).toBe(
    "No such file",
  );
  expect(resultLine(call({ command: "ls" }, { state: "failed", output: "Exit code 2" }))).toBe("Exit code 2");
  const failed = (output: string): string => resultLine(call({ command: "test" }, { state: "failed", output }));
  expect(failed("TAP version 13\n# fail 0\nnot ok 1 - five retries\n")).toBe("not ok 1 - five retries (3 lines)");
  expect(failed("Compiling\n0 errors so far\nsrc/a.ts(3): error TS2322")).toBe("src/a.ts(3): error TS2322 (3 lines)");
  expect(failed("<tool_use_error>File has not been read yet.</tool_use_error>")).toBe("File has not been read yet.");
  expect(resultLine(call({ command: "ls" }))).toBe("");
});

test("what assistants put around a result is left out of its line", () => {
  const line = (output: string): string => resultLine(call({ command: "touch a" }, { output }));
  for (const nothing of [
    "(Bash completed with no output)",
    "(no output)",
    "Exit code 0",
    "<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 16706\n</untrusted_context>",
  ])
    expect(line(nothing)).toBe("");
  expect(line("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\nM a.ts")).toBe("Success. (2 lines)");
  expect(line("1\tconst a = 1;\n2\t")).toBe("const a = 1; (2 lines)");
  const file =
    "<path>/a.ts</path>\n<type>file</type>\n<content>\n1: const a = 1;\n\n(End of file - total 1 lines)\n</content>";
  expect(line(file)).toBe("const a = 1;");
  expect(line("12: a match")).toBe("12: a match");
});
