import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTurns } from "./transcript-turns.ts";

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const user = { kind: "user", text: "Use tabs" };
const assistant = { kind: "assistant", text: "Done" };
const call = { kind: "tool_call", toolName: "Bash", text: '{"command":"ls"}' };
const result = { kind: "tool_result", text: "a.txt" };

describe("turns are read from", () => {
  test.each<[string, string]>([
    [
      "Claude Code",
      lines(
        { type: "summary", summary: "Earlier" },
        { type: "user", isMeta: true, message: { role: "user", content: "Caveat" } },
        { type: "user", message: { role: "user", content: "Use tabs" } },
        {
          type: "assistant",
          message: {
            id: "m",
            role: "assistant",
            content: [
              { type: "thinking", thinking: "hm" },
              { type: "text", text: "Done" },
            ],
          },
        },
        {
          type: "assistant",
          message: {
            id: "m",
            role: "assistant",
            content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }],
          },
        },
        {
          type: "user",
          message: {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "a.txt" }] }],
          },
        },
        { type: "system", content: "compacted" },
      ),
    ],
    [
      "Codex",
      lines(
        { type: "session_meta", payload: { id: "s" } },
        {
          type: "response_item",
          payload: { type: "message", role: "developer", content: [{ type: "input_text", text: "Rules" }] },
        },
        {
          type: "response_item",
          payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Use tabs" }] },
        },
        { type: "event_msg", payload: { type: "user_message", message: "Use tabs" } },
        { type: "response_item", payload: { type: "reasoning", summary: [] } },
        {
          type: "response_item",
          payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done" }] },
        },
        { type: "response_item", payload: { type: "function_call", name: "Bash", arguments: '{"command":"ls"}' } },
        { type: "response_item", payload: { type: "function_call_output", output: "a.txt" } },
      ),
    ],
    [
      "Gemini CLI",
      JSON.stringify({
        sessionId: "s",
        messages: [
          { id: "1", type: "user", content: "Use tabs" },
          {
            id: "2",
            type: "gemini",
            content: "Done",
            toolCalls: [{ name: "Bash", args: { command: "ls" }, resultDisplay: "a.txt" }],
          },
          { id: "3", type: "info", content: "Update available" },
        ],
      }),
    ],
    [
      "opencode",
      JSON.stringify({
        info: { id: "s" },
        messages: [
          { info: { role: "user" }, parts: [{ type: "text", text: "Use tabs" }] },
          {
            info: { role: "assistant" },
            parts: [
              { type: "step-start" },
              { type: "text", text: "Done" },
              { type: "tool", tool: "Bash", state: { input: { command: "ls" }, output: "a.txt" } },
            ],
          },
        ],
      }),
    ],
    [
      "Cursor",
      lines(
        { role: "user", message: { content: [{ type: "text", text: "Use tabs" }] } },
        {
          role: "assistant",
          message: {
            content: [
              { type: "text", text: "Done" },
              { type: "tool_use", name: "Bash", input: { command: "ls" } },
            ],
          },
        },
        { role: "user", message: { content: [{ type: "tool_result", content: "a.txt" }] } },
      ),
    ],
  ])("%s", async (_name, transcript) => {
    const turns = await readTurns(transcript);
    expect(turns.map(({ callId: _callId, ...turn }) => turn)).toEqual([user, assistant, call, result]);
  });

  test.each<[string, ...unknown[]]>([
    [
      "Claude Code",
      { type: "assistant", message: { content: [{ type: "tool_use", id: "1", name: "Bash", input: {} }] } },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "1", content: "a" }] } },
    ],
    [
      "Codex",
      { type: "response_item", payload: { type: "function_call", call_id: "1", name: "shell", arguments: "{}" } },
      { type: "response_item", payload: { type: "function_call_output", call_id: "1", output: "a" } },
    ],
    ["Gemini CLI", { type: "gemini", content: "", toolCalls: [{ id: "1", name: "ls", args: {}, resultDisplay: "a" }] }],
    [
      "opencode",
      {
        info: { role: "assistant" },
        parts: [{ type: "tool", callID: "1", tool: "bash", state: { input: {}, output: "a" } }],
      },
    ],
  ])("%s, with what pairs a call and its result", async (_name, ...records) => {
    expect((await readTurns(lines(...records))).map(({ callId }) => callId)).toEqual(["1", "1"]);
  });

  test("any list of messages with role and content", async () => {
    expect(
      await readTurns(
        JSON.stringify([
          { role: "user", content: "Use tabs" },
          { role: "assistant", content: "Done" },
        ]),
      ),
    ).toEqual([user, assistant]);
  });

  test("plain text", async () => {
    expect(await readTurns("We decided on PostgreSQL.\nBecause.")).toEqual([
      { kind: "user", text: "We decided on PostgreSQL.\nBecause." },
    ]);
    expect(await readTurns(" \n ")).toEqual([]);
  });

  test("what precedes an incomplete line", async () => {
    const record = { type: "user", message: { role: "user", content: "Use tabs" } };
    expect(await readTurns(`${lines(record)}\n{"type":"assistant","mess`)).toEqual([user]);
  });
});

test.each([
  ["Claude Code", { role: "user", content: [{ type: "tool_result", content: "No such file", is_error: true }] }],
  ["Codex", { type: "function_call_output", output: { content: "No such file", success: false } }],
  [
    "Codex, in text",
    { type: "function_call_output", output: "Exit code: 2\nWall time: 0 seconds\nOutput:\nNo such file" },
  ],
  [
    "Codex, in text of several lines",
    { type: "function_call_output", output: "Chunk ID: 1\nWall time: 0 s\nProcess exited with code 1\nOutput:\nNo" },
  ],
  ["Codex, in JSON", { type: "function_call_output", output: '{"output":"No","metadata":{"exit_code":2}}' }],
  [
    "Gemini CLI",
    { type: "gemini", content: "", toolCalls: [{ name: "x", args: {}, resultDisplay: "No", status: "error" }] },
  ],
  [
    "opencode",
    {
      info: { role: "assistant" },
      parts: [{ type: "tool", tool: "x", state: { input: {}, output: "No", status: "error" } }],
    },
  ],
])("the output of a tool that failed says so: %s", async (_assistant, record) => {
  const turns = await readTurns(lines(record));
  expect(turns.at(-1)).toMatchObject({ kind: "tool_result", hasFailed: true });
});

test.each([
  "Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 1\n",
  '{"output":"exit code 1","metadata":{"exit_code":0}}',
  "The page says: Exit code: 1",
])("the output of a tool that succeeded does not: %s", async (output) => {
  expect((await readTurns(lines({ type: "function_call_output", output })))[0]?.hasFailed).toBeUndefined();
});

test.each([
  [
    "Chunk ID: 12029c\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\na\nb\n",
    "a\nb\n",
  ],
  ["Exit code: 2\nWall time: 0 seconds\nOutput:\nNo such file", "No such file"],
  ["Exit code: 1\nWall time: 0 seconds\nOutput:\n", "Exit code 1"],
  ["Wall time: 3 seconds\nProcess running with session ID 7\nOutput:\n", undefined],
  ['{"output":"a","metadata":{"exit_code":0}}', "a"],
  ['{"output":"","metadata":{"exit_code":0}}', undefined],
  ['{"output": cut off', undefined],
  ["Output:\nis said by the page", undefined],
  ["Exit code: is a word\non a page", undefined],
])("the output of a tool of Codex is without what Codex says about it: %s", async (output, text = output) => {
  expect(await readTurns(lines({ type: "function_call_output", output }))).toMatchObject([{ text }]);
});

test("the output of a tool of Codex may be a list of texts", async () => {
  const output = [
    { type: "input_text", text: "Wall time: 0.2 seconds\nOutput:" },
    { type: "input_text", text: "Found" },
  ];
  expect(await readTurns(lines({ type: "function_call_output", call_id: "c", output }))).toEqual([
    { kind: "tool_result", text: "Found", callId: "c" },
  ]);
});

test("a turn has the time at which it was recorded, if there is one", async () => {
  const message = { role: "user", content: "Use tabs" };
  const timesOf = async (...records: object[]) =>
    (await readTurns(lines(...records))).map(({ occurredAt }) => occurredAt);
  expect(
    await timesOf(
      { type: "user", timestamp: "2026-05-01T08:00:00Z", message },
      { info: { role: "user", time: { created: 1_777_622_400_000 } }, parts: [{ type: "text", text: "Use tabs" }] },
      { ...message, timestamp: "yesterday" },
      { ...message, timestamp: {} },
      message,
    ),
  ).toEqual(["2026-05-01T08:00:00.000Z", "2026-05-01T08:00:00.000Z", undefined, undefined, undefined]);
});

test("a message of Gemini CLI that is recorded again with its calls appears once, whatever they returned", async () => {
  const said = { id: "1", type: "gemini", content: "I change it." };
  const told = (response: object) => [{ functionResponse: { id: "x", name: "x", response } }];
  const args = { file_path: "a.txt" };
  const toolCalls = [
    // As Gemini CLI 0.61 records them.
    { id: "c1", name: "replace", args, result: told({ output: "Modified" }), resultDisplay: { fileDiff: "-a\n+b" } },
    { id: "c2", name: "read_file", args, result: told({ output: "b" }), resultDisplay: "" },
    { id: "c3", name: "read_file", args, result: told({ error: "Blocked" }), status: "error" },
  ];
  expect(await readTurns(lines(said, { ...said, toolCalls }))).toEqual([
    { kind: "assistant", text: "I change it." },
    ...(["replace", "read_file", "read_file"] as const).flatMap((toolName, index) => [
      { kind: "tool_call", toolName, text: JSON.stringify(args), callId: `c${index + 1}` },
      {
        kind: "tool_result",
        text: ["Modified", "b", "Blocked"][index],
        callId: `c${index + 1}`,
        ...(index === 2 && { hasFailed: true }),
      },
    ]),
  ]);
});

test("an answer that was recorded while it streamed appears once, complete", async () => {
  const streamed = (text: string) => ({ type: "assistant", message: { id: "m", content: [{ type: "text", text }] } });
  const transcript = lines(
    streamed("The ans"),
    streamed("The answer"),
    streamed("The answer is 42."),
    streamed("The answer"),
  );
  expect(await readTurns(transcript)).toEqual([{ kind: "assistant", text: "The answer is 42." }]);
});

test("reading never fails, whatever the transcript", async () => {
  await fc.assert(fc.asyncProperty(fc.string(), async (text) => void (await readTurns(text))));
  await fc.assert(fc.asyncProperty(fc.array(fc.json()), async (records) => void (await readTurns(records.join("\n")))));
});

test("excessive nesting is skipped", async () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const inBlock = (block: string) => `{"type":"user","message":{"role":"user","content":[${block}]}}`;
  const results = (depth: number) =>
    `${'{"type":"tool_result","content":['.repeat(depth)}{"type":"text","text":"x"}${"]}".repeat(depth)}`;
  const transcript = [
    inBlock(`{"type":"tool_use","name":"Bash","input":${nested(100_000)}}`),
    inBlock(results(50_000)),
    inBlock('{"type":"text","text":"Use tabs"}'),
  ].join("\n");
  expect(await readTurns(transcript)).toContainEqual(user);
});
