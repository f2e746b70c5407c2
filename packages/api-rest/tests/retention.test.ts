import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const settings = async () => (await api("GET", "/api/settings/retention")).body.data;
const status = async () => (await api("GET", "/api/retention")).body.data;
const previewOf = async (kind: string) =>
  (await api("GET", "/api/retention/preview")).body.data.find((each: { kind: string }) => each.kind === kind);

test("a person chooses how long things are kept, and removes what is older", async () => {
  expect((await settings()).kinds.find(({ kind }: { kind: string }) => kind === "trash")).toEqual({
    kind: "trash",
    days: 30,
    defaultDays: 30,
    leastDays: 1,
    variable: "KEEP_TRASH_DAYS",
    isFromEnvironment: false,
  });
  await server.db.pool.query(
    `INSERT INTO hook_events (id, event_type, created_at)
     SELECT gen_random_uuid(), 'PreToolUse', now() - n * interval '1 day' FROM generate_series(30, 49) AS n`,
  );
  await api("POST", "/api/fs/write", { body: { path: "old.bin", content: "x" } });
  await api("POST", "/api/fs/delete", { body: { path: "old.bin" } });
  const chosen = { days: { hookEvents: 40, trash: null } };
  const stored = await api("PUT", "/api/settings/retention", { body: { ...chosen, expectedVersion: 0 } });
  expect(stored).toMatchObject({ status: 200, body: { data: { version: 1 } } });
  expect(await api("PUT", "/api/settings/retention", { body: { ...chosen, expectedVersion: 0 } })).toMatchObject({
    status: 412,
  });
  expect(await api("PUT", "/api/settings/retention", { body: { days: { hookEvents: 7 } } })).toMatchObject({
    status: 400,
    body: { issues: [{ path: "days.hookEvents", message: "must be at least 31" }] },
  });
  expect(await previewOf("hookEvents")).toMatchObject({ days: 40, rows: 20, oldRows: 10 });
  expect(await api("POST", "/api/retention")).toMatchObject({ status: 200, body: { data: { isRunning: true } } });
  await expect.poll(status).toMatchObject({ isRunning: false });
  expect((await status()).lastRun.removed).toEqual([{ kind: "hookEvents", rows: 10 }]);
  expect(await previewOf("hookEvents")).toMatchObject({ rows: 10, oldRows: 0 });
});

test("a page that was away for longer than changes are kept is told to read everything again", async () => {
  for (let n = 0; n < 3; n += 1) await api("POST", "/api/tasks", { body: { title: `Task ${n}` } });
  const last = async () =>
    Number((await server.db.pool.query("SELECT max(seq) AS seq FROM change_events")).rows[0].seq);
  await expect.poll(last).toBeGreaterThanOrEqual(3);
  const seq = (await last()) - 2;
  await server.db.pool.query("UPDATE change_events SET created_at = now() - interval '40 days' WHERE seq <= $1", [
    await last(),
  ]);
  await api("POST", "/api/retention");
  await expect
    .poll(async () => (await status()).lastRun.removed)
    .toContainEqual({ kind: "changes", rows: expect.any(Number) });
  expect(await last()).toBeGreaterThanOrEqual(seq + 2);
  const away = await connectRealtime(server.url, { path: `/api/ws?afterSeq=${seq}` });
  expect(await away.waitFor(({ type }) => type === "resync")).toMatchObject({ type: "resync" });
  await away.close();
});

test("only people decide what is forgotten", async () => {
  expect(await server.withToken("PUT", "/api/settings/retention", { body: { days: {} } })).toMatchObject({
    status: 403,
  });
  expect(await server.withToken("POST", "/api/retention")).toMatchObject({ status: 403 });
});
