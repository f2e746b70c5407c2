import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeZip } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_TOKEN, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let dataDir: string;
const headers = { "X-API-Token": API_TOKEN };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "note-import-server-"));
  server = await startTestServer({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ARCHIVE = makeZip([
  { name: "vault/One.md", content: "# One\n[[Two]]" },
  { name: "vault/sub/Two.md", content: "# Two" },
  { name: "vault/.obsidian/app.json", content: "{}" },
]);

const send = (query: string, options: RequestInit = {}) =>
  fetch(`${server.url}/api/notes/import${query}`, { method: "POST", headers, body: ARCHIVE, ...options });
const report = async (query: string): Promise<any> => {
  const { data }: any = await (await send(query)).json();
  return data;
};
const read = async (path: string) =>
  (await server.withToken("POST", "/api/fs/read", { body: { path } })).body.data?.content;

test("an import is a dry run unless asked otherwise, and leaves nothing behind", async () => {
  const dry = await report("?folder=Notes");
  expect(dry).toMatchObject({ isDryRun: true, format: "obsidian", createdCount: 2, skippedCount: 1 });
  expect(await read("Notes/One.md")).toBeUndefined();
  const done = await report("?folder=Notes&dryRun=false");
  expect(done).toEqual({ ...dry, isDryRun: false });
  expect(await read("Notes/sub/Two.md")).toBe("# Two");
  expect(await report("?folder=Notes&dryRun=false")).toMatchObject({
    createdCount: 0,
    knownCount: 2,
  });
  await expect.poll(() => readdir(join(dataDir, ".note-imports"))).toEqual([]);
});

test("pages that Notion has exported as HTML become notes, linked like the pages", async () => {
  const id = (digit: number) => `${digit}123456789abcdef0123456789abcdef`;
  const page = (title: string, body: string, properties = "") =>
    `<html><head><title>${title}</title></head><body><article class="page sans"><header><h1 class="page-title">${title}</h1>${properties}</header><div class="page-body">${body}</div></article></body></html>`;
  const tags = `<table class="properties"><tbody><tr><th>Tags</th><td><span class="selected-value">birds</span></td></tr><tr><th>Count</th><td>3</td></tr></tbody></table>`;
  const body = makeZip([
    {
      name: `Pond ${id(0)}.html`,
      content: page(
        "Pond",
        `<p>See <a href="Pond%20${id(0)}/Heron%20${id(1)}.html">the heron</a>.</p><figure class="image"><a href="Pond%20${id(0)}/a%20b.png"><img src="Pond%20${id(0)}/a%20b.png"/></a></figure><pre><code class="language-notion-properties">a: b</code></pre>`,
      ),
    },
    {
      name: `Pond ${id(0)}/Heron ${id(1)}.html`,
      content: page("Heron", `<p><a href="../Pond%20${id(0)}.html">up</a></p>`, tags),
    },
    { name: `Pond ${id(0)}/a b.png`, content: "png" },
    { name: `Pond ${id(0)}/Birds ${id(2)}.csv`, content: "Name,Seen\nHeron,Yes\n" },
    { name: `../Out ${id(3)}.html`, content: "<p>out</p>" },
    { name: `Deep ${id(4)}.html`, content: "<div>".repeat(100_000) },
  ]);
  const response: any = await (await send("?folder=Notion&dryRun=false", { body })).json();
  expect(response.data).toMatchObject({ format: "notion", createdCount: 4, skippedCount: 2 });
  expect(await read("Notion/Pond.md")).toBe(
    "# Pond\n\nSee [the heron](Pond/Heron.md).\n\n![](Pond/a%20b.png)\n\n```notion-properties\na: b\n```\n",
  );
  expect(await read("Notion/Pond/Heron.md")).toBe(
    "---\nTags:\n  - birds\nCount: 3\n---\n# Heron\n\n[up](../Pond.md)\n",
  );
  expect(await read("Notion/Pond/Birds.md")).toContain("| Heron | Yes |");
}, 60_000);

test("its progress is sent line by line", async () => {
  const response = await send("?folder=Lines&dryRun=false", {
    headers: { ...headers, Accept: "application/x-ndjson" },
  });
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toEqual({ progress: { done: expect.any(Number), total: 2 } });
  expect(lines.at(-1)).toMatchObject({ data: { createdCount: 2 } });
});

test.each([
  ["no credentials", 401, "", { headers: {} }],
  ["another site", 403, "", { headers: { Origin: "https://evil.example" } }],
  ["another method", 405, "", { method: "PUT" }],
  ["an unknown format", 400, "?format=word", {}],
  ["an unknown parameter", 400, "?dry=1", {}],
  ["a folder outside of the vault", 403, "?folder=../x&dryRun=false", {}],
  ["no archive", 400, "", { body: "hello" }],
  ["nothing", 400, "", { body: "" }],
] as const)("%s is refused with %i", async (_what, status, query, options) => {
  const given = "headers" in options ? options.headers : {};
  const isAnonymous = "headers" in options && Object.keys(options.headers).length === 0;
  const response = await send(query, { ...options, headers: isAnonymous ? {} : { ...headers, ...given } });
  expect(response.status).toBe(status);
  await expect.poll(() => readdir(join(dataDir, ".note-imports"))).toEqual([]);
});

test("an error after the first line is the last line", async () => {
  const broken = makeZip([{ name: "a.md", content: "a" }]).subarray(0, 60);
  const response = await send("", { body: broken, headers: { ...headers, Accept: "application/x-ndjson" } });
  expect(response.status).toBe(400);
});
