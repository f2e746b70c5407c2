import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let model: ModelDouble;
let api: Request;
let key: string;
let folder: string;
let script: string;

beforeAll(async () => {
  model = await startModelDouble();
  server = await startTestServer({ OPENAI_API_KEY: "test", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-4.1" });
  api = await server.signIn();
  key = (await api("POST", "/api/api-keys", { body: { name: "skill", scopes: API_KEY_SCOPES } })).body.data.key;
  folder = await mkdtemp(join(tmpdir(), "workspace-skill-"));
  script = join(folder, "workspace.py");
  const { body } = await createRequest(server.url, { Authorization: `Bearer ${key}` })("GET", "/api/v1/skill");
  await writeFile(script, body);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.close();
  await model.close();
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script as a user would: in its own environment, without packages or site customisation. */
function run(
  args: readonly string[],
  { env = {}, input = "" }: { env?: object; input?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      "python3",
      ["-I", script, ...args],
      { env: { PATH: process.env["PATH"], WORKSPACE_API_KEY: key, ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);

test("the download is a Python attachment with this server's URL in it", async () => {
  const request = createRequest(server.url, { Authorization: `Bearer ${key}` });
  const { status, headers, body } = await request("GET", "/api/v1/skill");
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("text/x-python; charset=utf-8");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="workspace.py"');
  expect(body).toContain(`DEFAULT_URL = "${server.url}"`);
  expect(body).not.toContain("workspace.invalid");
});

test("explains itself without a key or a server", async () => {
  for (const args of [["--help"], ["tasks", "--help"], ["tasks", "create", "--help"], ["ask", "--help"]]) {
    const { code, stdout } = await run(args, { env: { WORKSPACE_API_KEY: "" } });
    expect([args, code]).toEqual([args, 0]);
    expect(stdout).toContain("usage: workspace.py");
  }
});

test("creates, lists, changes and finishes tasks", async () => {
  const task = await json(
    "tasks",
    "create",
    "Büro räumen",
    "--priority",
    "high",
    "--due",
    "2026-12-24",
    "--tags",
    "a,b",
  );
  expect(task).toMatchObject({ title: "Büro räumen", priority: 3, dueDate: "2026-12-24", tags: ["a", "b"] });
  expect((await json("tasks", "update", task.id, "--due", "none", "--description", "-")).dueDate).toBeNull();
  const described = await run(["tasks", "update", task.id, "--description", "-"], { input: "From standard input" });
  expect(described.code).toBe(0);
  expect((await api("GET", `/api/tasks/${task.id}`)).body.data.description).toBe("From standard input");
  expect((await json("tasks", "done", task.id)).status).toBe("done");
  expect((await json("tasks", "list", "--status", "done", "--search", "BÜRO")).map(({ id }: any) => id)).toEqual([
    task.id,
  ]);
  const { stdout } = await run(["tasks", "list"]);
  expect(stdout).toBe(`${task.id}  [done] Büro räumen\n`);
});

test("stores and finds memories", async () => {
  expect((await run(["memory", "store", "Use tabs.", "--type", "preference"])).stdout).toMatch(/^Stored /);
  expect((await run(["memory", "search", "tabs"])).stdout).toBe("[preference] Use tabs.\n");
  expect((await run(["memory", "search", "nothing like it"])).stdout).toBe("No memories.\n");
});

test("reads notes and files, byte for byte", async () => {
  await api("POST", "/api/fs/write", { body: { path: "notes/Ä b.md", content: "# Title\n\nText\n" } });
  expect((await json("knowledge", "list")).map(({ path }: any) => path)).toContain("notes/Ä b.md");
  expect((await run(["knowledge", "get", "notes/Ä b.md"])).stdout).toBe("# Title\n\nText\n");
  const target = join(folder, "copy.md");
  expect((await run(["knowledge", "get", "notes/Ä b.md", "-o", target])).code).toBe(0);
  expect(await readFile(target, "utf8")).toBe("# Title\n\nText\n");
  expect((await run(["knowledge", "get", "nothing.md"])).code).toBe(4);
  expect((await run(["knowledge", "create", "notes/log.md", "# Log"])).stdout).toContain("Created notes/log.md");
  expect((await run(["knowledge", "create", "notes/log.md", "again"])).code).not.toBe(0);
  expect((await run(["knowledge", "append", "notes/log.md", "a heron"])).code).toBe(0);
  expect((await run(["knowledge", "search", "heron"])).stdout).toContain("notes/log.md");
  expect((await run(["knowledge", "get", "notes/log.md"])).stdout).toBe("# Log\na heron\n");
});

test("asks an agent by name or id", async () => {
  const body = { name: "Helper", schedule: "0 0 1 1 *", prompt: "Help.", enabled: false };
  const { id } = (await api("POST", "/api/agents", { body })).body.data;
  model.replyAlways({ text: "Forty-two." });
  expect((await run(["ask", "Helper", "What?"])).stdout).toBe("Forty-two.\n");
  const response = await json("ask", id, "What?", "--idempotency-key", "one");
  expect(response).toMatchObject({ response: "Forty-two.", creditsUsed: 1 });
  expect(await json("ask", id, "What?", "--idempotency-key", "one")).toEqual(response);
  expect((await run(["agents", "list"])).stdout).toBe(`${id}  Helper\n`);
  await server.db.pool.query("UPDATE credit_pools SET balance = 0");
  expect(await run(["ask", "Helper", "What?"])).toMatchObject({
    code: 5,
    stdout: "",
    stderr: "workspace.py: The credit pool is empty. Top it up to continue.\n",
  });
});

describe("errors are reported in one line, with their own exit codes", () => {
  const NOBODY = "00000000-0000-7000-8000-000000000000";
  test.each([
    ["no key", ["tasks", "list"], { WORKSPACE_API_KEY: "" }, 3, "set WORKSPACE_API_KEY"],
    ["a wrong key", ["tasks", "list"], { WORKSPACE_API_KEY: "wsk_x" }, 3, "Send a valid API key"],
    ["no such task", ["tasks", "done", NOBODY], {}, 4, "There is no such task."],
    ["no such agent", ["ask", "Nobody", "x"], {}, 4, "there is no agent Nobody"],
    ["invalid input", ["tasks", "create", "x", "--due", "soon"], {}, 1, "dueDate: expected"],
    ["nothing to change", ["tasks", "update", NOBODY], {}, 2, "nothing to change"],
    ["no server", ["tasks", "list", "--url", "http://127.0.0.1:9"], {}, 6, "cannot reach http://127.0.0.1:9"],
    ["a wrong command", ["tasks", "explode"], {}, 2, "invalid choice"],
    ["a wrong status", ["tasks", "list", "--status", "open"], {}, 2, "invalid choice"],
  ])("%s", async (_what, args, env, code, message) => {
    const outcome = await run(args, { env });
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).not.toContain("Traceback");
  });
});

test("reads a list page by page, and reports if there is more", async () => {
  const titles = Array.from({ length: 205 }, (_, index) => `page ${index}`);
  await Promise.all(titles.map((title) => api("POST", "/api/tasks", { body: { title } })));
  const search = ["tasks", "list", "--search", "page ", "--json"];
  const some = await run([...search, "--limit", "203"]);
  expect([JSON.parse(some.stdout).length, some.stderr]).toEqual([203, expect.stringContaining("there are more")]);
  const all = await run([...search, "--limit", "500"]);
  expect([JSON.parse(all.stdout).length, all.stderr]).toEqual([205, ""]);
});
