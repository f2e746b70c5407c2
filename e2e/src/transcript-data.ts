import type { ApiClient } from "./api-client.ts";
import { SESSION_ID } from "./assistant-data.ts";
import type { TestServer } from "./server-process.ts";

export const LESSON = "the partner locks us out after five failures in a minute";

const START = Date.now() - 100 * 60_000;
const user = (content: string) => ({ type: "user", message: { role: "user", content } });
const assistant = (text: string) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const call = (name: string, input: object) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", name, input }] },
});
const result = (content: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", content }] },
});

const TEST_OUTPUT = Array.from(
  { length: 40 },
  (_, index) => ` ✓ src/webhooks/retry.test.ts > attempt ${index + 1} waits longer than the one before`,
).join("\n");

/** A session in which webhooks learn to back off. */
export const RECORDS: readonly object[] = [
  user("The webhook retries hammer the partner. Make them back off."),
  assistant("Let me read how they are retried now."),
  call("Read", { file_path: "/home/ada/code/shop/src/webhooks/retry.ts" }),
  result("export const RETRY_DELAY_MS = 1_000;\nexport const MAX_ATTEMPTS = 50;"),
  assistant(
    `They are retried every second, fifty times. The log says that ${LESSON}, so every burst ends in a lockout.\n\nI suggest:\n\n1. exponential backoff with full jitter,\n2. five attempts,\n3. then the dead letter queue.`,
  ),
  user("Yes, do that. Whatever is left goes to the dead letter queue, where I look at it on Mondays."),
  call("Edit", {
    file_path: "/home/ada/code/shop/src/webhooks/retry.ts",
    old_string: "export const RETRY_DELAY_MS = 1_000;",
    new_string: "export const delayBefore = (attempt: number) => Math.random() * 1_000 * 2 ** attempt;",
  }),
  result("The file has been updated."),
  call("Bash", { command: "pnpm vitest run src/webhooks", description: "Run the tests of webhooks" }),
  result(TEST_OUTPUT),
  assistant("Done: all forty tests pass."),
];

/** Sends the transcript of a session, as the hooks do when it ends. */
export async function sendTranscript(
  { url }: TestServer,
  { cookie }: ApiClient,
  records: readonly object[] = RECORDS,
  sessionId = SESSION_ID,
): Promise<void> {
  const lines = records.map((record, index) =>
    JSON.stringify({ ...record, timestamp: new Date(START + index * 60_000).toISOString() }),
  );
  const response = await fetch(`${url}/api/memory/extract`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ transcript: lines.join("\n"), sessionId, projectPath: "/home/ada/code/shop" }),
  });
  // Without a model nothing is learnt from it, but it is kept.
  if (!response.ok && response.status !== 503) throw new Error(`${response.status} ${await response.text()}`);
}
