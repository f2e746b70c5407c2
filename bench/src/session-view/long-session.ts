const PROMPTS = 200;
const CALLS_PER_PROMPT = 15;
/** So much a call returns, of which the server keeps the beginning and the end. */
const OUTPUT_CHARACTERS = 6_000;
const PROJECT = "/home/ada/code/shop";
const CALL_MS = 4_000;
const MAX_CALL_MS = 2_800;

const ASKED = [
  "The webhook retries hammer the partner. Make them back off.",
  "Why does the checkout test fail on Mondays only? Find out, and say what you would change before you change it.",
  "Yes, do that.",
  "Move the image pipeline to AVIF.\n\n- hero images first\n- thumbnails when those are done\n- keep the old files until Friday",
  "The build takes four minutes. Where does the time go?",
];
const SAID = [
  "Let me look at how that works now, before I change anything.",
  "There are two places: `src/webhooks/retry.ts` retries every second, and the queue retries what failed there.\n\n1. Exponential backoff with full jitter.\n2. Five attempts.\n3. Then the dead letter queue.",
  "The tests pass:\n\n```\n ✓ src/webhooks/retry.test.ts (40 tests)\n```\n\nNothing else uses the old constant.",
];

type Json = Readonly<Record<string, unknown>>;

/** The transcript of a long session, as Claude Code writes it, and its events, as the hooks send them. */
export function longSession(sessionId: string): { transcript: string; events: Json[] } {
  const lines: string[] = [];
  const events: Json[] = [];
  let now = Date.now() - (PROMPTS + 1) * (CALLS_PER_PROMPT + 4) * (CALL_MS + MAX_CALL_MS);
  const common = { sessionId, projectDir: PROJECT, hookScript: "workspace-hooks hook" };
  const event = (eventType: string, eventData: Json, more: Json = {}) =>
    events.push({ ...common, ...more, eventType, occurredAt: new Date(now).toISOString(), eventData });
  const line = (type: "user" | "assistant", content: unknown) =>
    lines.push(JSON.stringify({ type, timestamp: new Date(now).toISOString(), message: { role: type, content } }));
  event("SessionStart", { source: "startup", harness: "claude-code", harnessVersion: "2.1.330" });
  for (let prompt = 0; prompt < PROMPTS; prompt += 1) {
    now += CALL_MS;
    const text = ASKED[prompt % ASKED.length] ?? "";
    const changed = {
      turn: prompt,
      root: PROJECT,
      total: 1,
      files: [{ path: `src/module-${prompt - 1}.ts`, change: "changed" }],
    };
    event("UserPromptSubmit", { prompt: text, turn: { number: prompt + 1, ...(prompt > 0 && { changed }) } });
    line("user", text);
    line("assistant", [{ type: "text", text: SAID[prompt % 2] }]);
    for (let call = 0; call < CALLS_PER_PROMPT; call += 1) {
      now += CALL_MS;
      const id = `toolu_${prompt}_${call}`;
      const { name, input, output } = callOf(prompt, call);
      const data = { toolInput: input, toolUseId: id, harness: "claude-code", turn: { number: prompt + 1 } };
      const isBlocked = prompt % 25 === 3 && call === 7;
      const hasFailed = prompt % 10 === 4 && call === 9;
      line("assistant", [{ type: "tool_use", id, name, input }]);
      const policy = { decision: isBlocked ? "block" : "ask", rules: [] };
      event(
        "PreToolUse",
        { ...data, ...((isBlocked || prompt % 50 === 5) && { policy }) },
        {
          toolName: name,
          ...(isBlocked && { blocked: true, exitCode: 2, blockReason: "Force pushes to main are not allowed." }),
        },
      );
      now += 300 + ((call * 977) % (MAX_CALL_MS - 300));
      if (!isBlocked)
        event(
          hasFailed ? "PostToolUseFailure" : "PostToolUse",
          { ...data, ...(hasFailed && { error: "Exit code 1" }) },
          { toolName: name },
        );
      const content = isBlocked
        ? "PreToolUse:Bash hook error: not allowed"
        : hasFailed
          ? "Exit code 1\nTypeError: x is not a function"
          : output;
      line("user", [
        { type: "tool_result", tool_use_id: id, content, ...((isBlocked || hasFailed) && { is_error: true }) },
      ]);
    }
    now += CALL_MS;
    line("assistant", [{ type: "text", text: SAID[2] }]);
  }
  now += CALL_MS;
  event("SessionEnd", { source: "exit" });
  return { transcript: lines.join("\n"), events };
}

function callOf(prompt: number, call: number): { name: string; input: Json; output: string } {
  const path = `${PROJECT}/src/module-${prompt}.ts`;
  const output = "export const value = compute(input); // a line of a file\n".repeat(OUTPUT_CHARACTERS / 55);
  switch (call % 5) {
    case 0:
      return { name: "Read", input: { file_path: path }, output };
    case 1:
      return { name: "Grep", input: { pattern: `retry.*${call}`, path: "src" }, output };
    case 2: {
      const before = Array.from({ length: 12 }, (_, index) => `const line${index} = ${call};`);
      const after = before.map((text, index) => (index % 4 === 2 ? `${text} // changed` : text));
      const input = { file_path: path, old_string: before.join("\n"), new_string: [...after, "export {};"].join("\n") };
      return { name: "Edit", input, output: `The file ${path} has been updated.\n${output}` };
    }
    case 3:
      return { name: "mcp__workspace__tasks_list", input: { status: "todo", limit: call }, output };
    default:
      return {
        name: "Bash",
        input: { command: `pnpm vitest run src/module-${prompt}`, description: "Run the tests" },
        output,
      };
  }
}
