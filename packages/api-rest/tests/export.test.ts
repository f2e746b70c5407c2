import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, test, vi } from "vitest";
import { openPromise } from "yauzl";
import { ZipFile } from "yazl";
import { api, ENV, run, runJson } from "./command-line.ts";
import { API_TOKEN } from "./credentials.ts";
import { makeDataDir, start } from "./service-process.ts";

/** The files of an archive, by their paths. */
async function filesIn(archive: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(archive, { autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return files;
}

const jsonIn = (files: ReadonlyMap<string, Buffer>, name: string) => JSON.parse(String(files.get(name)));

async function createWork(url: string) {
  const create = async (path: string, body: object) => (await api(url, path, "POST", body)).body.data;
  const project = await create("/projects", { name: "Garden", color: "#0d9488", description: "Behind the house" });
  await create("/projects", { name: "Someday", color: "#64748b" });
  const plants = await create("/tasks", {
    title: "Water the plants",
    description: "Ask [[plan]] first",
    priority: 3,
    projectId: project.id,
    dueDate: "2030-05-01",
    dueTime: "09:30",
    repeat: "FREQ=WEEKLY",
    tags: ["home", "grün"],
  });
  const pot = await create("/tasks", { title: "Buy a pot", parentId: plants.id });
  const soil = await create("/tasks", { title: "Buy soil" });
  await api(url, `/tasks/${plants.id}/blockers`, "PUT", { blockedBy: [soil.id] });
  await create(`/tasks/${plants.id}/checklist`, { add: ["Roses"] });
  await create(`/tasks/${plants.id}/comments`, { text: "The cactus can wait" });
  const gone = await create("/tasks", { title: "Forget this" });
  await api(url, `/tasks/${gone.id}`, "DELETE");
  await create("/memory/store", { content: "The garden faces north", chunkType: "fact" });
  await create("/fs/write", { path: "plan.md", content: "# Plan\n" });
  await create("/fs/write", { path: "deep/er/note.md", content: "# Note\n" });
  await create(`/tasks/${plants.id}/links`, { add: [{ kind: "note", id: "deep/er/note.md" }] });
  await create("/task-views", { name: "Outside", settings: { filter: "#home" } });
  await fetch(`${url}/api/fs/raw?path=deep/image.bin`, {
    method: "PUT",
    headers: { "X-API-Token": API_TOKEN },
    body: new Uint8Array([0, 255, 128, 7]),
  });
  return { plants, pot, soil };
}

test("a workspace is exported while it runs, and brought into another one", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const service = start(dataDir, ENV);
  const url = await service.ready;
  const { plants, pot, soil } = await createWork(url);
  const archive = join(dirname(dataDir), "all.zip");
  expect(await runJson(dataDir, ["export", archive])).toMatchObject({ ok: true, file: archive });

  const files = await filesIn(archive);
  expect([...files.keys()].filter((path) => path.startsWith("vault/")).toSorted()).toEqual([
    "vault/deep/er/note.md",
    "vault/deep/image.bin",
    "vault/plan.md",
  ]);
  expect(files.get("vault/deep/image.bin")).toEqual(Buffer.from([0, 255, 128, 7]));
  const tasks = jsonIn(files, "tasks.json");
  expect(tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual([
    "Buy a pot",
    "Buy soil",
    "Water the plants",
  ]);
  expect(tasks).toContainEqual(
    expect.objectContaining({
      id: plants.id,
      project: "Garden",
      blockedBy: [soil.id],
      checklist: [{ text: "Roses", isDone: false }],
      comments: [expect.objectContaining({ text: "The cactus can wait" })],
      notes: ["deep/er/note.md"],
    }),
  );
  expect(jsonIn(files, "memories.json")).toMatchObject([{ content: "The garden faces north" }]);
  expect(jsonIn(files, "projects.json")).toMatchObject([{ name: "Garden" }, { name: "Someday" }]);
  expect(jsonIn(files, "views.json")).toMatchObject([{ name: "Outside", settings: { filter: "#home" } }]);
  expect([jsonIn(files, "agents.json"), jsonIn(files, "conversations.json")]).toEqual([[], []]);

  // What is there already stays.
  expect(await runJson(dataDir, ["export", archive])).toMatchObject({ ok: false, code: 2 });
  expect(await filesIn(archive)).toEqual(files);
  const again = await runJson(dataDir, ["import", archive]);
  expect(again).toMatchObject({
    ok: true,
    projects: { createdCount: 0, knownCount: 2 },
    tasks: { createdCount: 0, knownCount: 3 },
    notes: { createdCount: 0 },
  });

  const elsewhere = join(await makeDataDir());
  const other = start(elsewhere, ENV);
  const otherUrl = await other.ready;
  const planned = await runJson(elsewhere, ["import", archive, "--dry-run"]);
  expect(planned).toMatchObject({ ok: true, dryRun: true, tasks: { createdCount: 3 }, notes: { createdCount: 3 } });
  expect((await api(otherUrl, "/tasks")).body.data).toEqual([]);
  expect((await api(otherUrl, "/projects")).body.data).toEqual([]);
  expect(await runJson(elsewhere, ["import", archive])).toMatchObject({ ok: true, tasks: { createdCount: 3 } });
  expect((await api(otherUrl, "/projects")).body.data).toMatchObject([
    { name: "Garden", color: "#0d9488", description: "Behind the house" },
    { name: "Someday", color: "#64748b" },
  ]);
  const imported = (await api(otherUrl, `/tasks/${plants.id}`)).body.data;
  const { title, priority, dueDate, dueTime, repeat, tags } = plants;
  expect(imported).toMatchObject({ title, priority, dueDate, dueTime, repeat, tags, project: { name: "Garden" } });
  expect(imported.checklist).toEqual({ done: 0, total: 1 });
  expect(imported.description).toContain("The cactus can wait");
  const { notes } = (await api(otherUrl, `/tasks/${plants.id}/details`)).body.data;
  expect(
    Object.fromEntries(notes.map((note: { path: string; isNamed: boolean }) => [note.path, note.isNamed])),
  ).toEqual({
    "deep/er/note.md": false,
    "plan.md": true,
  });
  // A note that is not there is named in the description.
  const alone = { ...tasks[0], id: crypto.randomUUID(), notes: ["gone.md"], parentId: null, blockedBy: [] };
  const content = JSON.stringify([alone]);
  await api(otherUrl, "/tasks/import", "POST", { format: "workspace", dryRun: false, content });
  expect((await api(otherUrl, `/tasks/${alone.id}`)).body.data.description).toContain("Notes: gone.md");
  expect((await api(otherUrl, `/tasks/${pot.id}`)).body.data).toMatchObject({ parentId: plants.id });
  expect((await api(otherUrl, "/fs/read", "POST", { path: "deep/er/note.md" })).body.data).toMatchObject({
    content: "# Note\n",
  });
  await vi.waitFor(
    async () =>
      expect((await api(otherUrl, "/documents/search?query=Note")).body.data).toMatchObject([
        { path: "deep/er/note.md" },
      ]),
    { timeout: 10_000, interval: 200 },
  );
});

test("the archive is downloaded by whoever is signed in, and by nobody else", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const url = await start(dataDir, ENV).ready;
  await api(url, "/tasks", "POST", { title: "Water the plants" });
  expect((await fetch(`${url}/api/export`)).status).toBe(401);
  expect((await fetch(`${url}/api/export`, { method: "POST", headers: { "X-API-Token": API_TOKEN } })).status).toBe(
    405,
  );
  const response = await fetch(`${url}/api/export`, { headers: { "X-API-Token": API_TOKEN } });
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="workspace-\d{4}-\d\d-\d\d\.zip"$/,
  );
  const archive = join(dirname(dataDir), "downloaded.zip");
  await writeFile(archive, Buffer.from(await response.arrayBuffer()));
  expect(jsonIn(await filesIn(archive), "tasks.json")).toMatchObject([{ title: "Water the plants" }]);
});

test("nothing is exported while the vault is away", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const url = await start(dataDir, ENV).ready;
  await rename(join(dataDir, "vault"), join(dataDir, "elsewhere"));
  const response = await fetch(`${url}/api/export`, { headers: { "X-API-Token": API_TOKEN } });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ message: "The vault is not available." });
  const archive = join(dirname(dataDir), "none.zip");
  expect(await runJson(dataDir, ["export", archive])).toMatchObject({ ok: false });
  expect(existsSync(archive)).toBe(false);
});

test("downloads that are given up keep nobody out", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const service = start(dataDir, ENV);
  const url = await service.ready;
  await writeFile(join(dataDir, "vault/large.bin"), randomBytes(64 * 1024 * 1024));
  const headers = { "X-API-Token": API_TOKEN };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const closing = new AbortController();
    const response = await fetch(`${url}/api/export`, { headers, signal: closing.signal });
    expect(response.status).toBe(200);
    await response.body?.getReader().read();
    closing.abort();
  }
  const isAccepted = async () => {
    const response = await fetch(`${url}/api/export`, { headers });
    await response.body?.cancel();
    return response.status === 200;
  };
  await vi.waitUntil(isAccepted, { timeout: 10_000 });
  expect(service.output()).not.toContain("ERR_STREAM");
});

test(
  "files of other programs are imported, and what they are is said if it cannot be",
  { timeout: 120_000 },
  async () => {
    const dataDir = await makeDataDir();
    const service = start(dataDir, ENV);
    const url = await service.ready;
    const folder = join(dirname(dataDir), "files");
    await mkdir(folder);
    const list = join(folder, "list.md");
    await writeFile(list, "- [ ] Buy milk\n- [x] Buy bread\n");
    expect(await run(dataDir, ["import", list])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--format must be one of markdown, todoist"),
    });
    expect(await run(dataDir, ["import", list, "--format", "nothing"])).toMatchObject({ code: 2 });
    expect(await run(dataDir, ["import", join(folder, "missing")])).toMatchObject({ code: 2 });
    expect(await run(dataDir, ["import", list, "--format", "markdown", "--user", "nobody@example.com"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no user nobody@example.com"),
    });
    expect(await run(dataDir, ["import", list, "--format", "markdown"])).toMatchObject({
      code: 0,
      stdout: "Imported 2 tasks\n",
    });

    // Vikunja's data are in an archive.
    const zip = new ZipFile();
    const project = { title: "Home", tasks: [{ id: 1, title: "Paint the door", created: "2026-01-01T00:00:00Z" }] };
    zip.addBuffer(Buffer.from(JSON.stringify([project])), "data.json");
    zip.end();
    const vikunja = join(folder, "vikunja.zip");
    await pipeline(zip.outputStream, createWriteStream(vikunja));
    expect(await runJson(dataDir, ["import", vikunja, "--format", "vikunja"])).toMatchObject({
      ok: true,
      tasks: { createdCount: 1, newProjects: ["Home"] },
      notes: null,
    });
    expect((await api(url, "/tasks")).body.data).toHaveLength(3);
    for (const format of ["workspace", "todoist"])
      expect(await run(dataDir, ["import", vikunja, "--format", format])).toMatchObject({ code: 2 });
    const damaged = join(folder, "damaged.zip");
    await writeFile(damaged, (await readFile(vikunja)).subarray(0, 40));
    expect(await runJson(dataDir, ["import", damaged])).toMatchObject({ ok: false, code: 1 });

    await service.stop();
    expect(await runJson(dataDir, ["rotate-secrets"])).toMatchObject({ ok: true, rotated: 0 });
  },
);
