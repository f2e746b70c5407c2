import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { GEMINI_HOOK_CONTEXT, TASK_NOTIFICATION } from "./support/recorded-events.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

/** What real assistants sent, handled as it must be. */

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.configure(server.url);
});

afterEach(async () => {
  await server.close();
  home.close();
});

test("of a prompt, only what a person wrote is judged and recorded", async () => {
  home.setPolicy({
    version: 1,
    rules: [{ id: "code", decision: "deny", reason: "No code words.", when: { prompt: "HERON-[0-9]+" } }],
  });
  const stdin = (prompt: string) => ({
    stdin: JSON.stringify({ session_id: "session-1", cwd: home.project, hook_event_name: "BeforeAgent", prompt }),
  });
  const asGemini = (prompt: string) => home.run(["run", "BeforeAgent", "--for", "gemini-cli"], stdin(prompt));
  const ended = await home.hook("UserPromptSubmit", { prompt: TASK_NOTIFICATION });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect((await asGemini(`${GEMINI_HOOK_CONTEXT}How are invoices sent?`)).exitCode).toBe(0);
  expect((await asGemini(`${GEMINI_HOOK_CONTEXT}Ask HERON-1.`)).exitCode).toBe(2);
  expect((await home.hook("UserPromptSubmit", { prompt: `${TASK_NOTIFICATION}\nAsk HERON-2.` })).exitCode).toBe(2);
  await home.run(["flush"]);
  const prompts = [...server.events.values()].map(({ eventData }) => (eventData as { prompt: string }).prompt);
  expect(prompts.toSorted()).toEqual(["Ask HERON-1.", "Ask HERON-2.", "How are invoices sent?"]);
});
