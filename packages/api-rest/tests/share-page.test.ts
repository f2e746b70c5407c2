import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let base: string;
let root: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-share-test-"));
  root = join(base, "vault");
  await mkdir(root);
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

async function share(
  name: string,
  content: string | Uint8Array,
  shareType: "public" | "private" = "private",
): Promise<string> {
  await writeFile(join(root, name), content);
  const opened = await api("POST", "/api/documents/by-path", { body: { path: name } });
  const { id } = opened.body.data.document;
  await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true, shareType } });
  return id;
}
const visit = (path: string) => server.anonymous("GET", path);

describe("the page of a shared document", () => {
  test("shows Markdown, with a policy that runs and loads nothing", async () => {
    const id = await share(
      "page.md",
      "# Title\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n**bold** `code` [web](https://example.com)\n",
    );
    const page = await visit(`/share/${id}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<h1 id="title" dir="auto">Title</h1>');
    expect(page.body).toContain("<strong>bold</strong>");
    expect(page.body).toContain('<table dir="auto">');
    expect(page.body).toContain('<a href="https://example.com" rel="noopener noreferrer nofollow ugc">web</a>');
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'/);
    expect(policy).not.toContain("script");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("says the same of a malformed id as of an unknown one", async () => {
    for (const id of ["nonsense", "01980000-0000-7000-8000-000000000000"]) {
      const page = await visit(`/share/${id}`);
      expect(page.status).toBe(404);
      expect(page.body).toContain("<p>There is no such document.</p>");
    }
  });

  test("is only indexed by search engines if it is public", async () => {
    const hidden = await visit(`/share/${await share("private.md", "x", "private")}`);
    expect(hidden.headers.get("x-robots-tag")).toBe("noindex");
    expect(hidden.body).toContain('<meta name="robots" content="noindex">');
    const open = await visit(`/share/${await share("public.md", "x", "public")}`);
    expect(open.headers.get("x-robots-tag")).toBe(null);
    expect(open.body).not.toContain("noindex");
  });

  test("disappears with the next request after unsharing or deleting", async () => {
    const id = await share("gone.md", "secret words");
    await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: false } });
    expect(await visit(`/share/${id}`)).toMatchObject({
      status: 403,
      body: expect.not.stringContaining("secret words"),
    });
    await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: true } });
    await api("DELETE", `/api/documents/${id}`);
    expect((await visit(`/share/${id}`)).status).toBe(404);
    expect((await visit("/share/nope")).status).toBe(404);
    expect((await visit(`/share/${id}/shown?path=%fe.png`)).status).toBe(404);
    expect((await visit("/share/0196f3a0-0000-7000-8000-000000000000")).status).toBe(404);
  });

  test("omits frontmatter, and shows text as text", async () => {
    const id = await share("front.md", "---\npassword: hunter2\n---\nvisible");
    expect((await visit(`/share/${id}`)).body).not.toContain("hunter2");
    const text = await visit(`/share/${await share("plain.txt", "<b>not bold</b>")}`);
    expect(text.body).toContain("&lt;b&gt;not bold&lt;/b&gt;");
  });

  test("offers a shared binary file for download, and no other file", async () => {
    const id = await share("data.zip", Buffer.from([0x50, 0x4b, 0, 1]));
    expect((await visit(`/share/${id}`)).body).toContain(`/share/${id}/file`);
    const file = await fetch(`${server.url}/share/${id}/file`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from([0x50, 0x4b, 0, 1]));
    expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
    expect((await visit(`/share/${await share("text.md", "x")}/file`)).status).toBe(404);
  });

  test("shows the images that its text embeds, and nothing else of the vault", async () => {
    await mkdir(join(root, "img"));
    for (const name of ["img/a b.png", "other.png", "secret.txt", "evil.svg"]) await writeFile(join(root, name), name);
    const text =
      "![one](img/a%20b.png) ![[other.png]] ![web](https://example.com/x.png) ![svg](evil.svg) [t](secret.txt) ![up](../x.png)";
    const id = await share("images.md", text);
    const { body } = await visit(`/share/${id}`);
    const images = [...String(body).matchAll(/<img src="([^"]+)"/g)].map(([, src = ""]) =>
      src.replaceAll("&amp;", "&"),
    );
    expect(images.every((src) => src.startsWith(`/share/${id}/shown?path=`))).toBe(true);
    await expect
      .poll(async () => Promise.all(images.map(async (src) => (await fetch(server.url + src)).status)), {
        timeout: 5_000,
      })
      .toEqual([200, 200, 404]);
    const shown = (path: string) => visit(`/share/${id}/shown?path=${encodeURIComponent(path)}`);
    for (const path of ["secret.txt", "evil.svg", "images.md", "../x.png", "img", ""])
      expect((await shown(path)).status).toBe(404);
    expect(body).toContain('<a href="https://example.com/x.png"');
    await api("PUT", `/api/documents/${id}/sharing`, { body: { shared: false } });
    expect((await shown("other.png")).status).toBe(403);
  });
});
