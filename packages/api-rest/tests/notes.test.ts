import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOTES = 60;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  for (let index = 0; index < NOTES; index += 1)
    await post("/api/notes/create", {
      path: `many/${String(index).padStart(2, "0")}.md`,
      content: `# Note ${index}\n`,
    });
  await post("/api/notes/create", { path: "private/diary.md", content: "A secret heron.\n" });
  await post("/api/notes/create", { path: "own/pond.md", content: "A public heron.\n" });
});
afterAll(() => server.close());

const post = (path: string, body: object) => api("POST", path, { body });

async function createKey(body: object): Promise<string> {
  return (await post("/api/api-keys", { name: "assistant", ...body })).body.data.key;
}

/** Calls `/api/v1` with a key. */
async function asProgram(body: object): Promise<Request> {
  const key = await createKey(body);
  const send = createRequest(server.url, { Authorization: `Bearer ${key}` });
  return (method, path, options) => send(method, `/api/v1${path}`, options);
}

describe("an assistant over MCP", () => {
  let client: Client;

  beforeAll(async () => {
    const key = await createKey({ scopes: ["knowledge:read", "knowledge:write"] });
    client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  });
  afterAll(() => client.close());

  async function call(name: string, args: object): Promise<any> {
    const { content, isError }: any = await client.callTool({ name, arguments: { ...args } });
    return isError === true ? { error: content[0].text } : JSON.parse(content[0].text);
  }

  test("finds, reads, creates, changes and moves notes, and sees what a person changed meanwhile", async () => {
    await call("notes_create", { path: "plan.md", content: "# Plan\n\n- dig\n- fill\n" });
    const [hit] = (await call("notes_search", { query: "fill" })).data;
    expect(hit).toMatchObject({ path: "plan.md", excerpt: expect.stringContaining("fill") });
    const { contentHash, content } = (await call("notes_read", { path: hit.path })).data;
    expect(content).toBe("# Plan\n\n- dig\n- fill\n");
    await post("/api/fs/write", {
      path: "plan.md",
      content: "# Plan\n\n- dig deep\n- fill\n",
      expectedHash: contentHash,
    });
    const edit = { path: "plan.md", edits: [{ oldText: "- fill", newText: "- fill slowly" }] };
    expect((await call("notes_edit", { ...edit, expectedHash: contentHash })).error).toContain("has changed since");
    expect(await call("notes_edit", edit)).toMatchObject({ data: { path: "plan.md" } });
    await call("notes_append", { path: "plan.md", text: "- plant" });
    await call("notes_move", { path: "plan.md", newPath: "garden/plan.md" });
    const { body } = await api("POST", "/api/fs/read", { body: { path: "garden/plan.md" } });
    expect(body.data.content).toBe("# Plan\n\n- dig deep\n- fill slowly\n- plant\n");
    expect((await call("notes_create", { path: "garden/plan.md", content: "" })).error).toContain("already");
  });

  test("finds a note although a word is misspelt, or missing in it", async () => {
    await call("notes_create", { path: "kingfisher.md", content: "# Kingfisher\n\nIt nests in the riverbank.\n" });
    const found = async (query: string) => (await call("notes_search", { query })).data;
    expect(await found("kingfihser")).toEqual([
      expect.objectContaining({ path: "kingfisher.md", title: "Kingfisher", excerpt: expect.any(String) }),
    ]);
    expect((await found("riverbenk"))[0].excerpt).toContain("riverbank");
    expect((await found("kingfisher zzyzx"))[0].path).toBe("kingfisher.md");
    expect(await found("zzyzx")).toEqual([]);
  });

  test("gets the list of notes page by page, and programs get all of it", async () => {
    const first = await call("knowledge_list", {});
    expect(first.data).toHaveLength(50);
    const second = await call("knowledge_list", { cursor: first.nextCursor });
    const paths = [...first.data, ...second.data].map(({ path }: any) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect((await call("knowledge_list", { limit: 201 })).error).toContain("limit");
    const program = await asProgram({ scopes: ["knowledge:read"] });
    const all = (await program("GET", "/knowledge")).body.data.map(({ path }: any) => path);
    expect(all).toEqual(expect.arrayContaining(paths));
    expect(all.length).toBeGreaterThan(NOTES);
  });
});

describe("a key", () => {
  test("needs knowledge:write to change notes, and knowledge:read to read them", async () => {
    const reader = await asProgram({ scopes: ["knowledge:read"] });
    const body = { path: "own/new.md", content: "x" };
    expect((await reader("POST", "/notes/create", { body })).status).toBe(403);
    const writer = await asProgram({ scopes: ["knowledge:write"] });
    expect((await writer("POST", "/notes/create", { body })).status).toBe(201);
    expect((await writer("POST", "/notes/read", { body: { path: "own/new.md" } })).status).toBe(403);
  });

  test("with a folder has access to what is in it and to nothing else", async () => {
    const program = await asProgram({ scopes: ["knowledge:read", "knowledge:write"], folder: "/own/" });
    const pathsOf = async (path: string) => (await program("GET", path)).body.data.map((found: any) => found.path);
    expect(await pathsOf("/documents/search?query=heron")).toEqual(["own/pond.md"]);
    expect(await pathsOf("/documents/search?query=herom")).toEqual(["own/pond.md"]);
    expect((await pathsOf("/documents/search?query=")).every((path: string) => path.startsWith("own/"))).toBe(true);
    expect((await pathsOf("/knowledge")).every((path: string) => path.startsWith("own/"))).toBe(true);
    const pages = await program("GET", "/knowledge?limit=1");
    expect(pages.body.data[0].path).toMatch(/^own\//);
    for (const spelling of [
      "private/diary.md",
      "private%2Fdiary.md",
      "own/..%2fprivate%2fdiary.md",
      "%2e/private/diary.md",
    ]) {
      const { status, body } = await program("GET", `/knowledge/${spelling}`);
      expect([403, 404]).toContain(status);
      expect(JSON.stringify(body)).not.toContain("heron");
    }
    expect((await program("GET", "/knowledge/own/pond.md")).body.data.content).toBe("A public heron.\n");
    expect((await program("POST", "/notes/append", { body: { path: "private/diary.md", text: "x" } })).status).toBe(
      403,
    );
    const [listed] = (await api("GET", "/api/api-keys?limit=1")).body.data;
    expect(listed.folder).toBe("own");
  });

  test("gets no folder that is none, nor one without access to documents", async () => {
    const create = (body: object) => post("/api/api-keys", { name: "k", scopes: ["knowledge:read"], ...body });
    for (const folder of ["../x", ".git", "a\0b", "C:/x"])
      expect([400, 403]).toContain((await create({ folder })).status);
    expect((await create({ folder: "a", scopes: ["tasks:read"] })).body.message).toContain("folder");
    expect((await create({ folder: " " })).status).toBe(400);
    const askable = await create({ folder: "a", scopes: ["knowledge:read", "agents:ask"] });
    expect(askable.body.message).toContain("agents read all documents");
    expect((await create({ folder: "/" })).body.data.folder).toBeNull();
  });
});

test("an edit takes If-Match and refuses what is stale or not there", async () => {
  await post("/api/notes/create", { path: "etag.md", content: "a b" });
  const edit = (headers: Record<string, string>, oldText = "a") =>
    api("POST", "/api/notes/edit", { headers, body: { path: "etag.md", edits: [{ oldText, newText: "c" }] } });
  expect((await edit({ "If-Match": '"0000"' })).status).toBe(412);
  const missing = await edit({}, "nowhere");
  expect(missing.status).toBe(400);
  expect(missing.body.issues).toEqual([{ path: "edits.0.oldText", message: "does not occur in the note" }]);
  const read = await api("POST", "/api/notes/read", { body: { path: "etag.md" } });
  expect((await edit({ "If-Match": read.headers.get("etag") ?? "" })).status).toBe(200);
});
