import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let folder: string;
let model: ModelDouble;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-transcripts-"));
  await mkdir(join(folder, "roots"));
  model = await startModelDouble();
  server = await startTestServer({
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-4.1",
    TRANSCRIPT_ROOTS: join(folder, "roots"),
  });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

const store = async (body: object) =>
  (await api("POST", "/api/memory/store", { body: { chunkType: "fact", ...body } })).body.data;
const search = async (query: string) => (await api("GET", `/api/memory/search?${query}`)).body.data;

describe("storing", () => {
  test("is 201 and returns the memory with the contract's defaults", async () => {
    const { status, body } = await api("POST", "/api/memory/store", {
      body: { content: "pnpm everywhere", chunkType: "decision" },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id: expect.any(String),
      chunkType: "decision",
      content: "pnpm everywhere",
      relevanceScore: 1,
      accessCount: 0,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test.each([
    ["no content", { chunkType: "fact" }],
    ["empty content", { content: " ", chunkType: "fact" }],
    ["no type", { content: "x" }],
    ["an unknown type", { content: "x", chunkType: "opinion" }],
    ["a relevance above one", { content: "x", chunkType: "fact", relevanceScore: 1.1 }],
    ["a relevance as text", { content: "x", chunkType: "fact", relevanceScore: "1" }],
    ["a last line without a first", { content: "x", chunkType: "fact", citations: [{ path: "a.ts", endLine: 3 }] }],
  ])("with %s is 400", async (_what, body) => {
    expect((await api("POST", "/api/memory/store", { body })).status).toBe(400);
  });
});

describe("a report of checks", () => {
  const report = (checks: readonly object[]) => api("POST", "/api/memory/citations/checks", { body: { checks } });
  const list = async (project: string) =>
    (await api("GET", `/api/memory/citations?project=${encodeURIComponent(project)}`)).body.data as {
      readonly id: string;
    }[];

  test.each([
    ["a path that leads out of the project", { path: "src/../../x.ts" }, "path"],
    ["an absolute path", { path: "/etc/passwd" }, "path"],
    ["a last line before the first", { startLine: 3, endLine: 2 }, "endLine"],
    ["a last line without a first", { endLine: 2 }, "endLine"],
    ["a million lines", { startLine: 1, endLine: 1_000_000 }, "endLine"],
  ])("with %s is 400, and nothing of it is recorded", async (what, found, field) => {
    const projectPath = `/checks/${what}`;
    await store({ content: what, projectPath, citations: [{ path: "a.ts" }, { path: "b.ts" }] });
    const cited = await list(projectPath);
    const checks = cited.map(({ id }, index) => ({ id, holds: true, fingerprint: "f", ...(index === 1 && found) }));
    const { status, body } = await report(checks);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`checks.1.${field}`)]);
    expect(await list(projectPath)).toEqual(cited);
  });

  test("may say that lines have become many, in a file whose name begins with dots", async () => {
    const projectPath = "/checks";
    await store({ content: "Lines that were spread", projectPath, citations: [{ path: "a.ts", startLine: 1 }] });
    const [citation] = await list(projectPath);
    const found = { path: ".config/..a.ts", startLine: 1, endLine: 500_000 };
    expect((await report([{ id: citation?.id, holds: true, fingerprint: "f", ...found }])).status).toBe(200);
    expect(await list(projectPath)).toMatchObject([found]);
  });
});

describe("searching", () => {
  test("finds, counts the recall, and filters", async () => {
    await store({ content: "Needle in the haystack", projectPath: "/search", relevanceScore: 0.7 });
    await store({ content: "Only hay", projectPath: "/search", chunkType: "decision" });
    expect(await search("query=NEEDLE&projectPath=/search")).toMatchObject([
      { content: "Needle in the haystack", accessCount: 1 },
    ]);
    expect(await search("query=needle&projectPath=/search")).toMatchObject([
      { accessCount: 2, lastAccessedAt: expect.stringMatching(TIMESTAMP) },
    ]);
    expect(await search("projectPath=/search&chunkType=decision")).toHaveLength(1);
    expect(await search("projectPath=/search&minRelevance=0.8&limit=5")).toMatchObject([{ content: "Only hay" }]);
    expect(await search("query=nothing-like-it")).toEqual([]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "chunkType=opinion", "minRelevance=2"])(
    "with %s is 400",
    async (query) => {
      expect((await api("GET", `/api/memory/search?${query}`)).status).toBe(400);
    },
  );
});

describe("the context", () => {
  test("is a list and a block of text, and counts no recall", async () => {
    await store({ content: "Deploys go through the VPN", projectPath: "/context" });
    const { body } = await api("GET", "/api/memory/context?project=/context/packages/core");
    expect(body.data.memories.map((memory: any) => memory.content)).toContain("Deploys go through the VPN");
    expect(body.data.formatted).toMatch(/^\d memories loaded:\n\n###/);
    expect(body.data.formatted).toContain("\n- Deploys go through the VPN\n");
    expect((await api("GET", "/api/memory/context?project=/context")).body.data.memories).toContainEqual(
      expect.objectContaining({ content: "Deploys go through the VPN", accessCount: 0 }),
    );
    expect((await api("GET", "/api/memory/context?limit=21")).status).toBe(400);
    const query = encodeURIComponent("記".repeat(4_000));
    expect((await api("GET", `/api/memory/context?query=${query}`)).status).toBe(200);
  });

  test("says whether a person has something for a session that is named", async () => {
    const session = "context-session";
    const isSteered = async (query: string) =>
      (await api("GET", `/api/memory/context?project=/context${query}`)).body.data.isSteered;
    expect(await isSteered("")).toBeUndefined();
    expect(await isSteered(`&sessionId=${session}`)).toBe(false);
    await api("POST", "/api/hooks/events", { body: { eventType: "SessionStart", sessionId: session } });
    const { status } = await api("POST", `/api/hooks/sessions/${session}/instructions`, {
      body: { kind: "message", text: "Go on." },
    });
    expect(status).toBe(201);
    expect(await isSteered(`&sessionId=${session}`)).toBe(true);
    expect(await isSteered("&sessionId=another")).toBe(false);
  });

  test("ranks a project's own facts above general ones, however relevant those are", async () => {
    for (const relevanceScore of [0.3, 0.5, 0.1])
      await store({ content: `Own fact ${relevanceScore}`, projectPath: "/near/repo", relevanceScore });
    await store({ content: "A fact of its package", projectPath: "/near/repo/packages/core", relevanceScore: 0.2 });
    for (let index = 0; index < 30; index += 1)
      await store({ content: `General preference ${index}`, chunkType: "preference", relevanceScore: 1 });
    const contents = async (query: string) =>
      (await api("GET", `/api/memory/context?project=/near/repo${query}`)).body.data.memories.map(
        (memory: any) => memory.content,
      );
    const own = ["Own fact 0.5", "Own fact 0.3", "A fact of its package", "Own fact 0.1"];
    expect(await contents("")).toEqual([...own, expect.stringContaining("General preference")]);
    expect(await contents("/&limit=3")).toEqual(own.slice(0, 3));
    expect(await contents("&limit=20")).toHaveLength(20);
  });
});

describe("extracting", () => {
  const extract = (body: object) => api("POST", "/api/memory/extract", { body });
  const proposal = (excerpt: string) => ({
    text: JSON.stringify({
      memories: [{ type: "decision", content: `Extracted: ${excerpt}`, excerpt, relevance: 0.9 }],
    }),
  });

  test("stores what the model finds, records the usage once, and adds nothing the second time", async () => {
    model.replyAlways(proposal("We chose Fastify over Express"));
    const transcript = "We chose Fastify over Express because of schemas.";
    const first = await extract({ transcript, sessionId: "s-1", projectPath: "/extract" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        message: "Extracted 1 memories",
        data: [{ content: "Extracted: We chose Fastify over Express", sessionId: "s-1" }],
      },
    });
    const asked = model.requests.length;
    expect((await extract({ transcript })).body).toEqual({ data: [], message: "No memories worth extracting" });
    expect(model.requests).toHaveLength(asked);
    const usage = await api("GET", "/api/usage?source=memory_extraction");
    expect(usage.body.data).toMatchObject([
      { source: "memory_extraction", sourceId: "s-1", sourceName: "/extract", inputTokens: 100 },
    ]);
  });

  test("only reads files below the roots", async () => {
    const record = { type: "user", message: { role: "user", content: "Releases happen on Tuesdays at noon" } };
    await writeFile(join(folder, "roots/session.jsonl"), JSON.stringify(record));
    await writeFile(join(folder, "outside.jsonl"), JSON.stringify(record));
    await symlink(join(folder, "outside.jsonl"), join(folder, "roots/link.jsonl"));
    model.replyAlways(proposal("Releases happen on Tuesdays"));
    expect((await extract({ transcriptPath: join(folder, "roots/session.jsonl") })).body.message).toBe(
      "Extracted 1 memories",
    );
    for (const path of ["outside.jsonl", "roots/../outside.jsonl", "roots/link.jsonl", "missing.jsonl"]) {
      expect((await extract({ transcriptPath: `${folder}/${path}` })).status).toBe(403);
    }
    expect((await extract({ transcriptPath: "/etc/passwd" })).status).toBe(403);
    expect((await extract({ transcriptPath: join(folder, "roots/missing.jsonl") })).status).toBe(404);
  });

  test("accepts a transcript that is larger than other bodies", async () => {
    model.replyAlways({ text: '{"memories": []}' });
    const transcript = "Nothing worth keeping. ".repeat(60_000);
    expect((await extract({ transcript })).body).toEqual({ data: [], message: "No memories worth extracting" });
  });

  test("without a transcript is 400", async () => {
    expect(await extract({})).toMatchObject({ status: 400, body: { issues: [{ path: "transcript" }] } });
    expect((await extract({ transcript: 5 })).status).toBe(400);
  });

  test("is 402 once the day's budget is spent, and 503 without a model", async () => {
    const poor = await startTestServer({
      OPENAI_API_KEY: "test",
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: "gpt-4.1",
      DAILY_BUDGET_USD: "0.000001",
    });
    const without = await startTestServer();
    try {
      const asked = model.requests.length;
      const send = (server: TestServer) =>
        server.withToken("POST", "/api/memory/extract", { body: { transcript: "Words." } });
      expect((await send(poor)).status).toBe(402);
      expect(await send(without)).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining("OPENAI_API_KEY") },
      });
      expect(model.requests).toHaveLength(asked);
    } finally {
      await Promise.all([poor.close(), without.close()]);
    }
  });

  test("leaves a review that a program cannot do by changing or merging memories", async () => {
    const proposalOf = (content: string) => ({ type: "fact", content, excerpt: content, relevance: 0.5 });
    const contents = ["Owls are counted in May.", "The ferry leaves at noon."];
    model.reply({ text: JSON.stringify({ memories: contents.map(proposalOf) }) });
    const { body } = await extract({ transcript: contents.join(" ") });
    const [owls, ferry] = body.data;
    const key = await api("POST", "/api/api-keys", { body: { name: "hooks", scopes: ["hooks"] } });
    const program = createRequest(server.url, { Authorization: `Bearer ${key.body.data.key}` });
    const change = { body: { content: "Owls are counted in June." } };
    const merge = { body: { id: owls.id, ids: [ferry.id] } };
    expect((await program("PUT", `/api/memory/${owls.id}`, change)).body.data.awaitsReview).toBe(true);
    expect((await program("POST", "/api/memory/merge", merge)).body.data.awaitsReview).toBe(true);
    expect((await api("PUT", `/api/memory/${owls.id}`, change)).body.data.awaitsReview).toBe(false);
  });
});

describe("deleting", () => {
  test("succeeds once; after that, and for unknown ids, it is 404", async () => {
    const { id } = await store({ content: "To be deleted" });
    expect(await api("DELETE", `/api/memory/${id}`)).toMatchObject({ status: 200, body: { data: { success: true } } });
    for (const missing of [id, NOBODY, "not-a-uuid"])
      expect((await api("DELETE", `/api/memory/${missing}`)).status).toBe(404);
    expect((await api("DELETE", "/api/memory/")).status).toBe(400);
  });

  test("of several can be undone", async () => {
    const ids = [(await store({ content: "One of two" })).id, (await store({ content: "Two of two" })).id];
    expect((await api("POST", "/api/memory/delete", { body: { ids } })).body.data.deletedIds).toHaveLength(2);
    expect((await api("GET", `/api/memory/${ids[0]}`)).status).toBe(404);
    expect((await api("POST", "/api/memory/restore", { body: { ids } })).body.data.restoredIds).toHaveLength(2);
    expect((await api("GET", `/api/memory/${ids[0]}`)).body.data.content).toBe("One of two");
    expect((await api("POST", "/api/memory/delete", { body: { ids: [] } })).status).toBe(400);
  });
});

test("memories can be listed, changed, merged and explained", async () => {
  const one = await store({ content: "The API listens on port 3000", projectPath: "/curate" });
  const two = await store({ content: "The API listens on port 3000.", projectPath: "/curate" });
  expect(two.nearDuplicateOfId).toBe(one.id);
  const list = await api("GET", "/api/memory?projectPath=/curate&limit=1");
  expect(list.body).toMatchObject({ data: [{ id: two.id }], nextCursor: expect.any(String) });
  expect((await api("PUT", `/api/memory/${one.id}`, { body: { relevanceScore: 0.4 } })).body.data.relevanceScore).toBe(
    0.4,
  );
  expect((await api("PUT", `/api/memory/${one.id}`, { body: { content: "" } })).status).toBe(400);
  expect((await api("POST", "/api/memory/merge", { body: { id: one.id, ids: [two.id] } })).body.data).toMatchObject({
    id: one.id,
    relevanceScore: 1,
  });
  expect((await api("POST", "/api/memory/merge", { body: { id: one.id, ids: [NOBODY] } })).status).toBe(404);
  expect((await api("GET", `/api/memory/${one.id}/recall?project=/curate`)).body.data).toMatchObject({
    isInScope: true,
    rank: expect.any(Number),
  });
});

test("what sessions in a project may be given is listed, best first, without the rest", async () => {
  await store({ content: "Its own fact", projectPath: "/listed/repo" });
  await store({ content: "Its older name's", projectPath: "/listed/old" });
  await store({ content: "Another project's", projectPath: "/unlisted" });
  const { body } = await api("GET", "/api/memory/project?project=/listed/repo&folder=/listed/old&limit=2");
  expect(body.data.map((memory: any) => memory.content).toSorted()).toEqual(["Its older name's", "Its own fact"]);
  expect(Object.keys(body.data[0]).toSorted()).toEqual(["chunkType", "content", "createdAt", "id"]);
  expect((await api("GET", "/api/memory/project")).status).toBe(400);
});

test("everything needs credentials; a key with the hooks scope is enough, one without is not", async () => {
  const keyWith = async (scopes: string[]) =>
    createRequest(server.url, {
      Authorization: `Bearer ${(await api("POST", "/api/api-keys", { body: { name: "k", scopes } })).body.data.key}`,
    });
  const [hooks, tasks] = [await keyWith(["hooks"]), await keyWith(["tasks:read"])];
  const routes = [
    ["GET", "/api/memory/search"],
    ["GET", "/api/memory/context"],
    ["GET", "/api/memory/project?project=/x"],
    ["GET", "/api/memory"],
    ["POST", "/api/memory/store"],
    ["POST", "/api/memory/extract"],
    ["POST", "/api/memory/merge"],
    ["POST", "/api/memory/delete"],
    ["POST", "/api/memory/restore"],
    ["GET", `/api/memory/${NOBODY}`],
    ["PUT", `/api/memory/${NOBODY}`],
    ["DELETE", `/api/memory/${NOBODY}`],
    ["GET", `/api/memory/${NOBODY}/recall`],
  ] as const;
  for (const [method, path] of routes) {
    expect((await server.anonymous(method, path)).status).toBe(401);
    expect((await tasks(method, path)).status).toBe(403);
    expect([200, 400, 404]).toContain((await hooks(method, path)).status);
  }
});
