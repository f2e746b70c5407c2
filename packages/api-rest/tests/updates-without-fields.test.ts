import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRealtime, type RealtimeClient } from "./realtime-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let client: RealtimeClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await connectRealtime(server.url);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await server.withToken(method, path, body === undefined ? {} : { body });
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body.data ?? response.body;
}

/** Creates something, and returns its id. */
const make = async (path: string, body: object): Promise<string> => (await call("POST", path, body)).id;

test("an update without fields changes nothing, not even the version, and notifies nobody", async () => {
  const task = await make("/api/tasks", { title: "Water the plants" });
  const project = await make("/api/projects", { name: "Pond", color: "#3b82f6" });
  const schedule = "0 0 29 2 *";
  const agent = await make("/api/agents", { name: "Scribe", schedule, prompt: "Write", enabled: false });
  const memory = await make("/api/memory/store", { content: "Herons stand still.", chunkType: "fact" });
  await call("POST", "/api/secrets", { key: "QUIET", value: "quiet-value", description: "Quiet" });
  await call("POST", "/api/fs/write", { path: "/quiet.md", content: "quiet" });
  const opened = await call("POST", "/api/documents/by-path", { path: "/quiet.md" });
  const document = `/api/documents/${opened.document.id}`;
  const updates: [method: string, path: string, reads: string[]][] = [
    ["PUT", `/api/tasks/${task}`, [`/api/tasks/${task}`]],
    ["PUT", `/api/projects/${project}`, [`/api/projects/${project}`]],
    ["PATCH", `/api/agents/${agent}`, [`/api/agents/${agent}`]],
    ["PUT", `/api/memory/${memory}`, [`/api/memory/${memory}`]],
    ["PUT", "/api/secrets/QUIET", ["/api/secrets", "/api/secrets/QUIET/accesses"]],
    ["PUT", document, [document, `${document}/versions`]],
  ];
  const before = await make("/api/tasks", { title: "before" });
  for (const [method, path, reads] of updates) {
    const state = () => Promise.all(reads.map((read) => call("GET", read)));
    const stateBefore = await state();
    await call(method, path, {});
    expect([path, await state()]).toEqual([path, stateBefore]);
  }
  const after = await make("/api/tasks", { title: "after" });
  const isCreated = (id: string) => (frame: any) => frame.action === "create" && frame.resourceId === id;
  const [first, last] = [await client.waitFor(isCreated(before)), await client.waitFor(isCreated(after))];
  const between = client.frames.slice(client.frames.indexOf(first) + 1, client.frames.indexOf(last));
  expect(between.filter(({ type }) => type === "resource_change")).toEqual([]);
});
