import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type ApiResponse, type TestServer } from "./test-server.ts";

const NAMES = ["a", "b", "c"] as const;
/** The pairs of processes in which something is done and undone, including the same process. */
const PAIRS = NAMES.flatMap((one) => NAMES.map((other) => [one, other] as const));

let base: string;
let root: string;
let servers: Record<(typeof NAMES)[number], TestServer>;

const startOn = (vaultPath: string) => startTestServer({ DATABASE_URL: servers.a.databaseUrl, VAULT_PATH: vaultPath });

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-shared-vault-"));
  root = join(base, "vault");
  await mkdir(root);
  const a = await startTestServer({ VAULT_PATH: root });
  servers = { a, b: a, c: a };
  servers = { a, b: await startOn(root), c: await startOn(root) };
}, 60_000);
afterAll(async () => {
  for (const name of ["c", "b", "a"] as const) await servers[name].close();
  await rm(base, { recursive: true, force: true });
});

const at = (path: string) => join(root, path);

async function dataOf(request: Promise<ApiResponse>): Promise<any> {
  const { status, body } = await request;
  expect({ status, message: body?.message }).toEqual({ status: 200, message: undefined });
  return body.data;
}
const write = (server: TestServer, path: string, content: string) =>
  dataOf(server.withToken("POST", "/api/fs/write", { body: { path, content } }));
const idOf = async (server: TestServer, path: string): Promise<string> =>
  (await dataOf(server.withToken("POST", "/api/documents/by-path", { body: { path } }))).document.id;

describe.each(PAIRS)(
  "what was deleted or overwritten through process %s comes back through process %s",
  (one, other) => {
    const name = `${one}${other}`;
    const first = () => servers[one];
    const second = () => servers[other];

    test("a document, byte for byte", async () => {
      const text = "\uFEFF---\r\nkey: 1 # kept\r\n---\r\nBody";
      const bytes = Buffer.from([0, 255, 1, 254]);
      await write(first(), `${name}.md`, text);
      await writeFile(at(`${name}.bin`), bytes);
      for (const [path, content] of [
        [`${name}.md`, Buffer.from(text)],
        [`${name}.bin`, bytes],
      ] as const) {
        const id = await idOf(first(), path);
        await dataOf(first().withToken("DELETE", `/api/documents/${id}`));
        expect((await second().withToken("POST", "/api/documents/by-path", { body: { path } })).status).toBe(404);
        await dataOf(second().withToken("POST", `/api/documents/${id}/restore`));
        expect(await readFile(at(path))).toEqual(content);
      }
    });

    test("a directory, file by file, with contents that are only in the trash", async () => {
      const paths = [`dir-${name}/one.bin`, `dir-${name}/deep/two.bin`];
      const ids: string[] = [];
      for (const path of paths) {
        await mkdir(join(at(path), ".."), { recursive: true });
        await writeFile(at(path), Buffer.from(`\0${path}`));
        ids.push(await idOf(first(), path));
      }
      await dataOf(first().withToken("POST", "/api/fs/delete", { body: { path: `dir-${name}` } }));
      for (const [index, id] of ids.entries()) {
        await dataOf((index === 0 ? second() : servers.c).withToken("POST", `/api/documents/${id}/restore`));
        expect((await readFile(at(paths[index] ?? ""))).toString()).toBe(`\0${paths[index]}`);
      }
    });

    test("earlier versions: listed, read and restored", async () => {
      const path = `versions-${name}.md`;
      for (const content of ["zero", "one", "two"]) await write(first(), path, content);
      const id = await idOf(second(), path);
      const versions = await dataOf(second().withToken("GET", `/api/documents/${id}/versions`));
      expect(versions).toHaveLength(2);
      for (const [index, content] of ["one", "zero"].entries()) {
        const address = `/api/documents/${id}/versions/${versions[index].id}`;
        expect(await dataOf(second().withToken("GET", address))).toMatchObject({ content });
        await dataOf(second().withToken("POST", `${address}/restore`));
        expect(await readFile(at(path), "utf8")).toBe(content);
      }
      expect(await dataOf(first().withToken("GET", `/api/documents/${id}/versions`))).toHaveLength(4);
    });
  },
);

describe("a new note with an id that its author has chosen, requested at all processes at once,", () => {
  const create = (name: (typeof NAMES)[number], body: object) =>
    servers[name].withToken("POST", "/api/notes/create", { body });

  test.each([
    ["at one path", () => "trip"],
    ["at different paths", (name: string) => `trip-${name}`],
  ])("is created once %s, and disturbs no other", async (folder, nameOf) => {
    for (let round = 0; round < 10; round += 1) {
      const id = randomUUID();
      const same = NAMES.map((name) =>
        create(name, {
          id: name === "b" ? id.toUpperCase() : id,
          path: `${folder}/${round}/${nameOf(name)}.md`,
          content: "Tent",
        }),
      );
      const others = NAMES.map((name) =>
        create(name, { id: randomUUID(), path: `${folder}/${round}/other-${name}.md`, content: "Stove" }),
      );
      const created = await Promise.all(same);
      const { document } = await dataOf(servers.a.withToken("GET", `/api/documents/${id}`));
      expect(created.map(({ status, body }) => ({ status, path: body.data?.path }))).toEqual(
        NAMES.map(() => ({ status: 201, path: document.path })),
      );
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await readdir(at(`${folder}/${round}`))).toHaveLength(4);
    }
  });
});

test("every process that can access the vault's history reports so", async () => {
  for (const name of NAMES) {
    const { status, vault } = (await servers[name].anonymous("GET", "/api/health")).body.data;
    expect({ status, vault }).toEqual({
      status: "ok",
      vault: { available: true, historyAvailable: true, historyProblem: null },
    });
  }
});

describe("a process that cannot access the others' history", () => {
  async function expectShut(vaultPath: string, sentence: RegExp): Promise<void> {
    const stray = await startOn(vaultPath);
    try {
      await expectNoUse(stray, sentence);
    } finally {
      await stray.close();
    }
  }

  async function expectNoUse(stray: TestServer, sentence: RegExp): Promise<void> {
    await write(servers.a, "safe.md", "safe");
    const id = await idOf(servers.a, "safe.md");
    const { status, vault } = (await stray.anonymous("GET", "/api/health")).body.data;
    expect({ status, vault }).toEqual({
      status: "degraded",
      vault: { available: false, historyAvailable: false, historyProblem: expect.stringMatching(sentence) },
    });
    const requests = [
      stray.withToken("DELETE", `/api/documents/${id}`),
      stray.withToken("POST", "/api/fs/delete", { body: { path: "safe.md" } }),
      stray.withToken("POST", "/api/fs/write", { body: { path: "safe.md", content: "other" } }),
      stray.withToken("POST", "/api/documents/by-path", { body: { path: "safe.md" } }),
      stray.withToken("GET", "/api/fs/list"),
    ];
    for (const response of await Promise.all(requests)) {
      expect(response).toMatchObject({ status: 503, body: { message: expect.stringMatching(sentence) } });
    }
    expect(await readFile(at("safe.md"), "utf8")).toBe("safe");
    expect((await servers.b.anonymous("GET", "/api/health")).body.data.status).toBe("ok");
    expect(await dataOf(servers.b.withToken("GET", `/api/documents/${id}`))).toMatchObject({ body: "safe" });
  }

  test("because it has another folder reports it and leaves everything alone", async () => {
    const other = join(base, "other");
    await mkdir(other);
    await writeFile(join(other, "safe.md"), "not this one");
    await expectShut(other, /does not look like the vault/);
    expect(await readFile(join(other, "safe.md"), "utf8")).toBe("not this one");
  });

  test("because it has the vault of another workspace, whatever its content", async () => {
    const foreign = join(base, "foreign");
    await mkdir(join(foreign, ".workspace"), { recursive: true });
    await writeFile(join(foreign, ".workspace/id"), "0196f3a0-0000-7000-8000-000000000001\n");
    await expectShut(foreign, /vault of another workspace/);
  });

  test("because the folder is unusable deletes and overwrites nothing, and continues once it is usable", async () => {
    await write(servers.a, "kept.md", "kept");
    await writeFile(at("gone.bin"), "\0gone");
    const [kept, gone] = [await idOf(servers.a, "kept.md"), await idOf(servers.a, "gone.bin")];
    await dataOf(servers.a.withToken("DELETE", `/api/documents/${gone}`));
    await rename(at(".workspace"), join(base, "away"));
    await writeFile(at(".workspace"), "in the way");
    try {
      const { status, vault } = (await servers.c.anonymous("GET", "/api/health")).body.data;
      expect(status).toBe("degraded");
      expect(vault).toMatchObject({ available: true, historyAvailable: false });
      expect(vault.historyProblem).toMatch(/folder \.workspace in the vault.*cannot be used/);
      for (const response of [
        await servers.c.withToken("DELETE", `/api/documents/${kept}`),
        await servers.c.withToken("POST", "/api/fs/delete", { body: { path: "kept.md" } }),
        await servers.c.withToken("POST", "/api/fs/write", { body: { path: "kept.md", content: "lost?" } }),
        await servers.c.withToken("POST", `/api/documents/${gone}/restore`),
      ]) {
        expect(response).toMatchObject({ status: 503, body: { message: expect.stringContaining(".workspace") } });
      }
      expect(await readFile(at("kept.md"), "utf8")).toBe("kept");
    } finally {
      await rm(at(".workspace"));
      await rename(join(base, "away"), at(".workspace"));
    }
    await dataOf(servers.c.withToken("POST", `/api/documents/${gone}/restore`));
    await dataOf(servers.c.withToken("DELETE", `/api/documents/${kept}`));
    await dataOf(servers.a.withToken("POST", `/api/documents/${kept}/restore`));
  });
});

test("nothing in the service's folder can be reached by a path", async () => {
  await write(servers.a, "hidden.md", "one");
  await write(servers.a, "hidden.md", "two");
  for (const path of [
    ".workspace",
    "/.workspace/trash",
    ".workspace/id",
    "%2eworkspace/id",
    "hidden.md/../.workspace/id",
  ]) {
    const encoded = encodeURIComponent(path);
    for (const response of [
      await servers.a.withToken("GET", `/api/fs/list?path=${encoded}`),
      await servers.a.withToken("GET", `/api/fs/raw?path=${encoded}`),
      await servers.a.withToken("PUT", `/api/fs/raw?path=${encoded}`, { raw: { text: "x" } }),
      await servers.a.withToken("POST", "/api/fs/read", { body: { path } }),
      await servers.a.withToken("POST", "/api/fs/write", { body: { path, content: "x" } }),
      await servers.a.withToken("POST", "/api/fs/mkdir", { body: { path } }),
      await servers.a.withToken("POST", "/api/fs/delete", { body: { path } }),
      await servers.a.withToken("POST", "/api/fs/rename", { body: { oldPath: path, newPath: "seen" } }),
      await servers.a.withToken("POST", "/api/fs/rename", { body: { oldPath: "hidden.md", newPath: path } }),
      await servers.a.withToken("POST", "/api/fs/move", { body: { sourcePath: path, destinationPath: "/" } }),
      await servers.a.withToken("POST", "/api/documents/by-path", { body: { path } }),
    ]) {
      expect(response.status).toBe(403);
    }
  }
  const listed = JSON.stringify(await dataOf(servers.a.withToken("GET", "/api/fs/list?recursive=true")));
  expect(listed).not.toContain(".workspace");
});
