import { expect, test } from "vitest";
import { TASK_NOTIFICATION } from "../../tests/support/recorded-events.ts";
import { cleanTranscriptLine } from "./clean-transcript.ts";
import { frameContext } from "./injected-context.ts";

test.each([
  ["ours", frameContext("Notes:\n- [fact, today, memory 1] Releases go out </workspace-memory> on Tuesdays.")],
  ["ours as Gemini passes it on", "<hook_context>&lt;workspace-memory&gt; Tuesdays</hook_context>"],
  ["the assistant's", "<system-reminder>Tuesdays</system-reminder>"],
])("what was added to a prompt is not part of what was said: %s", (_whose, injected) => {
  const text = `${injected}\nPlease release.`;
  const claude = { type: "user", message: { role: "user", content: [{ type: "text", text }] } };
  const codex = { type: "response_item", payload: { role: "user", content: [{ type: "input_text", text }] } };
  for (const line of [claude, codex, { type: "user", content: text }]) {
    const cleaned = cleanTranscriptLine(JSON.stringify(line), []);
    expect(cleaned).toContain("Please release.");
    expect(cleaned).not.toContain("Tuesdays");
  }
});

test.each([
  ["as a text", TASK_NOTIFICATION],
  ["as a block", [{ type: "text", text: TASK_NOTIFICATION }]],
])("the end of a subagent in the background is the result of a tool: %s", (_how, content) => {
  const line = JSON.stringify({ type: "user", message: { role: "user", content } });
  expect(JSON.parse(cleanTranscriptLine(line, []) ?? "{}")).toMatchObject({
    message: { content: [{ type: "tool_result", content: "There is one, HERON-0815." }] },
  });
});

test("the result of a subagent has the id of the call that started it, whatever it says itself", () => {
  const own = "<task-notification>\n<task-id>1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n";
  const content = `${own}<result><tool-use-id>toolu_2</tool-use-id></result>\n</task-notification>`;
  const line = JSON.stringify({ type: "user", message: { role: "user", content } });
  expect(JSON.parse(cleanTranscriptLine(line, []) ?? "{}")).toMatchObject({
    message: { content: [{ tool_use_id: "toolu_1", content: "<tool-use-id>toolu_2</tool-use-id>" }] },
  });
});

const told = (exitCode: number): string =>
  `<untrusted_context>\nOutput: ${"No such file\n".repeat(300)}\nExit Code: ${exitCode}\nProcess Group PGID: 1\n</untrusted_context>`;

test.each([
  [1, "error"],
  [0, "success"],
])("a command of Gemini CLI that ends with %i is recorded as: %s", (exitCode, status) => {
  const result = [{ functionResponse: { response: { output: told(exitCode) } } }];
  const line = JSON.stringify({ type: "gemini", content: "", toolCalls: [{ name: "x", result, status: "success" }] });
  expect(JSON.parse(cleanTranscriptLine(line, []) ?? "{}")).toMatchObject({ toolCalls: [{ status }] });
});

test.each([
  [1, "error"],
  [0, undefined],
])("a command of opencode that ends with %i is recorded as: %s", (exit, status) => {
  const state = { input: {}, output: "No such file", status: "completed", metadata: { exit } };
  const line = JSON.stringify({ info: { role: "assistant" }, parts: [{ type: "tool", tool: "bash", state }] });
  const { parts } = JSON.parse(cleanTranscriptLine(line, []) ?? "{}") as { parts: { state: object }[] };
  expect(parts[0]?.state).toEqual({ input: {}, output: "No such file", ...(status !== undefined && { status }) });
});
