import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

let base: string;
let root: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-documents-test-"));
  root = join(base, "vault");
  await mkdir(root);
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

async function add(path: string, content: string | Uint8Array): Promise<any> {
  await writeFile(join(root, path), content);
  return (await api("POST", "/api/documents/by-path", { body: { path } })).body.data;
}
const put = (id: string, body: object) => api("PUT", `/api/documents/${id}`, { body });

describe("a document", () => {
  test("is returned according to its type: frontmatter and body, text, or no content for a binary file", async () => {
    const note = await add("note.md", "---\ntitle: Notes\ntags: [a, b]\nowner: Ada\n---\n# Head\n");
    expect(note).toEqual({
      document: {
        id: UUID,
        title: "Notes",
        path: "note.md",
        fileType: "markdown",
        shared: false,
        shareType: null,
        tags: ["a", "b"],
        textTags: [],
        projectId: null,
        project: null,
        size: 52,
        contentHash: HASH,
        createdAt: TIMESTAMP,
        modifiedAt: TIMESTAMP,
        deletedAt: null,
      },
      metadata: { title: "Notes", tags: ["a", "b"], owner: "Ada" },
      body: "# Head\n",
      // Another program wrote it.
      author: null,
    });
    expect(await add("list.txt", "one\n")).toMatchObject({
      document: { title: "list", fileType: "text" },
      metadata: { title: "list", tags: [] },
      body: "one\n",
    });
    expect(await add("data.bin", Buffer.from([0, 255]))).toMatchObject({
      document: { title: "data", fileType: "binary" },
      metadata: { title: "data" },
      body: "",
    });
  });

  test("accepts changes of any field, and only writes what was changed", async () => {
    const project = (await api("POST", "/api/projects", { body: { name: "House", color: "#112233" } })).body.data;
    const { document } = await add("change.md", "---\n# kept\ntitle: Old # why\nx: 1\n---\nbody\n");
    const changed = await put(document.id, {
      title: "New",
      tags: ["t"],
      projectId: project.id,
      shared: true,
      body: "other\n",
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: {
          document: { id: document.id, title: "New", tags: ["t"], project: { id: project.id, name: "House" } },
          metadata: { title: "New", tags: ["t"], x: 1 },
          body: "other\n",
        },
      },
    });
    expect(changed.body.data.document).toMatchObject({ shared: true, shareType: null });
    const text = await readFile(join(root, "change.md"), "utf8");
    expect(text).toMatch(/^---\n# kept\ntitle: New # why\nx: 1\ntags:[^]*---\nother\n$/);
    expect((await put(document.id, { projectId: null })).body.data.document.project).toBe(null);
  });

  test.each([
    [{ title: "" }, 400],
    [{ title: 5 }, 400],
    [{ tags: "a" }, 400],
    [{ shared: "true" }, 400],
    [{ shareType: "secret" }, 400],
    [{ projectId: "none" }, 400],
    [{ body: null }, 400],
    [{ unknown: 1 }, 200],
    [{}, 200],
  ])("a change to %j is %i", async (body, status) => {
    const { document } = await add("strict.md", "x");
    expect((await put(document.id, body)).status).toBe(status);
  });

  test("that is binary can be shared, but not edited", async () => {
    const { document } = await add("shared.bin", Buffer.from([0, 1]));
    expect((await put(document.id, { title: "x" })).status).toBe(400);
    const shared = await api("PUT", `/api/documents/${document.id}/sharing`, { body: { shared: true } });
    expect(shared.status).toBe(200);
    const seen = await server.anonymous("GET", `/api/documents/${document.id}/public`);
    expect(seen.body.data).toEqual({
      document: {
        id: document.id,
        title: "shared",
        path: "shared.bin",
        fileType: "binary",
        shared: true,
        shareType: null,
        tags: [],
        createdAt: TIMESTAMP,
        modifiedAt: TIMESTAMP,
        creatorName: expect.any(String),
      },
      content: null,
      isOwner: false,
    });
  });

  test("is not restored if its path is taken, and otherwise restored byte for byte", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x23, 0x20, 0x41, 0x0d, 0x0a, 0xff]);
    const { document } = await add("back.bin", bytes);
    await api("DELETE", `/api/documents/${document.id}`);
    await writeFile(join(root, "back.bin"), "taken");
    expect((await api("POST", `/api/documents/${document.id}/restore`)).status).toBe(409);
    const restore = (body: object) => api("POST", `/api/documents/${document.id}/restore`, { body });
    expect((await restore({ path: "../back.bin" })).status).toBe(403);
    expect((await restore({ path: "back.md" })).status).toBe(400);
    expect((await restore({ path: "back 2.bin" })).status).toBe(200);
    expect(await readFile(join(root, "back 2.bin"))).toEqual(bytes);
    await api("DELETE", `/api/documents/${document.id}`);
    expect((await api("POST", `/api/documents/${document.id}/restore`)).status).toBe(200);
    expect(await readFile(join(root, "back 2.bin"))).toEqual(bytes);
  });
});

describe("the list", () => {
  test("contains all documents without their content, most recently changed first", async () => {
    await add("first.md", "# First\nzebra");
    await add("second.md", "# Second\nzebra");
    const { status, body } = await api("GET", "/api/documents");
    expect(status).toBe(200);
    const times = body.data.map((item: any) => item.modifiedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const item of body.data) {
      expect(item).toMatchObject({ id: UUID, title: expect.any(String), path: expect.any(String) });
      expect(item).not.toHaveProperty("content");
      expect(item).not.toHaveProperty("body");
    }
    const found = await api("GET", "/api/documents?search=ZEBRA&fileType=markdown");
    expect(found.body.data.map((item: any) => item.title)).toEqual(["Second", "First"]);
    const best = await api("GET", "/api/documents/search?query=first");
    expect(best.body.data[0]).toMatchObject({ title: "First", path: "first.md" });
  });
});

describe("versions", () => {
  test("are listed newest first, read, and restored", async () => {
    const { document } = await add("versions.md", "zero");
    for (const body of ["one", "two"]) await put(document.id, { body });
    const address = `/api/documents/${document.id}/versions`;
    const { status, body } = await api("GET", address);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    const [newer, older] = body.data;
    expect(older).toEqual({
      id: UUID,
      documentId: document.id,
      path: "versions.md",
      size: 4,
      contentHash: document.contentHash,
      createdAt: TIMESTAMP,
      author: null,
    });
    expect(newer.author).toEqual({ kind: "person", name: "Ada", userId: UUID });
    expect((await api("GET", `${address}/${newer.id}`)).body.data).toEqual({ ...newer, content: "one" });
    const restored = await api("POST", `${address}/${older.id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { data: { document: { id: document.id }, body: "zero" } } });
    expect((await api("GET", address)).body.data).toHaveLength(3);
  });

  test("are 404 for unknown ids and for another document's", async () => {
    const { document } = await add("mine.md", "a");
    const other = (await add("theirs.md", "a")).document;
    await put(document.id, { body: "b" });
    const [version] = (await api("GET", `/api/documents/${document.id}/versions`)).body.data;
    for (const address of [
      "/api/documents/none/versions",
      `/api/documents/${document.id}/versions/none`,
      `/api/documents/${other.id}/versions/${version.id}`,
    ]) {
      expect((await api("GET", address)).status).toBe(404);
    }
    expect((await api("POST", `/api/documents/${other.id}/versions/${version.id}/restore`)).status).toBe(404);
  });
});
