import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReplicatedDatabase, type ReplicatedDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

let vault: string;
let database: ReplicatedDatabase;
/** Two processes, the second of which knows only from the database what the first has done. */
let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  vault = await mkdtemp(join(tmpdir(), "workspace-failover-"));
  database = await startReplicatedDatabase({ isSynchronous: true });
  const env = { DATABASE_URL: database.url, VAULT_PATH: vault, LOG_LEVEL: "fatal" };
  one = await startTestServer(env);
  other = await startTestServer(env);
}, 90_000);
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.close();
  await rm(vault, { recursive: true, force: true });
});

/** What clients see while a primary is lost, besides what they should. */
interface Seen {
  readonly acknowledged: string[];
  readonly wrong: unknown[];
  refusals: number;
}

/** Whether a response says that the database is away, and when to try again. */
function isAway({ status, headers, body }: ApiResponse): boolean {
  return status === 503 && Number(headers.get("retry-after")) > 0 && body.statusCode === 503;
}

/** Creates tasks and reads them until it is stopped, as fast as the server responds. */
async function use(api: Request, seen: Seen, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const id = randomUUID();
    const created = await api("POST", "/api/tasks", { body: { id, title: `Task ${id}` } });
    if (created.status === 200) seen.acknowledged.push(id);
    else if (isAway(created)) seen.refusals += 1;
    else seen.wrong.push([created.status, created.body]);
    const known = seen.acknowledged.at(-1);
    const read = known === undefined ? null : await api("GET", `/api/tasks/${known}`);
    if (read !== null && isAway(read)) await sleep(20);
    else if (read !== null && read.body?.data?.id !== known) seen.wrong.push([read.status, read.body]);
  }
}

test("a primary that is lost under load costs requests 503 until its standby is promoted, and nothing else", async () => {
  const session = await one.signIn();
  const page = await connectRealtime(other.url);
  await page.waitFor(({ type }) => type === "connected");
  const seen: Seen = { acknowledged: [], wrong: [], refusals: 0 };
  let isOver = false;
  const users = [one.withToken, session, other.withToken, other.withToken].map((api) => use(api, seen, () => isOver));

  await expect.poll(() => seen.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(50);
  await database.losePrimary();
  await expect.poll(() => seen.refusals, { timeout: 20_000 }).toBeGreaterThan(5);
  expect((await one.anonymous("GET", "/readyz")).status).toBe(503);
  expect((await one.anonymous("GET", "/livez")).status).toBe(200);
  const before = seen.acknowledged.length;
  await sleep(500);
  expect(seen.acknowledged.length - before).toBeLessThanOrEqual(users.length);
  await database.promote();
  await expect.poll(() => seen.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 50);
  isOver = true;
  await Promise.all(users);

  expect(seen.wrong).toEqual([]);
  const { rows } = await database.standby.pool.query<{ id: string }>("SELECT id FROM tasks");
  const stored = new Set(rows.map(({ id }) => id));
  expect(seen.acknowledged.filter((id) => !stored.has(id))).toEqual([]);

  // What one process does reaches the page of the other, which has stayed connected, or is told to read again.
  const { body } = await one.withToken("POST", "/api/tasks", { body: { title: "After" } });
  await page.waitFor(({ type, resourceId }) => type === "resource_change" && resourceId === body.data.id);
  const told = new Set(page.frames.map(({ resourceId }) => resourceId));
  const missed = seen.acknowledged.filter((id) => !told.has(id));
  expect(missed.length === 0 || page.frames.some(({ type }) => type === "resync")).toBe(true);
  expect((await one.anonymous("GET", "/readyz")).status).toBe(200);
  await page.close();
}, 120_000);
