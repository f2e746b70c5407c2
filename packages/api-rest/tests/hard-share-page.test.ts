import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createPageRenderer } from "../src/vault-routes/page-renderer.ts";
import { createRenderThread, createRenderThreads } from "../src/vault-routes/render-thread.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const WORKER_URL = new URL("../dist/share-page-worker.js", import.meta.url);
const FILE_URL = "/share/1/shown?path=";
/** Takes longer than a text may. */
const HARD_TEXT = "[".repeat(480_000);

let base: string;
let root: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-hard-share-test-"));
  root = join(base, "vault");
  await mkdir(root);
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

async function share(name: string, content: string): Promise<string> {
  await writeFile(join(root, name), content);
  const opened = await api("POST", "/api/documents/by-path", { body: { path: name } });
  const { id } = opened.body.data.document;
  await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true, shareType: "private" } });
  return id;
}

const visit = (path: string) => server.anonymous("GET", path);

test("delays no other requests while it renders a text that takes long, which it does once", async () => {
  const id = await share("hard.md", HARD_TEXT);
  const state = { isShown: false };
  const page = visit(`/share/${id}`).finally(() => (state.isShown = true));
  let responses = 0;
  while (!state.isShown) {
    expect((await visit("/api/health")).status).toBe(200);
    responses += 1;
  }
  expect(responses).toBeGreaterThan(3);
  const { body } = await page;
  expect(body).toContain("[[[[");
  expect((await visit(`/share/${id}`)).body).toBe(body);
});

test("renders the beginning of a text that is too long for it, and shows the rest as it was written", async () => {
  const { body } = await visit(`/share/${await share("book.md", "Some **bold** words.\n\n".repeat(40_000))}`);
  const [before = "", rest = ""] = body.split("The rest takes too long to lay out");
  const rendered = before.split("<strong>bold</strong>").length - 1;
  expect(rendered).toBeGreaterThan(0);
  expect(rendered + rest.split("**bold**").length - 1).toBe(40_000);
});

test("shows a text that cannot be rendered as plain text", async () => {
  const { body } = await visit(`/share/${await share("deep.md", ">".repeat(400_000))}`);
  expect(body).toContain('<pre class="plain">&gt;&gt;&gt;');
});

test("shows a long text completely, escaped, and with its characters intact", async () => {
  const text = `${"a".repeat(128 * 1024 - 1)}😀<b>&${"é".repeat(2_200_000)}😀`;
  const { body } = await visit(`/share/${await share("long.md", text)}`);
  expect(body).toContain("a😀&lt;b&gt;&amp;é");
  expect(body).toContain("é😀</pre>");
});

test("only renders a text again if it has changed", async () => {
  const id = await share("changing.md", "# One\n\ntext");
  expect((await visit(`/share/${id}`)).body).toContain('<h1 id="one" dir="auto">One</h1>');
  await api("POST", "/api/fs/write", { body: { path: "changing.md", content: "# Two\n\ntext" } });
  expect((await visit(`/share/${id}`)).body).toContain('<h1 id="two" dir="auto">Two</h1>');
});

test("limits how many texts one address may have rendered, and sends Retry-After", async () => {
  const id = await share("limited.md", "x");
  let refused = 0;
  for (let version = 0; version < 260 && refused === 0; version += 1) {
    await writeFile(join(root, "limited.md"), `# Version ${version}`);
    const page = await visit(`/share/${id}`);
    if (page.status !== 429) continue;
    refused += 1;
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(refused).toBe(1);
  // Cached pages are available to everyone.
  await writeFile(join(root, "limited.md"), "# Version 1");
  expect((await visit(`/share/${id}`)).status).toBe(200);
});

test("renders a text once for concurrent requests, and stops its thread when it is idle", async () => {
  const thread = createRenderThread({ workerUrl: WORKER_URL, idleMs: 10 });
  onTestFinished(() => thread.close());
  const renderer = createPageRenderer(thread);
  const request = { text: "**bold**", fileUrl: FILE_URL };
  const [one, other] = [renderer.render(request), renderer.render(request)];
  expect(await one).toBe('<p dir="auto"><strong>bold</strong></p>\n');
  expect(await other).toBe(await one);
  expect(renderer.known(request)).toBe(await one);
  await expect.poll(() => thread.isRunning).toBe(false);
  expect(await renderer.render({ text: "_again_", fileUrl: FILE_URL })).toBe('<p dir="auto"><em>again</em></p>\n');
});

test("evicts the least recently used pages", async () => {
  const thread = createRenderThread({ workerUrl: WORKER_URL });
  onTestFinished(() => thread.close());
  const renderer = createPageRenderer(thread, 2_000);
  const requests = ["a", "b", "c"].map((letter) => ({ text: letter.repeat(700), fileUrl: FILE_URL }));
  for (const request of requests) await renderer.render(request);
  expect(requests.map((request) => renderer.known(request) === undefined)).toEqual([true, false, false]);
});

test("renders the next text after one that it had to give up", async () => {
  const thread = createRenderThread({ workerUrl: WORKER_URL, deadlineMs: 500 });
  onTestFinished(() => thread.close());
  expect(await thread.render({ text: HARD_TEXT, fileUrl: FILE_URL })).toBe("too hard");
  expect(await thread.render({ text: "next", fileUrl: FILE_URL })).toEqual({ html: '<p dir="auto">next</p>\n' });
});

test("renders a short text while long ones take all the time they are allowed", async () => {
  const threads = createRenderThreads({ workerUrl: WORKER_URL });
  onTestFinished(() => threads.close());
  let longOnes = 0;
  for (let index = 0; index < 8; index += 1) {
    void threads.render({ text: `${index}${HARD_TEXT}`, fileUrl: FILE_URL }).then(() => (longOnes += 1));
  }
  expect(await threads.render({ text: "short", fileUrl: FILE_URL })).toEqual({ html: '<p dir="auto">short</p>\n' });
  expect(longOnes).toBe(0);
});

test("queues only a limited number of texts", async () => {
  const thread = createRenderThread({ workerUrl: WORKER_URL });
  onTestFinished(() => thread.close());
  const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
  const renderings = await Promise.all(texts.map((text) => thread.render({ text, fileUrl: FILE_URL })));
  expect(renderings[0]).toEqual({ html: '<p dir="auto">text 0</p>\n' });
  expect(renderings.at(-1)).toBe("too busy");
});
