import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const post = (path: string, body: object = {}) => api("POST", path, { body });
const write = (path: string, content: string) => post("/api/fs/write", { path, content });
const text = async (path: string): Promise<string> => (await post("/api/fs/read", { path })).body.data.content;
const get = async (path: string): Promise<any> => (await api("GET", path)).body;
const pathsWith = async (tag: string): Promise<string[]> =>
  (await get(`/api/documents?tag=${encodeURIComponent(tag)}`)).data
    .map(({ path }: { path: string }) => path)
    .toSorted();

describe("tags in texts", () => {
  test("stand beside those of the frontmatter, which stay as they are", async () => {
    await write("/pond.md", "---\ntags: [water]\n---\nA #heron, and #bird/Wader.\n");
    const opened = await post("/api/documents/by-path", { path: "/pond.md" });
    const { document } = opened.body.data;
    expect(document).toMatchObject({ tags: ["water"], textTags: ["heron", "bird/Wader"] });
    const updated = await api("PUT", `/api/documents/${document.id}`, { body: { tags: [] } });
    expect(updated.body.data.document).toMatchObject({ tags: [], textTags: ["heron", "bird/Wader"] });
    await write("/pond.md", "Nothing.\n");
    expect((await get(`/api/documents/${document.id}`)).data.document.textTags).toEqual([]);
  });

  test("are listed with those of the frontmatter, and filter the list in any case and with what is nested", async () => {
    await write("/one.md", "---\ntags: [Tree]\n---\n#tree/oak #tree");
    await write("/two.md", "#TREE/ash");
    await write("/three.md", "#treehouse");
    const { data } = await get("/api/documents/tags");
    expect(data.filter(({ tag }: { tag: string }) => tag.toLowerCase().startsWith("tree"))).toEqual([
      { tag: "Tree", count: 1 },
      { tag: "TREE/ash", count: 1 },
      { tag: "tree/oak", count: 1 },
      { tag: "treehouse", count: 1 },
    ]);
    expect(await pathsWith("TREE")).toEqual(["one.md", "two.md"]);
    expect(await pathsWith("tree/oak")).toEqual(["one.md"]);
    expect(await pathsWith("none")).toEqual([]);
  });
});

describe("renaming a tag", () => {
  test("changes all notes in one step, which one call undoes", async () => {
    const first = "---\ntags: [old, other]\n---\n# A\n\n#old/part `#old`\n";
    await write("/r1.md", first);
    await write("/r2.md", "#Old and #older\n");
    const renamed = await post("/api/documents/tags/rename", { from: "#old", to: "new/name" });
    expect(renamed.body.data).toEqual({ id: expect.any(String), links: 3, notes: 2 });
    expect(await text("/r1.md")).toBe("---\ntags: [new/name, other]\n---\n# A\n\n#new/name/part `#old`\n");
    expect(await text("/r2.md")).toBe("#new/name and #older\n");
    expect((await get("/api/link-updates")).data[0]).toMatchObject({
      tagRename: { from: "old", to: "new/name" },
      moves: [],
    });
    await write("/r2.md", "#new/name and more\n");
    const undone = await post(`/api/link-updates/${renamed.body.data.id}/undo`);
    expect(undone.body.data).toMatchObject({ origin: "undo", refused: [{ path: "r2.md" }] });
    expect(await text("/r1.md")).toBe(first);
    expect(await text("/r2.md")).toBe("#new/name and more\n");
  });

  test("may nest it in itself, once", async () => {
    await write("/n.md", "#deep #deep/er\n");
    await post("/api/documents/tags/rename", { from: "deep", to: "deep/down" });
    expect(await text("/n.md")).toBe("#deep/down #deep/down/er\n");
  });

  test("refuses what is no tag, and one that no note has", async () => {
    const statusOf = async (from: string, to: string) =>
      (await post("/api/documents/tags/rename", { from, to })).status;
    expect(await statusOf("nothing-has-it", "x")).toBe(404);
    for (const to of ["", "two words", "12", "#fff", "a".repeat(101), "/a"])
      expect(await statusOf("deep", to)).toBe(400);
    expect(await statusOf("", "x")).toBe(400);
  });
});
