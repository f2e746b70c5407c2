import { eventually, startWebhookReceiver, type WebhookReceiver } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let receiver: WebhookReceiver;
let api: Request;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTestServer(), startWebhookReceiver()]);
  api = await server.signIn();
});
afterAll(() => Promise.all([server.close(), receiver.close()]));

async function call(request: Request, method: string, path: string, body?: object): Promise<any> {
  const response = await request(method, path, body === undefined ? {} : { body });
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body.data;
}

async function createWebhook(path: string, events: string[], request = api, base = "/api"): Promise<any> {
  const body = { name: path, url: receiver.urlOf(path), events };
  const webhook = await call(request, "POST", `${base}/webhooks`, body);
  receiver.verify(path, webhook.secret);
  return webhook;
}

async function createKey(scopes: string[], folder?: string): Promise<{ id: string; request: Request }> {
  const { id, key } = await call(api, "POST", "/api/api-keys", { name: "CI", scopes, folder });
  return { id, request: createRequest(server.url, { Authorization: `Bearer ${key}` }) };
}

describe("a person's webhook", () => {
  test("gets what REST returns of each resource", async () => {
    await createWebhook("/all", ["task.*", "project.*", "document.*", "memory.create", "agent.create", "view.create"]);
    const project = await call(api, "POST", "/api/projects", { name: "Garden", color: "#3b82f6" });
    const task = await call(api, "POST", "/api/tasks", { title: "Dig", projectId: project.id });
    const memory = await call(api, "POST", "/api/memory/store", { content: "Herons stand still.", chunkType: "fact" });
    const agent = await call(api, "POST", "/api/agents", { name: "Scribe", schedule: "0 0 29 2 *", prompt: "Write" });
    const view = await call(api, "POST", "/api/task-views", { name: "Mine", filter: "status:todo" });
    await call(api, "POST", "/api/fs/write", { path: "/note.md", content: "# Herons" });
    const created = ["project", "task", "memory", "agent", "view", "document"].map((kind) => `${kind}.create`);
    const typesSent = () => receiver.of("/all").map(({ type }) => type);
    await eventually(() => created.every((type) => typesSent().includes(type)), 30_000);
    const sent = Object.fromEntries(receiver.of("/all").map(({ type, data }) => [type, data]));
    expect(sent["project.create"]).toEqual(await call(api, "GET", `/api/projects/${project.id}`));
    expect(sent["task.create"]).toEqual(await call(api, "GET", `/api/tasks/${task.id}`));
    expect(sent["memory.create"]).toEqual(await call(api, "GET", `/api/memory/${memory.id}`));
    expect(sent["agent.create"]).toEqual(await call(api, "GET", `/api/agents/${agent.id}`));
    expect(sent["view.create"]).toEqual(await call(api, "GET", `/api/task-views/${view.id}`));
    const documents = await call(api, "GET", "/api/documents");
    expect(documents).toContainEqual(sent["document.create"]);
    await call(api, "DELETE", `/api/tasks/${task.id}`);
    await eventually(() => typesSent().includes("task.delete"));
    const deleted = receiver.of("/all").find(({ type }) => type === "task.delete");
    expect(deleted?.data).toEqual({ id: task.id, name: "Dig" });
    expect(receiver.refused).toBe(0);
  });

  test("shows what was sent, and can be tested, changed and deleted", async () => {
    const { id, secret, ...webhook } = await createWebhook("/own", ["task.create"]);
    expect(secret).toMatch(/^whsec_/);
    expect(await call(api, "GET", `/api/webhooks/${id}`)).toEqual({ id, ...webhook });
    const tested = await call(api, "POST", `/api/webhooks/${id}/test`);
    expect(tested).toMatchObject({ type: "webhook.test", status: "delivered", responseStatus: 204 });
    expect(JSON.parse(tested.body)).toMatchObject({ type: "webhook.test", data: { name: "/own" } });
    expect(await call(api, "GET", `/api/webhooks/${id}/deliveries/${tested.id}`)).toEqual(tested);
    const { body: _body, ...listed } = tested;
    expect(await call(api, "GET", `/api/webhooks/${id}/deliveries`)).toEqual([listed]);
    const changed = { name: "New", url: receiver.urlOf("/new"), events: ["task.*"], isEnabled: false };
    expect(await call(api, "PUT", `/api/webhooks/${id}`, changed)).toMatchObject(changed);
    expect(await call(api, "DELETE", `/api/webhooks/${id}`)).toEqual({ id, name: "New" });
    expect((await api("GET", `/api/webhooks/${id}`)).status).toBe(404);
  });

  test("that points at the workspace itself can do nothing there", async () => {
    const urls = ["/api/tasks", "/api/v1/tasks", "/api/trpc/tasks.create", "/api/auth/sign-in/email"];
    for (const path of urls) {
      const body = { name: path, url: server.url + path, events: ["task.create"] };
      const { id } = await call(api, "POST", "/api/webhooks", body);
      expect((await call(api, "POST", `/api/webhooks/${id}/test`)).status).toBe("failed");
      await call(api, "DELETE", `/api/webhooks/${id}`);
    }
  });

  test.each([
    [{ url: "ftp://x.y/" }, "url"],
    [{ url: "http://user:word@x.y/" }, "url"],
    [{ url: "https://x.y/#part" }, "url"],
    [{ url: "nowhere" }, "url"],
    [{ url: `https://x.y/${"a".repeat(2_000)}` }, "url"],
    [{ events: [] }, "events"],
    [{ events: ["task.explode"] }, "events"],
    [{ name: " " }, "name"],
  ])("is refused with %o", async (wrong, field) => {
    const body = { name: "a", url: "https://x.y/", events: ["task.*"], ...wrong };
    const response = await api("POST", "/api/webhooks", { body });
    expect(response.status).toBe(400);
    expect(response.body.issues[0].path).toContain(field);
  });

  test("is refused if there are too many", async () => {
    const body = { name: "a", url: "https://x.invalid/", events: ["agent.run"] };
    const statuses: number[] = [];
    const made: string[] = [];
    while (statuses.at(-1) !== 409) {
      const response = await api("POST", "/api/webhooks", { body });
      statuses.push(response.status);
      if (response.status === 201) made.push(response.body.data.id);
    }
    expect(statuses.length).toBeLessThanOrEqual(51);
    for (const id of made) await call(api, "DELETE", `/api/webhooks/${id}`);
  });
});

describe("a program's webhook", () => {
  test("needs a scope of its own, and reads with those of the key", async () => {
    const reader = await createKey(["tasks:read"]);
    expect((await reader.request("GET", "/api/v1/webhooks")).status).toBe(403);
    const { id, request } = await createKey(["webhooks", "tasks:read"]);
    const refused = { name: "a", url: receiver.urlOf("/key"), events: ["memory.create"] };
    expect((await request("POST", "/api/v1/webhooks", { body: refused })).status).toBe(403);
    const webhook = await createWebhook("/key", ["task.create"], request, "/api/v1");
    expect(await call(request, "GET", "/api/v1/webhooks")).toHaveLength(1);
    const task = await call(api, "POST", "/api/tasks", { title: "Sow" });
    await eventually(() => receiver.of("/key").length === 1);
    expect(receiver.of("/key")[0]?.data).toEqual(await call(request, "GET", `/api/v1/tasks/${task.id}`));
    expect((await call(api, "GET", `/api/webhooks/${webhook.id}`)).apiKey).toEqual({ id, name: "CI" });
    await call(api, "DELETE", `/api/api-keys/${id}`);
    expect((await api("GET", `/api/webhooks/${webhook.id}`)).status).toBe(404);
  });

  test("learns of no documents outside the folder of the key", async () => {
    const { request } = await createKey(["webhooks", "knowledge:read"], "Team");
    await createWebhook("/folder", ["document.*"], request, "/api/v1");
    const write = (path: string) => call(api, "POST", "/api/fs/write", { path, content: "a" });
    const idOf = async (path: string): Promise<string> =>
      (await call(api, "POST", "/api/documents/by-path", { path })).document.id;
    await write("/Private/secret.md");
    await write("/Team/plan.md");
    await call(api, "DELETE", `/api/documents/${await idOf("/Private/secret.md")}`);
    const planId = await idOf("/Team/plan.md");
    await call(api, "DELETE", `/api/documents/${planId}`);
    const messages = await eventually(() => {
      const found = receiver.of("/folder");
      return found.some(({ type }) => type === "document.delete") && found;
    });
    expect(messages.filter(({ body }) => body.includes("ecret") || body.includes("Private"))).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ type: "document.delete", data: { id: planId, name: "plan" } });
    expect(messages.find(({ type }) => type === "document.create")?.data).toMatchObject({ path: "Team/plan.md" });
  });
});
