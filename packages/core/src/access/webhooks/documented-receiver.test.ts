import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { generateWebhookSecret, sendWebhook, signatureHeaders } from "./webhook-request.ts";

const DOCUMENT = join(import.meta.dirname, "../../../../../docs/webhooks.md");

/** Runs the receiver of the documentation, as it is there. */
async function startReceiver(secret: string): Promise<{ url: string; output: () => string }> {
  const [, code = ""] = /```js\n(.*?)```/s.exec(await readFile(DOCUMENT, "utf8")) ?? [];
  const directory = await mkdtemp(join(tmpdir(), "workspace-receiver-"));
  const file = join(directory, "receiver.mjs");
  await writeFile(file, code);
  const port = await findFreePort();
  const child = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: String(port) } });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  onTestFinished(async () => {
    child.kill();
    await rm(directory, { recursive: true });
  });
  return { url: `http://127.0.0.1:${port}/`, output: () => output };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

test("the receiver of the documentation accepts what is signed, and nothing else", async () => {
  const secret = generateWebhookSecret();
  const { url, output } = await startReceiver(secret);
  const body = JSON.stringify({ type: "task.create", timestamp: "", data: { title: "Wässern" } });
  const send = async (by: string, at: Date, sent = body) => {
    const headers = signatureHeaders(by, { id: "1", at, body });
    return (await sendWebhook(url, { headers, body: sent, signal: new AbortController().signal })).status;
  };
  const now = new Date();
  expect(await eventually(() => send(secret, now), 30_000)).toBe(204);
  await eventually(() => output().includes("task.create Wässern"));
  expect(await send(generateWebhookSecret(), now)).toBe(401);
  expect(await send(secret, new Date(now.getTime() - 10 * 60_000))).toBe(401);
  expect(await send(secret, now, body.replace("create", "delete"))).toBe(401);
});
