import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";
import { FAILED, SERVER_KIND, startTraceReceiver, type ReceivedSpan } from "./trace-receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const YEARLY = "0 0 29 2 *";
const SOON = { timeout: 10_000 };

type Receiver = Awaited<ReturnType<typeof startTraceReceiver>>;

let receiver: Receiver;
let model: ModelDouble;
let server: TestServer;
let api: Request;
beforeAll(async () => {
  [receiver, model] = await Promise.all([startTraceReceiver(), startModelDouble()]);
  server = await startTestServer({
    ...envOf(receiver),
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
  });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await Promise.all([receiver.close(), model.close()]);
});

function envOf({ url }: Receiver, protocol = "http/json"): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  };
}

/** The first span with this name for which `isIt`, once it has arrived. */
async function spanOf(name: string, isIt: (span: ReceivedSpan) => boolean = () => true): Promise<ReceivedSpan> {
  const find = () => receiver.spans.find((span) => span.name === name && isIt(span));
  await expect.poll(find, SOON).toBeDefined();
  const found = find();
  if (found === undefined) throw new Error("It was there.");
  return found;
}

const inTrace = (traceId: string): Record<string, string> => ({ traceparent: `00-${traceId}-${CALLER}-01` });

describe("a request", () => {
  test("continues the trace of its caller, and contains its statements", async () => {
    const { body } = await api("POST", "/api/tasks", { body: { title: "Hidden title" } });
    const headers = { ...inTrace(TRACE), "X-Request-Id": "of-the-proxy" };
    await api("GET", `/api/tasks/${body.data.id}`, { headers });
    const span = await spanOf("GET /api/tasks/{id}");
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: SERVER_KIND });
    expect(span.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/api/tasks/{id}",
      "http.response.status_code": 200,
      "http.response.header.x-request-id": ["of-the-proxy"],
    });
    const [statement] = receiver.childrenOf(span);
    expect(statement?.attributes).toEqual({
      "db.system.name": "postgresql",
      "db.query.summary": statement?.name,
    });
    const creation = await spanOf("POST /api/tasks");
    expect(receiver.childrenOf(creation).length).toBeGreaterThan(0);
  });

  test("of which the caller's trace is not recorded is not recorded either", async () => {
    const traceId = "1".repeat(32);
    await api("GET", "/api/projects", { headers: { traceparent: `00-${traceId}-${CALLER}-00` } });
    await api("GET", "/api/projects", { headers: inTrace("2".repeat(32)) });
    await spanOf("GET /api/projects", (span) => span.traceId === "2".repeat(32));
    expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  test("that is refused is no failure, and one to an unknown URL has no route", async () => {
    await api("GET", "/api/nothing/private-name?q=private", { headers: inTrace("3".repeat(32)) });
    const span = await spanOf("GET", (each) => each.traceId === "3".repeat(32));
    expect([span.status.code ?? 0, span.attributes["http.response.status_code"]]).toEqual([0, 404]);
  });

  test("by which the service is watched has no trace", async () => {
    await api("GET", "/livez", { headers: inTrace("4".repeat(32)) });
    await api("GET", "/api/projects", { headers: inTrace("5".repeat(32)) });
    await spanOf("GET /api/projects", (span) => span.traceId === "5".repeat(32));
    expect(receiver.spans.filter((span) => span.traceId === "4".repeat(32))).toEqual([]);
  });
});

describe("a run of an agent", () => {
  test("is a tree of calls to the model and to tools, with tokens", async () => {
    const agent = { name: "Agent", schedule: YEARLY, prompt: "Private prompt", tools: ["tasks_list"] };
    const { body } = await api("POST", "/api/agents", { body: agent });
    const usage = { inputTokens: 30, cachedInputTokens: 10, outputTokens: 5 };
    model.reply({ toolCalls: [{ name: "tasks_list", arguments: {} }], usage });
    model.reply({ text: "Private answer", usage });
    await api("POST", `/api/agents/${body.data.id}/run`);
    const run = await spanOf("invoke_agent");
    expect(run.attributes).toMatchObject({ "gen_ai.agent.id": body.data.id, "gen_ai.operation.name": "invoke_agent" });
    const parts = receiver.childrenOf(run);
    const [first, second] = parts.filter(({ name }) => name === "chat gpt-5-mini");
    expect(first?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5-mini",
      "gen_ai.usage.input_tokens": 30,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.response.finish_reasons": ["tool_calls"],
    });
    expect(second?.attributes["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
    const tool = parts.find(({ name }) => name === "execute_tool tasks_list");
    expect(tool?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "tasks_list",
    });
    expect(tool && receiver.childrenOf(tool)).not.toEqual([]);
    const transaction = parts.find(({ name }) => name === "transaction");
    expect(transaction && receiver.childrenOf(transaction)).not.toEqual([]);
  });

  test("marks each attempt that failed", async () => {
    const { body } = await api("POST", "/api/agents", { body: { name: "B", schedule: YEARLY, prompt: "x" } });
    model.reply({ fault: { kind: "status", status: 401 } });
    await api("POST", `/api/agents/${body.data.id}/run`);
    const run = await spanOf("invoke_agent", ({ attributes }) => attributes["gen_ai.agent.id"] === body.data.id);
    expect([run.status, run.attributes["error.type"]]).toEqual([{ code: FAILED }, "error"]);
    const call = receiver.childrenOf(run).find(({ name }) => name === "chat gpt-5-mini");
    expect([call?.status, call?.attributes["error.type"]]).toEqual([{ code: FAILED }, "ModelError"]);
  });
});

test("an answer of the chat, which is asked for over a WebSocket, is a trace with its calls to the model", async () => {
  model.reply({ text: "Private answer" });
  const client = await connectRealtime(server.url);
  client.send({ type: "chat:send", message: "Private question" });
  const { conversationId } = await client.waitFor((frame) => frame.type === "chat:stream_end");
  await client.close();
  const answer = await spanOf("invoke_agent chat");
  expect([answer.parentSpanId, answer.attributes["gen_ai.conversation.id"]]).toEqual([undefined, conversationId]);
  expect(receiver.childrenOf(answer).map(({ name }) => name)).toContain("chat gpt-5-mini");
});

test("a call of a tool over MCP is within its request, and failed if its result is an error", async () => {
  const { body } = await api("POST", "/api/api-keys", { body: { name: "program", scopes: ["tasks:read"] } });
  const call = (id: string) =>
    server.anonymous("POST", "/mcp", {
      headers: { Authorization: `Bearer ${body.data.key}`, Accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "tasks_get", arguments: { id } } },
    });
  expect((await call("00000000-0000-7000-8000-000000000000")).status).toBe(200);
  const tool = await spanOf("tools/call tasks_get");
  expect([tool.status, tool.attributes["error.type"]]).toEqual([{ code: FAILED }, "tool_error"]);
  expect(receiver.spans.find(({ spanId }) => spanId === tool.parentSpanId)?.name).toBe("POST /mcp");
});

test("nothing that people have written is in a trace, nor a message of an error", async () => {
  await spanOf("GET /api/tasks/{id}");
  const all = JSON.stringify(receiver.spans);
  for (const text of ["Hidden", "rivate", "collector"]) expect(all).not.toContain(text);
  expect(receiver.spans.filter(({ status }) => status.message !== undefined)).toEqual([]);
});

test("the service is named, as OpenTelemetry's variables say, and sends their headers", async () => {
  await spanOf("GET /api/tasks/{id}");
  expect(receiver.resources[0]).toMatchObject({ "service.name": "workspace", "deployment.environment.name": "test" });
  expect(receiver.requests[0]).toMatchObject({ url: "/v1/traces", authorization: "Bearer collector" });
});

describe("a service that is configured otherwise", () => {
  async function withServer(env: Record<string, string>, use: (server: TestServer) => Promise<void>): Promise<void> {
    const other = await startTestServer(env);
    try {
      await use(other);
    } finally {
      await other.close();
    }
  }

  test("sends protobuf by default, the last spans when it stops", async () => {
    const target = await startTraceReceiver();
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _, OTEL_BSP_SCHEDULE_DELAY: __, ...env } = envOf(target);
    await withServer({ ...env, OTEL_SERVICE_NAME: "mine" }, async ({ withToken }) => {
      await withToken("GET", "/api/projects");
    });
    const text = target.requests.map(({ body }) => body.toString("latin1")).join("");
    expect(target.requests[0]?.type).toBe("application/x-protobuf");
    for (const part of ["mine", "GET /api/projects"]) expect(text).toContain(part);
    await target.close();
  });

  test.each([
    [{ OTEL_SDK_DISABLED: "true" }],
    [{ OTEL_TRACES_EXPORTER: "none" }],
    [{ OTEL_TRACES_SAMPLER: "always_off" }],
  ])("sends nothing with %o", async (off) => {
    const target = await startTraceReceiver();
    await withServer({ ...envOf(target), ...off }, async ({ withToken }) => {
      expect((await withToken("GET", "/api/projects")).status).toBe(200);
    });
    expect(target.requests).toEqual([]);
    await target.close();
  });

  test("serves and stops as usual without the program that receives traces, and says so once", async () => {
    const env = {
      LOG_LEVEL: "warn",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_TIMEOUT: "200",
      OTEL_BSP_SCHEDULE_DELAY: "20",
    };
    await withServer(env, async ({ withToken, output }) => {
      const count = () => output.filter((line) => line.includes("traces could not be sent")).length;
      for (let index = 0; index < 20; index += 1) {
        expect((await withToken("GET", "/api/projects")).status).toBe(200);
      }
      await expect.poll(count, SOON).toBe(1);
    });
  });
});
