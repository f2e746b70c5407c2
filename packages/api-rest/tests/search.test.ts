import { API_KEY_SCOPES, type ApiKeyScope } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let everything: Request;

async function program(scopes: readonly ApiKeyScope[]): Promise<Request> {
  const { body } = await api("POST", "/api/api-keys", { body: { name: "k", scopes } });
  return createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
}

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  everything = await program(API_KEY_SCOPES);
});
afterAll(() => server.close());

test("the search over everything returns what it found as plain text, and a key gets what its scopes allow", async () => {
  const { id } = (await everything("POST", "/api/v1/tasks", { body: { title: "Polish the <b>xylophone</b>" } })).body
    .data;
  await everything("POST", "/api/v1/memory", { body: { content: "The xylophone is in the attic", chunkType: "fact" } });
  const reader = await program(["tasks:read"]);
  const found = async (request: Request, query: string) =>
    (await request("GET", `/api/v1/search?q=${query}`)).body.data?.map(({ kind }: { kind: string }) => kind);
  expect((await reader("GET", "/api/v1/search?q=xylphone&limit=5")).body.data).toEqual([
    {
      kind: "task",
      id,
      title: "Polish the <b>xylophone</b>",
      titleMatches: [{ start: 14, end: 23 }],
      excerpt: null,
      excerptMatches: [],
      hasAllWords: true,
      occurredAt: expect.any(String),
      url: `/tasks?task=${id}`,
    },
  ]);
  expect(await found(everything, "xylophone")).toEqual(["task", "memory"]);
  expect(await found(everything, "xylophone&kinds=memory&kinds=task")).toEqual(["task", "memory"]);
  expect(await found(everything, "xylophone&kinds=agent")).toEqual([]);
  const refused = await reader("GET", "/api/v1/search?q=xylophone&kinds=memory");
  expect([refused.status, refused.body.message]).toEqual([
    403,
    "kinds: the scopes of the API key do not include memory",
  ]);
});

test.each([
  ["", /q: is required/],
  ["q=", /q: is required/],
  ["q=%20%09", /q: is required/],
  [`q=${"x".repeat(10_000)}`, /q: must be at most 1,000 characters/],
  ["q=a%00b", /NUL|null/i],
  ["q=a&kinds=nothing", /kinds/],
  ["q=a&limit=0", /limit/],
  ["q=a&limit=51", /limit/],
])("a search for %j is refused with what is wrong", async (query, message) => {
  const { status, body } = await everything("GET", `/api/v1/search?${query.slice(0, 12_000)}`);
  expect(status).toBe(400);
  expect(body.message).toMatch(message);
});

test("a note is found by its text as soon as it is written", async () => {
  for (const word of ["quixotic", "zephyr", "marmalade"]) {
    const content = `# Haystack\n\nSomewhere here is the word ${word}, once.\n`;
    await api("POST", "/api/fs/write", { body: { path: `Deep/${word}.md`, content } });
    const { data } = (await api("GET", `/api/search?q=${word}`)).body;
    expect(data.map(({ kind, excerptMatches }: any) => [kind, excerptMatches.length])).toEqual([["document", 1]]);
  }
});
