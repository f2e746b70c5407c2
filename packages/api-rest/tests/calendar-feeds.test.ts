import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sendRaw } from "./raw-request.ts";
import { spellingsOf } from "./spellings.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let projectId: string;

beforeAll(async () => {
  server = await startTestServer();
  api = server.withToken;
  projectId = (await api("POST", "/api/projects", { body: { name: "Pond", color: "#3b82f6" } })).body.data.id;
  for (const body of [
    { title: "Feed the fish, daily; ü", dueDate: "2026-12-24", dueTime: "09:00", projectId, tags: ["a,b"] },
    { title: "Clean the net", dueDate: "2026-12-24T08:00:00Z", description: "First\r\nthen\u0007 second" },
    { title: "Some day", priority: 3 },
    { title: "Buy a net", status: "done", dueDate: "2026-11-01" },
  ]) {
    await api("POST", "/api/tasks", { body });
  }
});
afterAll(() => server.close());

async function createFeed(body: object = {}): Promise<{ id: string; path: string }> {
  const feed = { name: "Phone", timezone: "Europe/Berlin", ...body };
  return (await api("POST", "/api/calendar-feeds", { body: feed })).body.data;
}
const read = (path: string, headers: Record<string, string> = {}) => server.anonymous("GET", path, { headers });
const unfold = (text: string) => text.replaceAll("\r\n ", "").split("\r\n");

describe("a feed", () => {
  test("has the tasks that are due as events, without credentials", async () => {
    const { path } = await createFeed();
    const { status, headers, body } = await read(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const lines = unfold(body);
    expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(2);
    expect(lines).toEqual(
      expect.arrayContaining([
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "SUMMARY:Feed the fish\\, daily\\; ü",
        "DTSTART;TZID=Europe/Berlin:20261224T090000",
        "DTEND;TZID=Europe/Berlin:20261224T093000",
        "TZID:Europe/Berlin",
        "CATEGORIES:a\\,b",
        "DTSTART:20261224T080000Z",
        "DESCRIPTION:First\\nthen second",
      ]),
    );
    expect(lines.at(-2)).toBe("END:VCALENDAR");
    expect(body.split("\r\n").every((line: string) => Buffer.byteLength(line) <= 75)).toBe(true);
  });

  test("has the tasks of a project, and iCalendar's own tasks, if asked for", async () => {
    const { path } = await createFeed({ projectId, content: "both" });
    const lines = unfold((await read(path)).body);
    expect(lines.filter((line) => line.startsWith("BEGIN:V"))).toEqual([
      "BEGIN:VCALENDAR",
      "BEGIN:VTIMEZONE",
      "BEGIN:VEVENT",
      "BEGIN:VTODO",
    ]);
    expect(lines).toContain("DUE;TZID=Europe/Berlin:20261224T090000");
  });

  test("has tasks without a date only as tasks, and those done by choice", async () => {
    const { path } = await createFeed({ content: "tasks", includesDone: true });
    const lines = unfold((await read(path)).body);
    expect(lines.filter((line) => line === "BEGIN:VTODO")).toHaveLength(4);
    expect(lines).toEqual(expect.arrayContaining(["SUMMARY:Some day", "PRIORITY:1", "STATUS:COMPLETED"]));
    const events = await createFeed({ includesDone: true });
    expect(unfold((await read(events.path)).body)).toContain("SUMMARY:✓ Buy a net");
  });

  test("keeps the ids of its entries, and its tag until a task changes", async () => {
    const { path } = await createFeed();
    const first = await read(path);
    const tag = first.headers.get("etag") ?? "";
    expect(await read(path, { "If-None-Match": tag })).toMatchObject({ status: 304, body: null });
    const [task] = (await api("GET", "/api/tasks?search=Clean")).body.data;
    await api("PUT", `/api/tasks/${task.id}`, { body: { title: "Clean both nets" } });
    const second = await read(path, { "If-None-Match": tag });
    expect(second.status).toBe(200);
    const uids = (text: string) => unfold(text).filter((line) => line.startsWith("UID:"));
    expect(uids(second.body)).toEqual(uids(first.body));
    expect(uids(first.body)).toContain(`UID:${task.id}-due`);
    for (const [method, change] of [
      ["DELETE", ""],
      ["POST", "/restore"],
    ] as const) {
      const before = (await read(path)).headers.get("etag") ?? "";
      await api(method, `/api/tasks/${task.id}${change}`);
      expect((await read(path, { "If-None-Match": before })).status).toBe(200);
    }
  });

  test("says when it was last changed, once that cannot change within the second", async () => {
    const { path } = await createFeed();
    await read(path);
    const since = await vi.waitFor(
      async () => {
        const modified = (await read(path)).headers.get("last-modified");
        expect(modified).not.toBeNull();
        return modified ?? "";
      },
      { timeout: 5_000 },
    );
    expect((await read(path, { "If-Modified-Since": since })).status).toBe(304);
    expect((await read(path, { "If-Modified-Since": "Mon, 01 Jan 2024 00:00:00 GMT" })).status).toBe(200);
    // The tag decides if there is one.
    expect((await read(path, { "If-Modified-Since": since, "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("shows its last use, but never its secret", async () => {
    const { id, path } = await createFeed({ name: "Watched" });
    const find = async () => (await api("GET", "/api/calendar-feeds")).body.data.find((feed: any) => feed.id === id);
    expect(await find()).toMatchObject({ lastUsedAt: null, content: "events", timezone: "Europe/Berlin" });
    await read(path);
    await vi.waitFor(async () => expect((await find()).lastUsedAt).not.toBeNull(), { timeout: 5_000 });
    const secret = path.slice("/feeds/".length, -".ics".length);
    expect(JSON.stringify((await api("GET", "/api/calendar-feeds")).body)).not.toContain(secret);
    const { rows } = await server.db.pool.query("SELECT f::text AS row FROM calendar_feeds f");
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("can be read with HEAD, and in no other way", async () => {
    const { path } = await createFeed();
    expect(await server.anonymous("HEAD", path)).toMatchObject({ status: 200, body: null });
    for (const method of ["POST", "PUT", "DELETE", "PROPFIND"])
      expect((await server.anonymous(method, path)).status).toBe(405);
  });

  test("is bounded, with the beginning of long descriptions", async () => {
    const long = await startTestServer();
    try {
      const description = "é".repeat(90_000);
      await long.withToken("POST", "/api/tasks", { body: { title: "Long", dueDate: "2026-12-24", description } });
      await long.db.pool.query(
        `INSERT INTO tasks (id, title, creator_id, due_date, created_at, modified_at, search_text)
         SELECT gen_random_uuid(), repeat('ü', 500), (SELECT id FROM users LIMIT 1), '2026-01-01', now(), now(), ''
         FROM generate_series(1, 9000)`,
      );
      const { body } = await long.withToken("POST", "/api/calendar-feeds", { body: { name: "All", content: "both" } });
      const text: string = (await long.anonymous("GET", body.data.path)).body;
      expect(text.length).toBeLessThan(4.5 * 1024 * 1024);
      expect(text.endsWith("END:VTODO\r\nEND:VCALENDAR\r\n")).toBe(true);
      expect(unfold(text)).toContain(`DESCRIPTION:${"é".repeat(2_000)}`);
    } finally {
      await long.close();
    }
  });
});

describe("its URL", () => {
  test("is like any at which there is nothing if the secret is wrong, revoked or spelled differently", async () => {
    const { id, path } = await createFeed();
    const nothing = await read("/feeds-of-nothing");
    const wrong = [`/feeds/${"A".repeat(43)}.ics`, path.replace(/.\.ics/, ".ics"), path.replace(".ics", ""), "/feeds/"];
    for (const target of wrong) expect(await read(target)).toMatchObject({ status: 404, body: nothing.body });
    // A query changes nothing.
    for (const { name, target } of spellingsOf(path).filter(({ target }) => !target.startsWith(`${path}?`))) {
      const { text } = await sendRaw(server.url, { method: "GET", target });
      expect([name, text.includes("VCALENDAR")]).toEqual([name, false]);
    }
    expect((await read(path)).status).toBe(200);
    expect((await api("DELETE", `/api/calendar-feeds/${id}`)).body.data).toEqual({ id, name: "Phone" });
    expect(await read(path)).toMatchObject({ status: 404, body: nothing.body });
    expect((await api("DELETE", `/api/calendar-feeds/${id}`)).status).toBe(404);
    expect(server.output.join("\n")).not.toContain(path.slice("/feeds/".length, -".ics".length));
  });

  test("is found however many wrong URLs were tried, which locks nobody out", async () => {
    const guarded = await startTestServer();
    try {
      const { body } = await guarded.withToken("POST", "/api/calendar-feeds", { body: { name: "Right" } });
      const right = async () => guarded.anonymous("GET", body.data.path);
      for (let use = 0; use < 40; use += 1) expect((await right()).status).toBe(200);
      const many = await Promise.all(Array.from({ length: 40 }, right));
      expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
      const guess = (index: number) => guarded.anonymous("GET", `/feeds/guess${index}.ics`);
      for (let index = 0; index < 20; index += 1) expect((await guess(index)).status).toBe(404);
      const refused = await guess(20);
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
      expect((await right()).status).toBe(200);
      await guarded.signIn();
    } finally {
      await guarded.close();
    }
  });

  test("is not logged when reading it fails", async () => {
    const broken = await startTestServer();
    try {
      const { body } = await broken.withToken("POST", "/api/calendar-feeds", { body: { name: "Right" } });
      await broken.db.pool.query("ALTER TABLE tasks RENAME TO lost_tasks");
      expect((await broken.anonymous("GET", body.data.path)).status).toBe(500);
      await vi.waitFor(() => expect(broken.output.join("\n")).toContain("/feeds/…"), { timeout: 5_000 });
      expect(broken.output.join("\n")).not.toContain(body.data.path);
    } finally {
      await broken.close();
    }
  });
});

test.each([
  [{ name: " " }, "name"],
  [{ name: "x", content: "journal" }, "content"],
  [{ name: "x", timezone: "Mars/Olympus" }, "timezone"],
  [{ name: "x", projectId: "none" }, "projectId"],
])("refuses %j, and creates nothing", async (body, path) => {
  const before = (await api("GET", "/api/calendar-feeds")).body.data.length;
  expect(await api("POST", "/api/calendar-feeds", { body })).toMatchObject({
    status: 400,
    body: { issues: [{ path }] },
  });
  expect((await api("GET", "/api/calendar-feeds")).body.data).toHaveLength(before);
});
