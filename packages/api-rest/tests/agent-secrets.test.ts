import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const VALUE = 'p4ss"word\\with\nlines';

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let service: Server;
let serviceUrl: string;
let received: Received[] = [];
let model: ModelDouble;
let server: TestServer;
let api: Request;

/** An external service that echoes all it is sent. */
async function startEcho(): Promise<Server> {
  const echo = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ url: req.url ?? "", headers: req.headers, body });
      if (req.url === "/elsewhere") res.writeHead(302, { Location: "http://127.0.0.1:1/stolen" });
      res.end(`${JSON.stringify(req.headers)} ${body}`);
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  return echo;
}

beforeAll(async () => {
  [service, model] = await Promise.all([startEcho(), startModelDouble()]);
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  server = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
    AGENT_HTTP_ORIGINS: serviceUrl,
  });
  api = await server.signIn();
  await api("POST", "/api/secrets", { body: { key: "LINES", value: VALUE } });
  await api("POST", "/api/secrets", { body: { key: "TOKEN", value: "tok-0123456789" } });
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await server.close();
  await model.close();
  service.close();
});

/** Has an agent make one call of the tool; returns the run and everything that was sent to the model. */
async function callTool(call: object, tools: readonly string[] | null = ["http_request"]) {
  model.reply({ toolCalls: [{ name: "http_request", arguments: call }] }, { text: "Done." });
  const { data } = (
    await api("POST", "/api/agents", { body: { name: "Caller", schedule: "0 0 29 2 *", prompt: "Call", tools } })
  ).body;
  const { runId } = (await api("POST", `/api/agents/${data.id}/run`)).body;
  for (;;) {
    const run = (await api("GET", `/api/agents/${data.id}/runs/${runId}`)).body.data;
    if (run.status !== "running") return { run, runId, toldModel: JSON.stringify(model.requests) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a referenced secret reaches the service, but neither the model nor the run", async () => {
  const { run, runId, toldModel } = await callTool({
    method: "POST",
    url: `${serviceUrl}/hook`,
    headers: { Authorization: "Bearer {{secret:TOKEN}}" },
    body: "{{secret:LINES}} and {{secret:TOKEN}}",
  });
  expect(run.status).toBe("success");
  expect(received).toEqual([
    {
      url: "/hook",
      headers: expect.objectContaining({ authorization: "Bearer tok-0123456789" }),
      body: `${VALUE} and tok-0123456789`,
    },
  ]);
  for (const text of [JSON.stringify(run), toldModel]) {
    expect(text).toContain("[secret TOKEN]");
    for (const hidden of ["tok-0123456789", "p4ss", "with\\nlines"]) expect(text).not.toContain(hidden);
  }
  const { data: accesses } = (await api("GET", "/api/secrets/TOKEN/accesses")).body;
  expect(accesses).toContainEqual(expect.objectContaining({ action: "use", actor: `agent_run:${runId}` }));
});

test("requests go to the allowed services only, and a redirect is not followed", async () => {
  const { run } = await callTool({
    url: "http://127.0.0.1:1/",
    headers: { Authorization: "{{secret:TOKEN}}" },
  });
  expect(JSON.stringify(run)).toContain(`may only go to ${serviceUrl}`);
  const redirected = await callTool({ url: `${serviceUrl}/elsewhere`, headers: { Authorization: "{{secret:TOKEN}}" } });
  expect(JSON.stringify(redirected.run)).toContain("http://127.0.0.1:1/stolen");
  expect(received.map(({ url }) => url)).toEqual(["/elsewhere"]);
});

test("a URL with a user name or a password is refused with an explanation, and sends nothing", async () => {
  for (const user of ["ada", "ada:pass", ":pass"]) {
    const { run } = await callTool({ url: serviceUrl.replace("://", `://${user}@`) });
    expect(run.status).toBe("success");
    expect(run.steps).toContainEqual(
      expect.objectContaining({ type: "tool_result", is_error: true, content: expect.stringMatching(/^url: .*user/) }),
    );
  }
  expect(received).toEqual([]);
});

test("a response with a secret next to an escape sequence arrives complete", async () => {
  await api("POST", "/api/secrets", { body: { key: "LETTERS", value: "nabcdefgh" } });
  const { run } = await callTool({ method: "POST", url: serviceUrl, body: "{{secret:TOKEN}} \nabcdefgh" });
  expect(run.steps).toContainEqual(expect.objectContaining({ type: "tool_result", is_error: false }));
});

test("a secret that does not exist sends nothing", async () => {
  const { run } = await callTool({ url: serviceUrl, body: "{{secret:NOBODY}}", method: "POST" });
  expect(JSON.stringify(run)).toMatch(/no .*secret/i);
  expect(received).toEqual([]);
});

test("an agent without the tool cannot call it", async () => {
  const { run } = await callTool({ url: serviceUrl }, null);
  expect(JSON.stringify(run)).toContain("There is no tool http_request");
  expect(received).toEqual([]);
});
