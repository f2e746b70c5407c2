import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let vault: string;

beforeAll(async () => {
  vault = await mkdtemp(join(tmpdir(), "link-updates-"));
  server = await startTestServer({ VAULT_PATH: vault });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(vault, { recursive: true, force: true });
});

const post = (path: string, body: object = {}) => api("POST", path, { body });
const write = (path: string, content: string) => post("/api/fs/write", { path, content });
const text = async (path: string): Promise<string> => (await post("/api/fs/read", { path })).body.data.content;

describe("renaming by request", () => {
  test("reports how many links were changed, and is undone by one call", async () => {
    await write("/a/Plan.md", "# Plan\n");
    await write("/a/one.md", "[[Plan#Goals|goals]] and [p](Plan.md#goals)\n");
    await write("/b/two.md", "![[Plan#^x1]] [p](../a/Plan.md)\n");
    const { status, body } = await post("/api/fs/rename", { oldPath: "/a/Plan.md", newPath: "/a/Ziel & Weg.md" });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          oldPath: "/a/Plan.md",
          newPath: "/a/Ziel & Weg.md",
          linkUpdate: { id: expect.any(String), links: 4, notes: 2 },
        },
      },
    ]);
    expect(await text("/a/one.md")).toBe("[[Ziel & Weg#Goals|goals]] and [p](Ziel%20&%20Weg.md#goals)\n");
    expect(await text("/b/two.md")).toBe("![[Ziel & Weg#^x1]] [p](../a/Ziel%20&%20Weg.md)\n");
    const { id } = body.data.linkUpdate;
    expect((await api("GET", "/api/link-updates")).body.data[0]).toMatchObject({ id, origin: "request", isDone: true });
    const undone = await post(`/api/link-updates/${id}/undo`);
    expect(undone.body.data).toMatchObject({ origin: "undo", links: 4, notes: 2, refused: [] });
    expect(await text("/a/one.md")).toBe("[[Plan#Goals|goals]] and [p](Plan.md#goals)\n");
    expect(await text("/b/two.md")).toBe("![[Plan#^x1]] [p](../a/Plan.md)\n");
    expect((await post(`/api/link-updates/${id}/undo`)).status).toBe(409);
    expect((await post("/api/link-updates/nothing/undo")).status).toBe(404);
  });

  test("keeps the contract's response if no link was changed", async () => {
    await write("/lonely.md", "");
    const { body } = await post("/api/fs/rename", { oldPath: "/lonely.md", newPath: "/alone.md" });
    expect(body.data).toEqual({ oldPath: "/lonely.md", newPath: "/alone.md" });
  });

  test("by a key that is limited to a folder changes nothing outside of it", async () => {
    await write("/own/t.md", "T");
    await write("/own/in.md", "[[own/t]]");
    await write("/out.md", "[[own/t]]");
    const key = (await post("/api/api-keys", { name: "k", scopes: ["knowledge:write"], folder: "own" })).body.data.key;
    const send = createRequest(server.url, { Authorization: `Bearer ${key}` });
    const moved = await send("POST", "/api/v1/notes/move", { body: { path: "own/t.md", newPath: "own/u.md" } });
    expect(moved.body.data.linkUpdate).toMatchObject({ links: 1, notes: 1 });
    expect(await text("/own/in.md")).toBe("[[own/u]]");
    expect(await text("/out.md")).toBe("[[own/t]]");
  });

  test("by such a key does not tell it what exists elsewhere", async () => {
    await write("/elsewhere/plan.md", "P");
    await write("/own/guess.md", "[a](../elsewhere/plan.md) [b](../elsewhere/none.md)");
    const key = (await post("/api/api-keys", { name: "g", scopes: ["knowledge:write"], folder: "own" })).body.data.key;
    const send = createRequest(server.url, { Authorization: `Bearer ${key}` });
    await send("POST", "/api/v1/notes/move", { body: { path: "own/guess.md", newPath: "own/deep/guess.md" } });
    expect(await text("/own/deep/guess.md")).toBe("[a](../elsewhere/plan.md) [b](../elsewhere/none.md)");
  });
});

describe("moving on the disk", () => {
  test("changes the links, too", async () => {
    await write("/disk/from.md", "# From\n");
    await write("/disk/link.md", "[f](from.md)\n");
    await rename(join(vault, "disk/from.md"), join(vault, "to.md"));
    const read = () => readFile(join(vault, "disk/link.md"), "utf8");
    await vi.waitFor(async () => expect(await read()).toBe("[f](../to.md)\n"), { timeout: 15_000, interval: 100 });
    await vi.waitFor(async () => {
      const [update] = (await api("GET", "/api/link-updates")).body.data;
      expect(update).toMatchObject({
        origin: "outside",
        links: 1,
        notes: 1,
        moves: [{ from: "/disk/from.md", to: "/to.md" }],
      });
    });
  });
});

describe("mentions", () => {
  test("are found where the title is in a text but not linked, and can be linked", async () => {
    await write("/m/Heron.md", "# Heron\n");
    await write("/m/says.md", "A heron stood. Herons fly. `heron` [[Heron]] [heron](x.md) A HERON again.\n");
    await write("/m/links.md", "[[Heron]] only\n");
    const { id } = (await post("/api/documents/by-path", { path: "/m/Heron.md" })).body.data.document;
    const { data } = (await api("GET", `/api/documents/${id}/mentions`)).body;
    expect(data).toEqual([
      {
        id: expect.any(String),
        title: "says",
        path: "m/says.md",
        count: 2,
        excerpt: expect.stringContaining("A heron stood"),
      },
    ]);
    const linked = await post(`/api/documents/${id}/mentions/${data[0].id}/link`);
    expect([linked.status, linked.body.data]).toEqual([200, { id: data[0].id, links: 2 }]);
    expect(await text("/m/says.md")).toBe(
      "A [[heron]] stood. Herons fly. `heron` [[Heron]] [heron](x.md) A [[HERON]] again.\n",
    );
    expect((await api("GET", `/api/documents/${id}/mentions`)).body.data).toEqual([]);
  });
});

describe("a server that is killed while links are changed", () => {
  test("leaves the rest to the next one, and no dead link", async () => {
    const notes = 300;
    const own = await mkdtemp(join(tmpdir(), "link-updates-killed-"));
    const first = await startTestServer({ VAULT_PATH: own });
    let second: TestServer | undefined;
    try {
      const send = await first.signIn();
      await send("POST", "/api/fs/write", { body: { path: "/old/t.md", content: "# T\n" } });
      const content = "[[old/t#^a]] [t](../old/t.md)\n";
      for (let index = 0; index < notes; index += 1) {
        await send("POST", "/api/fs/write", { body: { path: `/n/${index}.md`, content } });
      }
      const renaming = send("POST", "/api/fs/rename", { body: { oldPath: "/old", newPath: "/new" } }).catch(() => null);
      const texts = async (): Promise<string[]> => {
        const names = (await readdir(join(own, "n"))).filter((name) => name.endsWith(".md"));
        return Promise.all(names.map((name) => readFile(join(own, "n", name), "utf8")));
      };
      const changed = async () => (await texts()).filter((text) => text.includes("new/t")).length;
      while ((await changed()) === 0) await sleep(1);
      await first.kill();
      await renaming;
      expect(await changed()).toBeLessThan(notes);
      second = await startTestServer({ VAULT_PATH: own, DATABASE_URL: first.databaseUrl });
      await vi.waitFor(async () => expect(await changed()).toBe(notes), { timeout: 60_000, interval: 200 });
      expect(new Set(await texts())).toEqual(new Set(["[[new/t#^a]] [t](../new/t.md)\n"]));
      const again = await second.signIn();
      const updates = async () => (await again("GET", "/api/link-updates")).body.data;
      await vi.waitFor(async () => expect(await updates()).toMatchObject([{ isDone: true, notes }]), {
        timeout: 20_000,
      });
      const [{ id }] = await updates();
      const undone = await again("POST", `/api/link-updates/${id}/undo`);
      expect(undone.body.data).toMatchObject({ refused: [], notes });
      expect(new Set(await texts())).toEqual(new Set([content]));
    } finally {
      await second?.close();
      await first.close();
      await rm(own, { recursive: true, force: true });
    }
  }, 120_000);
});
