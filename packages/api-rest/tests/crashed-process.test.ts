import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

/** Short, so that the crash is noticed within the time of a test. */
const PROCESS_LEASE_S = "2";

let model: ModelDouble;
let dying: TestServer;
let living: TestServer;

beforeEach(async () => {
  model = await startModelDouble();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-5-mini", PROCESS_LEASE_S };
  living = await startTestServer(env);
  dying = await startTestServer({ ...env, DATABASE_URL: living.databaseUrl });
});
afterEach(async () => {
  await dying.close();
  await living.close();
  await model.close();
});

test("kill -9 during a run and an answer ends both, keeps their text, and notifies all clients", async () => {
  model.replyAlways({ text: ["So far", "."], fault: { kind: "hang", afterChunks: 1 } });
  const client = await connectRealtime(living.url);
  const agent = (
    await dying.withToken("POST", "/api/agents", { body: { name: "A", schedule: "0 0 29 2 *", prompt: "P" } })
  ).body.data;
  const { runId } = (await dying.withToken("POST", `/api/agents/${agent.id}/run`)).body;
  const getRun = async () => (await living.withToken("GET", `/api/agents/${agent.id}/runs/${runId}`)).body.data;
  const chat = await connectRealtime(dying.url);
  chat.send({ type: "chat:send", message: "Hi" });
  const { conversationId } = await chat.waitFor(({ delta }) => delta === "So far");
  while ((await getRun()).output !== "So far") await new Promise((resolve) => setTimeout(resolve, 20));
  client.send({ type: "chat:resume", conversationId, afterSeq: 0 });

  await dying.kill();
  await client.waitFor(
    (frame) => frame.type === "resource_change" && frame.resource === "agent" && frame.action === "fail",
  );
  await client.waitFor((frame) => frame.type === "chat:error" && frame.conversationId === conversationId);
  await client.waitFor((frame) => frame.type === "resync" && frame.conversationId === undefined);
  expect(await getRun()).toMatchObject({
    status: "error",
    output: "So far",
    errorMessage: expect.stringContaining("unexpectedly"),
  });
  const conversation = (await living.withToken("GET", `/api/conversations/${conversationId}`)).body.data;
  expect(conversation).toMatchObject({ status: "error" });
  expect(conversation.messages[1].content).toEqual([{ type: "text", text: "So far" }]);
  await client.close();
}, 20_000);
