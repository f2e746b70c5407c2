import { expect, test } from "vitest";
import { callsInLine, toHookInput } from "./transcript-calls.ts";

const LINE = { type: "user", uuid: "u-1", timestamp: "2026-11-23T10:00:00.000Z", cwd: "/p", sessionId: "s" };

function resultOf(content: unknown, more: object = {}, isError = true) {
  const block = { type: "tool_result", tool_use_id: "toolu_1", content, is_error: isError };
  return callsInLine(JSON.stringify({ ...LINE, message: { role: "user", content: [block] }, ...more })).results[0];
}

// As Claude Code 2.1.330 and 2.1.197 recorded them.
test.each([
  ["a hook", "PreToolUse:Bash hook error: [node run PreToolUse]: Forbidden.", {}],
  ["a person", "Not now.", { toolDenialKind: "user-rejected" }],
  ["a rule that asked, before 2.1.330", "Migrations are for people. (rule ask-migrations, on: rm m/1.sql)", {}],
  ["missing permission", "Claude requested permissions to use WebFetch, but you haven't granted it yet.", {}],
  ["the check of the input", "<tool_use_error>InputValidationError: Read failed</tool_use_error>", {}],
])("a call refused by %s ran no tool", (_who, content, more) => {
  expect(resultOf(content, more)?.isRefused).toBe(true);
});

test("a tool that failed did run", () => {
  const result = resultOf("Exit code 2\nls: cannot access '/nope'", { toolUseResult: "Error: Exit code 2" });
  expect(result).toMatchObject({ isRefused: false, error: "Exit code 2\nls: cannot access '/nope'" });
});

test("a result is what a hook after the tool was given, also in a subagent", () => {
  const call = { useId: "toolu_1", name: "Bash", input: { command: "ls" } };
  const result = resultOf([{ type: "text", text: "a.txt" }], { agentId: "a-1" }, false);
  if (result === undefined) throw new Error("There is a result.");
  expect(toHookInput(call, result, { sessionId: "s", transcriptPath: "/t" })).toMatchObject({
    event: "PostToolUse",
    cwd: "/p",
    agentId: "a-1",
    tool: { name: "Bash", input: { command: "ls" }, useId: "toolu_1" },
  });
});

test.each(["", "{broken", '{"type":"user","message":{"content":"a \\"tool_result\\" in a prompt"}}', '{"tool_use":1}'])(
  "a line with no call: %s",
  (line) => {
    expect(callsInLine(line)).toMatchObject({ started: [], results: [] });
  },
);
