import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_TOKEN, startTestServer, type Request, type TestServer } from "./test-server.ts";

let base: string;
let root: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-vault-test-"));
  root = join(base, "vault");
  await writeFile(join(base, "secret.md"), "OUTSIDE");
  await mkdir(root);
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

const write = (path: string, content: string, headers: Record<string, string> = {}) =>
  api("POST", "/api/fs/write", { body: { path, content }, headers });
const open = async (path: string) => (await api("POST", "/api/documents/by-path", { body: { path } })).body.data;

describe("the file system", () => {
  test("returns the contract's shapes and statuses", async () => {
    expect(await write("/fs/a.md", "# A\n")).toMatchObject({
      status: 200,
      body: { data: { path: "/fs/a.md", created: true } },
    });
    const read = await api("POST", "/api/fs/read", { body: { path: "/fs/a.md" } });
    expect(read.body.data).toMatchObject({
      path: "/fs/a.md",
      content: "# A\n",
      modifiedAt: expect.stringMatching(/Z$/),
    });
    expect(read.headers.get("etag")).toBe(`"${read.body.data.contentHash}"`);
    expect((await api("POST", "/api/fs/mkdir", { body: { path: "/fs/dir" } })).body.data).toEqual({
      path: "/fs/dir",
      created: true,
    });
    expect(
      (await api("POST", "/api/fs/rename", { body: { oldPath: "/fs/a.md", newPath: "/fs/b.md" } })).body.data,
    ).toEqual({
      oldPath: "/fs/a.md",
      newPath: "/fs/b.md",
    });
    const moved = await api("POST", "/api/fs/move", { body: { sourcePath: "/fs/b.md", destinationPath: "/fs/dir" } });
    expect(moved.body.data).toEqual({ oldPath: "/fs/b.md", newPath: "/fs/dir/b.md", moved: true });
    const listed = await api("GET", "/api/fs/list?path=/fs&recursive=true");
    expect(listed.body.data).toMatchObject([
      { name: "dir", type: "directory", children: [{ path: "/fs/dir/b.md", size: 4 }] },
    ]);
    const folders = await api("GET", "/api/fs/list?path=/fs&recursive=true&type=directory");
    expect(folders.body.data).toMatchObject([{ name: "dir", type: "directory", children: [] }]);
    expect((await api("POST", "/api/fs/delete", { body: { path: "/fs" } })).body.data).toEqual({
      path: "/fs",
      deleted: true,
    });
  });

  test.each([
    ["read", { path: "/none.md" }, 404],
    ["read", {}, 400],
    ["read", { path: "" }, 400],
    ["read", { path: "/" }, 400],
    ["read", { path: "/.hidden" }, 403],
    ["write", { path: "/x.md" }, 400],
    ["write", { path: "/", content: "" }, 400],
    ["write", { path: `/${"x".repeat(256)}`, content: "" }, 400],
    ["write", { path: "/nul\u0000.md", content: "" }, 400],
    ["mkdir", {}, 400],
    ["mkdir", { path: "/" }, 409],
    ["rename", { oldPath: "/none", newPath: "/x" }, 404],
    ["rename", { oldPath: "/" }, 400],
    ["rename", { oldPath: "/", newPath: "/x" }, 400],
    ["delete", { path: "/none" }, 404],
    ["delete", { path: "/" }, 400],
    ["move", { sourcePath: "/none", destinationPath: "/" }, 404],
    ["move", { sourcePath: "/", destinationPath: "/" }, 400],
  ])("%s %j is %i", async (operation, body, status) => {
    expect(await api("POST", `/api/fs/${operation}`, { body })).toMatchObject({ status, body: { statusCode: status } });
  });

  test("list is 404 for anything but a directory, and strict about parameters", async () => {
    await write("/list.md", "x");
    expect((await api("GET", "/api/fs/list?path=/none")).status).toBe(404);
    expect((await api("GET", "/api/fs/list?path=/list.md")).status).toBe(404);
    expect((await api("GET", "/api/fs/list?recursive=yes")).status).toBe(400);
    expect((await api("GET", "/api/fs/list?type=file")).status).toBe(400);
    expect((await api("GET", "/api/fs/list?path=")).status).toBe(200);
  });
});

describe("traversal", () => {
  const CLIMBS = [
    "../secret.md",
    "/../secret.md",
    "a/../../secret.md",
    "./../secret.md",
    "..",
    "a/..",
    "../vault/x.md",
  ];
  const ENCODINGS: ((path: string) => string)[] = [
    (path) => path,
    (path) => path.replaceAll("/", "\\"),
    (path) => path.replaceAll(".", "%2e"),
    (path) => path.replaceAll("/", "%2F"),
    (path) => path.replaceAll(".", "%2e").replaceAll("/", "%2f"),
    (path) => path.replaceAll(".", "%252e").replaceAll("/", "%252f"),
    (path) => path.replaceAll("/", "%5c"),
    (path) => path.replaceAll("/", "%c0%af"),
  ];
  const ELSEWHERE = [
    "//etc/passwd",
    "C:/windows",
    "file:///etc/passwd",
    ".env",
    "a/.git/config",
    "%2eenv",
    "a/%2egit/x",
  ];
  const ATTACKS = [...new Set([...CLIMBS.flatMap((path) => ENCODINGS.map((encode) => encode(path))), ...ELSEWHERE])];
  const FIELDS: [string, string, (path: string) => object | undefined][] = [
    ["POST", "/api/fs/read", (path) => ({ path })],
    ["POST", "/api/fs/write", (path) => ({ path, content: "x" })],
    ["POST", "/api/fs/mkdir", (path) => ({ path })],
    ["POST", "/api/fs/delete", (path) => ({ path })],
    ["POST", "/api/fs/rename", (path) => ({ oldPath: path, newPath: "/x" })],
    ["POST", "/api/fs/rename", (path) => ({ oldPath: "/list.md", newPath: path })],
    ["POST", "/api/fs/move", (path) => ({ sourcePath: path, destinationPath: "/" })],
    ["POST", "/api/fs/move", (path) => ({ sourcePath: "/list.md", destinationPath: path })],
    ["POST", "/api/documents/by-path", (path) => ({ path })],
    ["GET", "/api/fs/list", () => undefined],
    ["GET", "/api/fs/raw", () => undefined],
    ["PUT", "/api/fs/raw", () => undefined],
  ];

  test(`${ATTACKS.length} attacks on each of ${FIELDS.length} path fields are all 403, and nothing is changed`, async () => {
    const wrong: string[] = [];
    for (const [method, address, toBody] of FIELDS) {
      for (const attack of ATTACKS) {
        const body = toBody(attack);
        const query = body === undefined ? `?path=${encodeURIComponent(attack)}` : "";
        const response = await api(method, address + query, body === undefined ? {} : { body });
        if (response.status !== 403) wrong.push(`${method} ${address} ${attack}: ${response.status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect((await readdir(base)).toSorted()).toEqual(["secret.md", "vault"]);
  });
});

describe("conditional requests", () => {
  test("If-Match lets one of many writers through, the others get 412", async () => {
    const first = await write("/race.md", "start");
    const etag = first.headers.get("etag") ?? "";
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => write("/race.md", `writer ${index}`, { "If-Match": etag })),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(99);
  });

  test("If-Match also applies to documents, deletion and versions, and supports *, weak and several tags", async () => {
    const { headers } = await write("/cond.md", "one");
    const old = headers.get("etag") ?? "";
    await write("/cond.md", "two");
    const { document } = await open("/cond.md");
    const put = (match: string, body: object) =>
      api("PUT", `/api/documents/${document.id}`, { body, headers: { "If-Match": match } });
    expect((await put(old, { body: "x" })).status).toBe(412);
    expect((await put(`W/"${document.contentHash}"`, { body: "x" })).status).toBe(412);
    expect((await put(`"${document.contentHash}"`, { body: "x", expectedHash: "other" })).status).toBe(400);
    expect((await api("DELETE", `/api/documents/${document.id}`, { headers: { "If-Match": old } })).status).toBe(412);
    const versions = await api("GET", `/api/documents/${document.id}/versions`);
    const restore = `/api/documents/${document.id}/versions/${versions.body.data[0].id}/restore`;
    expect((await api("POST", restore, { headers: { "If-Match": old } })).status).toBe(412);
    const changed = await put(`${old}, "${document.contentHash}"`, { body: "three" });
    expect(changed).toMatchObject({ status: 200, body: { data: { body: "three" } } });
    expect(changed.headers.get("etag")).toBe(`"${changed.body.data.document.contentHash}"`);
    expect((await put("*", { body: "four" })).status).toBe(200);
    expect((await api("POST", restore)).body.data.body).toBe("one");
  });
});

describe("documents", () => {
  test("have the contract's life cycle", async () => {
    await writeFile(join(root, "life.md"), "---\ntitle: Life\n---\nbody");
    const opened = await api("POST", "/api/documents/by-path", { body: { path: "life.md" } });
    expect(opened).toMatchObject({
      status: 200,
      body: {
        data: {
          document: { title: "Life", path: "life.md", shared: false },
          metadata: { title: "Life" },
          body: "body",
        },
      },
    });
    const { id } = opened.body.data.document;
    expect(
      (await api("PUT", `/api/documents/${id}`, { body: { shared: true, shareType: "public" } })).body.data.document,
    ).toMatchObject({
      shared: true,
      shareType: "public",
    });
    expect((await api("DELETE", `/api/documents/${id}`)).body).toEqual({ data: { id, deleted: true } });
    const listed = await api("GET", "/api/documents?includeDeleted=true&search=life");
    expect(listed.body.data[0]).toMatchObject({ id, deletedAt: expect.any(String) });
    expect((await api("POST", `/api/documents/${id}/restore`)).body).toEqual({
      data: { id, title: "Life", deletedAt: null },
    });
    expect((await api("POST", `/api/documents/${id}/restore`)).status).toBe(400);
    expect((await api("GET", "/api/documents/no-uuid")).status).toBe(404);
    expect((await api("GET", "/api/documents?fileType=pdf")).status).toBe(400);
    expect((await api("POST", "/api/documents/by-path", { body: { path: "none.md" } })).status).toBe(404);
  });

  test("are public as far as they are shared, and not otherwise", async () => {
    await write("/pub.md", "# Public\n");
    const { document } = await open("/pub.md");
    const address = `/api/documents/${document.id}/public`;
    expect((await server.anonymous("GET", "/api/documents/nope/public")).status).toBe(400);
    expect((await server.anonymous("GET", "/api/documents/0196f3a0-0000-7000-8000-000000000000/public")).status).toBe(
      404,
    );
    expect((await server.anonymous("GET", address)).status).toBe(403);
    await api("PUT", `/api/documents/${document.id}/sharing`, { body: { shared: true, shareType: "private" } });
    const linked = await server.anonymous("GET", address);
    expect(linked.body.data).toMatchObject({ content: "# Public\n", isOwner: false });
    expect(linked.headers.get("x-robots-tag")).toBe("noindex");
    expect((await api("GET", address)).body.data.isOwner).toBe(true);
    await api("PUT", `/api/documents/${document.id}/sharing`, { body: { shared: true, shareType: "public" } });
    expect((await server.anonymous("GET", address)).headers.get("x-robots-tag")).toBe(null);
    await api("DELETE", `/api/documents/${document.id}`);
    expect((await server.anonymous("GET", address)).status).toBe(404);
  });

  test("accept contents of up to 32 MiB", async () => {
    expect((await write("/large.txt", "x".repeat(20 * 1024 * 1024))).status).toBe(200);
    expect((await write("/larger.txt", "x".repeat(33 * 1024 * 1024))).status).toBe(413);
  });
});

describe("raw files", () => {
  const raw = async (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/fs/raw?path=${encodeURIComponent(path)}`, {
      method,
      ...init,
      headers: { "X-API-Token": API_TOKEN, ...(init.headers as Record<string, string> | undefined) },
    });
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));

  test("are uploaded and read back byte for byte, also by range", async () => {
    const put = await raw("PUT", "/raw/a.bin", { body: bytes });
    expect(put.status).toBe(200);
    expect(await put.json()).toMatchObject({ data: { path: "/raw/a.bin", created: true } });
    const get = await raw("GET", "/raw/a.bin");
    expect(get.status).toBe(200);
    expect(get.headers.get("etag")).toBe(put.headers.get("etag"));
    expect(Buffer.from(await get.arrayBuffer())).toEqual(bytes);
    for (const [range, contentRange, expected] of [
      ["bytes=0-9", "bytes 0-9/1000", bytes.subarray(0, 10)],
      ["bytes=990-", "bytes 990-999/1000", bytes.subarray(990)],
      ["bytes=-5", "bytes 995-999/1000", bytes.subarray(995)],
      ["bytes=500-9999", "bytes 500-999/1000", bytes.subarray(500)],
    ] as const) {
      const part = await raw("GET", "/raw/a.bin", { headers: { Range: range } });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, contentRange]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(expected);
    }
    const behind = await raw("GET", "/raw/a.bin", { headers: { Range: "bytes=1000-" } });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, "bytes */1000"]);
    expect(behind.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(behind.headers.get("content-disposition")).toBe(null);
    expect(await behind.json()).toMatchObject({ statusCode: 416, statusMessage: "Range Not Satisfiable" });
    expect((await raw("GET", "/raw/a.bin", { headers: { Range: "bytes=0-1,3-4" } })).status).toBe(200);
    expect(
      (await raw("GET", "/raw/a.bin", { headers: { "If-None-Match": get.headers.get("etag") ?? "" } })).status,
    ).toBe(304);
    const head = await raw("HEAD", "/raw/a.bin");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000"]);
  });

  test("are written conditionally, and require a path and credentials", async () => {
    expect((await raw("PUT", "/raw/a.bin", { body: "x", headers: { "If-None-Match": "*" } })).status).toBe(412);
    expect((await raw("PUT", "/raw/a.bin", { body: "x", headers: { "If-Match": '"stale"' } })).status).toBe(412);
    expect((await raw("PUT", "/raw", { body: "x" })).status).toBe(400);
    expect((await raw("GET", "/raw")).status).toBe(400);
    expect((await raw("GET", "/none")).status).toBe(404);
    expect((await raw("DELETE", "/raw/a.bin")).status).toBe(405);
    expect((await fetch(`${server.url}/api/fs/raw?path=/raw/a.bin`)).status).toBe(401);
    expect((await fetch(`${server.url}/api/fs/raw?path=/raw/a.bin`, { method: "PUT", body: "x" })).status).toBe(401);
    expect((await raw("PUT", "/raw/a.bin", { body: "x", headers: { Origin: "https://evil.example" } })).status).toBe(
      403,
    );
    expect((await raw("GET", "/raw/a.bin")).headers.get("content-length")).toBe("1000");
  });

  test("are the same file at a URL with the content's hash, as used by the pages", async () => {
    await api("POST", "/api/fs/write", { body: { path: "/hashed.txt", content: "text" } });
    expect((await api("GET", "/api/fs/raw?path=/hashed.txt&v=0123abcd")).status).toBe(200);
  });

  test("accept each parameter once, and true or false for a download", async () => {
    const get = (query: string) => api("GET", `/api/fs/raw?path=/raw/a.bin${query}`);
    for (const [value, status] of [
      ["true", 200],
      ["false", 200],
      ["maybe", 400],
      ["1", 400],
      ["", 400],
    ] as const) {
      expect([value, (await get(`&download=${value}`)).status]).toEqual([value, status]);
    }
    expect((await get("&path=/b")).body.message).toBe("path: is given more than once");
    expect((await api("GET", "/api/fs/raw")).body.message).toBe("path: is required");
  });

  test("never run in a browser", async () => {
    for (const name of [
      "evil.html",
      "evil.svg",
      "evil.xml",
      "evil.xhtml",
      "evil.js",
      "evil",
      'a"; x=".html',
      "ü\n.htm",
    ]) {
      // Written by another program, because a name with a control character is refused here.
      await writeFile(join(root, name), "<script>alert(1)</script>");
      const { headers } = await raw("GET", `/${name}`);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[^"\n]*"; filename\*=UTF-8''[!-~]*$/);
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    await raw("PUT", "/shown.png", { body: "not really" });
    expect((await raw("GET", "/shown.png")).headers.get("content-disposition")).toMatch(/^inline/);
  });

  test("leave nothing behind after an interrupted upload", async () => {
    const before = await readdir(root);
    const aborted = new AbortController();
    const endless = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024));
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const upload = raw("PUT", "/broken-off.bin", {
      body: endless,
      signal: aborted.signal,
      duplex: "half",
    });
    setTimeout(() => aborted.abort(), 200);
    await expect(upload).rejects.toThrow();
    await expect.poll(() => readdir(root), { timeout: 5_000 }).toEqual(before);
  });
});
