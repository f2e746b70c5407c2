import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const CREATORS = 100;
const PAST = "Sat, 01 Jan 2000 00:00:00 GMT";
const FUTURE = "Fri, 01 Jan 2100 00:00:00 GMT";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = server.withToken;
});
afterAll(() => server.close());

const write = (path: string, content: string, headers: Record<string, string> = {}) =>
  api("POST", "/api/fs/write", { body: { path, content }, headers });
const read = async (path: string) => (await api("POST", "/api/fs/read", { body: { path } })).body.data.content;

describe("fs/write with If-None-Match: *", () => {
  const onlyNew = { "If-None-Match": "*" };

  test("creates a file, and is 412 if one exists", async () => {
    expect(await write("/new.md", "one", onlyNew)).toMatchObject({ status: 200, body: { data: { created: true } } });
    expect((await write("/new.md", "two", onlyNew)).status).toBe(412);
    expect(await read("/new.md")).toBe("one");
  });

  test("exactly one of many concurrent writes creates the file, complete", async () => {
    const writes = Array.from({ length: CREATORS }, (_, index) => write("/race.md", `writer ${index}`, onlyNew));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(CREATORS - 1);
    expect(await read("/race.md")).toBe(`writer ${statuses.indexOf(200)}`);
  });

  test("is refused with entity tags, which writes do not support", async () => {
    expect((await write("/tags.md", "x", { "If-None-Match": '"abc"' })).status).toBe(400);
    const raw = { raw: { text: "x", type: "text/plain" }, headers: { "If-None-Match": '"abc"' } };
    expect((await api("PUT", "/api/fs/raw?path=/tags.md", raw)).status).toBe(400);
  });

  test("createOnly in the body is still 409", async () => {
    const body = { path: "/new.md", content: "x", createOnly: true };
    expect((await api("POST", "/api/fs/write", { body })).status).toBe(409);
  });
});

describe.each(["GET", "HEAD"])("%s /api/fs/raw", (method) => {
  const url = "/api/fs/raw?path=/raw.txt";
  let etag: string;
  let modified: string;

  beforeAll(async () => {
    await write("/raw.txt", "0123456789");
    const { headers } = await api("GET", url);
    etag = headers.get("etag") ?? "";
    modified = headers.get("last-modified") ?? "";
  });

  test.each<[string, () => Record<string, string>, number]>([
    ["its own tag in If-Match", () => ({ "If-Match": etag }), 200],
    ["its tag in a list", () => ({ "If-Match": `"x", ${etag}` }), 200],
    ["any", () => ({ "If-Match": "*" }), 200],
    ["another tag", () => ({ "If-Match": '"x"' }), 412],
    ["its tag as a weak one", () => ({ "If-Match": `W/${etag}` }), 412],
    ["unmodified since then", () => ({ "If-Unmodified-Since": modified }), 200],
    ["unmodified since long ago", () => ({ "If-Unmodified-Since": PAST }), 412],
    ["If-Match before If-Unmodified-Since", () => ({ "If-Match": etag, "If-Unmodified-Since": PAST }), 200],
    ["If-Match before If-None-Match", () => ({ "If-Match": '"x"', "If-None-Match": etag }), 412],
    ["its own tag in If-None-Match", () => ({ "If-None-Match": etag }), 304],
    ["its weak tag in If-None-Match", () => ({ "If-None-Match": `"x", W/${etag}` }), 304],
    ["any in If-None-Match", () => ({ "If-None-Match": "*" }), 304],
    ["another tag in If-None-Match", () => ({ "If-None-Match": '"x"' }), 200],
    ["modified since then", () => ({ "If-Modified-Since": modified }), 304],
    ["modified since tomorrow", () => ({ "If-Modified-Since": FUTURE }), 304],
    ["modified since long ago", () => ({ "If-Modified-Since": PAST }), 200],
    ["If-None-Match before If-Modified-Since", () => ({ "If-None-Match": '"x"', "If-Modified-Since": FUTURE }), 200],
    ["a time that is none", () => ({ "If-Modified-Since": "tomorrow", "If-Unmodified-Since": "1" }), 200],
    ["If-Match before Range", () => ({ "If-Match": '"x"', Range: "bytes=0-1" }), 412],
  ])("%s", async (_what, headers, status) => {
    expect((await api(method, url, { headers: headers() })).status).toBe(status);
  });

  test.each<[string, () => string, number]>([
    ["its tag", () => etag, 206],
    ["its tag as a weak one", () => `W/${etag}`, 200],
    ["another tag", () => '"x"', 200],
    ["a time long ago", () => PAST, 200],
    ["the time of a change that is just past", () => modified, 200],
  ])("If-Range with %s", async (_what, ifRange, status) => {
    await write("/raw.txt", "0123456789");
    const fresh = (await api("GET", url)).headers.get("last-modified") ?? "";
    const header = ifRange() === modified ? fresh : ifRange();
    const response = await api(method, url, { headers: { Range: "bytes=2-4", "If-Range": header } });
    expect([response.status, method === "HEAD" ? null : response.body]).toEqual([
      status,
      method === "HEAD" ? null : status === 206 ? "234" : "0123456789",
    ]);
  });
});

test("a document is 304 for clients that have it, and has the same tag as its file", async () => {
  await write("/doc.md", "# Doc");
  const opened = await api("POST", "/api/documents/by-path", { body: { path: "/doc.md" } });
  const url = `/api/documents/${opened.body.data.document.id}`;
  const etag = opened.headers.get("etag") ?? "";
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    expect((await api("GET", url, { headers: { "If-None-Match": header } })).status).toBe(304);
  }
  expect((await api("GET", url, { headers: { "If-None-Match": '"x"' } })).status).toBe(200);
  await write("/doc.md", "# Doc, changed");
  expect((await api("GET", url, { headers: { "If-None-Match": etag } })).status).toBe(200);
});

describe("an update of a document that changes nothing", () => {
  test.each<[string, string, object]>([
    ["a title from the frontmatter", "---\ntitle: 'Own'\ntags: [a, b]\n---\nText", { title: "Own", tags: ["a", "b"] }],
    ["a title from a heading", "Text\n\nOwn\n===\n", { title: "Own" }],
    ["a title from the file's name", "Text", { title: "unchanged" }],
    ["a title that is a number", "---\ntitle: 2026\n---\nText", { title: "2026" }],
    ["tags on one line", "---\ntags: a, b\n---\nText", { tags: ["a", "b", "a"] }],
    ["no tags", "Text", { tags: [] }],
    ["the body", "---\r\ntitle: T\r\n---\r\nText\r\n", { body: "Text\r\n" }],
    ["sharing, project and all", "# Own", { title: "Own", tags: [], shared: false, shareType: null, projectId: null }],
    ["nothing at all", "# Own", {}],
  ])("writes no byte, no version and no time: %s", async (_what, content, patch) => {
    await write("/unchanged.md", content);
    const { body: before } = await api("POST", "/api/documents/by-path", { body: { path: "/unchanged.md" } });
    const url = `/api/documents/${before.data.document.id}`;
    const versions = (await api("GET", `${url}/versions`)).body.data.length;
    const { status, body } = await api("PUT", url, { body: patch });
    expect([status, body]).toEqual([200, before]);
    expect(await read("/unchanged.md")).toBe(content);
    expect((await api("GET", `${url}/versions`)).body.data).toHaveLength(versions);
  });

  test("of a text file, whose title is in the database, does not change its time either", async () => {
    await write("/unchanged.txt", "Text");
    const { body: before } = await api("POST", "/api/documents/by-path", { body: { path: "/unchanged.txt" } });
    const url = `/api/documents/${before.data.document.id}`;
    expect((await api("PUT", url, { body: { title: "unchanged", tags: [] } })).body).toEqual(before);
    const changed = await api("PUT", url, { body: { title: "Changed" } });
    expect(changed.body.data.document.title).toBe("Changed");
  });

  test("keeps the title if a new body would remove it", async () => {
    await write("/kept.md", "# Own\n");
    const { body } = await api("POST", "/api/documents/by-path", { body: { path: "/kept.md" } });
    const url = `/api/documents/${body.data.document.id}`;
    const changed = await api("PUT", url, { body: { title: "Own", body: "# Other\n" } });
    expect(changed.body.data.document.title).toBe("Own");
    expect(await read("/kept.md")).toBe("---\ntitle: Own\n---\n# Other\n");
  });
});
