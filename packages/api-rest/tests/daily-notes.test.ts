import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";

const SETTINGS = {
  dailyFolder: "Journal",
  dailyName: "YYYY-MM-DD",
  dailyTemplate: null,
  templateFolder: "Templates",
  folderTemplates: [],
};

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const get = async (path: string): Promise<any> => (await api("GET", path)).body.data;
const post = (path: string, body: object = {}) => api("POST", path, { body });
const write = (path: string, content: string) => post("/api/fs/write", { path, content });
const text = async (path: string): Promise<string> => (await post("/api/fs/read", { path })).body.data.content;

describe("the note of a day", () => {
  test("does not exist until it is asked for, and then once", async () => {
    const before = await get("/api/notes/daily?date=2026-03-01");
    expect(before).toEqual({
      date: "2026-03-01",
      path: "Journal/2026-03-01.md",
      id: null,
      begins: "",
      previous: null,
      next: null,
      ofMonth: [],
    });
    expect((await post("/api/fs/read", { path: "Journal/2026-03-01.md" })).status).toBe(404);
    const created = (await post("/api/notes/daily", { date: "2026-03-01" })).body.data;
    expect(created).toMatchObject({ path: "Journal/2026-03-01.md", isNew: true, cursor: null });
    expect((await post("/api/notes/daily", { date: "2026-03-01" })).body.data).toMatchObject({
      id: created.id,
      isNew: false,
    });
    expect(await get("/api/notes/daily?date=2026-03-01")).toMatchObject({ id: created.id, begins: null });
  });

  test("is today's in the time zone of the caller", async () => {
    const dates = await Promise.all(
      ["Pacific/Kiritimati", "Pacific/Pago_Pago"].map(
        async (zone) => (await get(`/api/notes/daily?timezone=${zone}`)).date,
      ),
    );
    expect(Date.parse(dates[0]) - Date.parse(dates[1])).toBeGreaterThanOrEqual(24 * 60 * 60_000);
    expect((await api("GET", "/api/notes/daily?timezone=Nowhere")).status).toBe(400);
    expect((await api("GET", "/api/notes/daily?date=2026-02-30")).status).toBe(400);
  });

  test("begins with its template, and knows the daily notes around it", async () => {
    await write("/Templates/day.md", "---\ntags: [day]\n---\n# {{date:dddd, D MMMM}}\n\n{{cursor}}\n\nBy {{author}}\n");
    const settings = { ...SETTINGS, dailyName: "YYYY/MM/YYYY-MM-DD", dailyTemplate: "Templates/day.md" };
    expect((await api("PUT", "/api/notes/settings", { body: settings })).body.data).toMatchObject({
      ...settings,
      version: 1,
    });
    for (const day of ["2026-04-01", "2026-04-20", "2026-05-02"]) await post("/api/notes/daily", { date: day });
    await write("/Journal/2026/04/plan.md", "No day.");
    const note = await get("/api/notes/daily?date=2026-04-10");
    expect(note).toMatchObject({
      path: "Journal/2026/04/2026-04-10.md",
      previous: { date: "2026-04-01" },
      next: { date: "2026-04-20" },
      ofMonth: [{ date: "2026-04-01" }, { date: "2026-04-20" }],
    });
    expect(note.begins).toMatch(/^# Friday, 10 April\n\n\n\nBy \w/);
    const { path, cursor } = (await post("/api/notes/daily", { date: "2026-04-10" })).body.data;
    expect(await text(path)).toBe(`---\ntags: [day]\n---\n${note.begins}`);
    expect(cursor).toBe("# Friday, 10 April\n\n".length);
  });

  test("is empty if its template is gone", async () => {
    const settings = { ...SETTINGS, dailyName: "YYYY/MM/YYYY-MM-DD", dailyTemplate: "Templates/gone.md" };
    await api("PUT", "/api/notes/settings", { body: settings });
    expect((await get("/api/notes/daily?date=2026-06-01")).begins).toBe("");
  });
});

describe("the settings", () => {
  test.each([
    ["dailyName", "Journal"],
    ["dailyName", "../YYYY-MM-DD"],
    ["dailyName", "YYYY-MM-DD/"],
    ["dailyFolder", "../x"],
    ["dailyTemplate", "Templates/day.png"],
    ["templateFolder", ""],
    ["folderTemplates", [{ folder: "a", template: "../b.md" }]],
  ])("refuse %s: %j, and stay as they were", async (field, value) => {
    const before = await get("/api/notes/settings");
    const { status } = await api("PUT", "/api/notes/settings", { body: { ...SETTINGS, [field]: value } });
    expect([400, 403]).toContain(status);
    expect(await get("/api/notes/settings")).toEqual(before);
  });

  test("refuse a change of what was changed meanwhile", async () => {
    expect((await api("PUT", "/api/notes/settings", { body: { ...SETTINGS, expectedVersion: 0 } })).status).toBe(412);
  });
});

describe("adding to the note of a day", () => {
  const day = "2026-07-01";
  const append = (body: object) => post("/api/notes/daily/append", { date: day, ...body });

  test("creates it, and adds lines of their own", async () => {
    expect((await append({ text: "- one" })).body.data).toMatchObject({ date: day, isRepeated: false });
    const { path, contentHash } = (await append({ text: "- two" })).body.data;
    expect(await text(path)).toBe("- one\n- two\n");
    expect((await post("/api/fs/read", { path })).body.data.contentHash).toBe(contentHash);
  });

  test("with a key happens once, however often it is asked for", async () => {
    const calls = Array.from({ length: 8 }, () => append({ text: "- once", key: "k1" }));
    const results = (await Promise.all(calls)).map(({ status, body }) => [status, body.data?.isRepeated]);
    expect(results.filter(([status, isRepeated]) => status === 200 && isRepeated === false)).toHaveLength(1);
    expect(results.filter(([status, isRepeated]) => status === 200 && isRepeated === true)).toHaveLength(7);
    const { path } = (await append({ text: "- once", key: "k1" })).body.data;
    expect((await text(path)).split("- once")).toHaveLength(2);
    expect((await append({ text: "- other", key: "k1" })).status).toBe(409);
    expect((await append({ text: "- once", key: "k2" })).body.data.isRepeated).toBe(false);
  });

  test("is a tool for keys, but not outside of their folder", async () => {
    const { key } = (await post("/api/api-keys", { name: "k", scopes: ["knowledge:write"], folder: "Other" })).body
      .data;
    const limited = createRequest(server.url, { Authorization: `Bearer ${key}` });
    expect((await limited("POST", "/api/v1/notes/daily/append", { body: { text: "x" } })).status).toBe(403);
    const free = (await post("/api/api-keys", { name: "f", scopes: ["knowledge:write"] })).body.data.key;
    const program = createRequest(server.url, { Authorization: `Bearer ${free}` });
    const { body } = await program("POST", "/api/v1/notes/daily/append", { body: { text: "- from a program" } });
    expect(await text(body.data.path)).toBe("- from a program\n");
  });
});

test("a template is filled in for any note", async () => {
  await write("/Templates/meeting.md", "# {{title}}\n\n{{date}} {{time}} in {{folder}}\n{{cursor}}");
  const input = { template: "Templates/meeting.md", title: "Sync", folder: "Work", date: "2026-03-01" };
  const { data } = (await post("/api/notes/templates/fill", input)).body;
  expect(data.content).toMatch(/^# Sync\n\n2026-03-01 \d\d:\d\d in Work\n$/);
  expect(data.cursor).toBe(data.body.length);
  expect((await post("/api/notes/templates/fill", { template: "Templates/none.md" })).status).toBe(404);
  expect((await post("/api/notes/templates/fill", { template: "../x.md" })).status).toBe(403);
});
