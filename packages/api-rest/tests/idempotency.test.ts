import { randomUUID } from "node:crypto";
import { API_KEY_SCOPES, capabilities, repeatsOf } from "@workspace/core";
import { startWebhookReceiver } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createRequest, startTestServer, type Request, type TestServer } from "./test-server.ts";
import { workMutations } from "./work-mutations.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const LEASE = { PROCESS_LEASE_S: "2" };

let server: TestServer;
let api: Request;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  key = (await createKey()).key;
});
afterAll(() => server.close());

const createKey = async (by = api): Promise<{ id: string; key: string }> =>
  (await by("POST", "/api/api-keys", { body: { name: "program", scopes: API_KEY_SCOPES } })).body.data;

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
  readonly entityTag: string | null;
}

/** Posts to `/api/v1`, and returns the body as it was sent. */
async function post(
  path: string,
  body: object | undefined,
  idempotencyKey: string,
  { at = server.url, by = key, method = "POST" } = {},
): Promise<Sent> {
  const response = await fetch(new URL(`/api/v1${path}`, at), {
    method,
    headers: {
      Authorization: `Bearer ${by}`,
      "Idempotency-Key": idempotencyKey,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    text: await response.text(),
    isReplayed: response.headers.get("Idempotency-Replayed") === "true",
    entityTag: response.headers.get("ETag"),
  };
}

/** Sends a request twice, and expects the same response. Returns its data. */
async function postTwice(path: string, body?: object): Promise<any> {
  const idempotencyKey = randomUUID();
  const first = await post(path, body, idempotencyKey);
  expect(first, `POST ${path}: ${first.text}`).toMatchObject({ isReplayed: false });
  expect(first.status, `POST ${path}: ${first.text}`).toBeLessThan(300);
  expect(await post(path, body, idempotencyKey)).toEqual({ ...first, isReplayed: true });
  return JSON.parse(first.text).data;
}

const titles = async (at = server): Promise<string[]> =>
  (await at.db.pool.query("SELECT title FROM tasks ORDER BY created_at")).rows.map(({ title }: any) => title);
const countOf = async (title: string, at = server) => (await titles(at)).filter((other) => other === title).length;

/** Which POSTs of `/api/v1` were sent twice. */
const covered = new Set<string>();

test("every POST that changes tasks or projects is carried out once, and its repeat gets the same bytes", async () => {
  const routes = capabilities.flatMap(({ v1 }) => (v1?.route === undefined ? [] : [v1.route]));
  const program = createRequest(server.url, { Authorization: `Bearer ${key}` });
  const made: Record<string, string> = {};
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const [pathname = ""] = path.split("?");
    const route = routes.find(
      (candidate) =>
        candidate.method === method &&
        new RegExp(`^/api${candidate.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
    );
    const ownPath = path.slice("/api".length);
    if (method === "POST" && route !== undefined) {
      covered.add(route.path);
      // Only people can release what they have not claimed.
      return postTwice(ownPath, path.endsWith("/release") ? { claimId: made["claim"] } : body);
    }
    const options = body === undefined ? {} : { body };
    const response = await (route === undefined
      ? api(method, path, options)
      : program(method, `/api/v1${ownPath}`, options));
    expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
    return response.body.data ?? response.body;
  };
  const make = (name: string, path: string, body: object) => async () => {
    made[name] = (await call("POST", path, body)).id;
  };
  for (const [, run] of workMutations({ call, make, made })) await run();
  expect(await countOf("Water the plants")).toBe(1);
});

test("so is every other one", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const twice = async (route: string, body?: object, path = route) => {
    covered.add(route);
    return postTwice(path, body);
  };
  const memory = await twice("/memory", { content: "Herons stand still.", chunkType: "fact" });
  await twice("/memory/{id}/confirm", {}, `/memory/${memory.id}/confirm`);
  await twice("/notes/create", { path: "n.md", content: "a" });
  await twice("/notes/append", { path: "n.md", text: "b" });
  await twice("/notes/edit", { path: "n.md", edits: [{ oldText: "a", newText: "c" }] });
  await twice("/notes/move", { path: "n.md", newPath: "m.md" });
  await twice("/notes/daily/append", { text: "d" });
  const read = await post("/notes/read", { path: "m.md" }, randomUUID());
  expect(read.text).toContain("c\\nb");

  const webhook = { name: "mine", url: receiver.urlOf("/mine"), events: ["task.create"] };
  const { id, secret } = await twice("/webhooks", webhook);
  expect(secret).toMatch(/^whsec_/);
  const replaced = (await twice("/webhooks/{id}/secret", undefined, `/webhooks/${id}/secret`)).secret;
  expect(replaced).not.toBe(secret);
  const kept = await server.db.pool.query("SELECT body FROM kept_responses");
  expect(JSON.stringify(kept.rows)).not.toContain("whsec_");
  await twice("/webhooks/{id}/test", undefined, `/webhooks/${id}/test`);
  expect(receiver.received.length + receiver.refused).toBe(1);
  const since = new Date(0).toISOString();
  await twice("/webhooks/{id}/replay", { since }, `/webhooks/${id}/replay`);
  const delivery = (await api("GET", `/api/webhooks/${id}/deliveries`)).body.data[0];
  if (delivery !== undefined)
    await twice(
      "/webhooks/{id}/deliveries/{deliveryId}/replay",
      undefined,
      `/webhooks/${id}/deliveries/${delivery.id}/replay`,
    );
  const stored = await server.db.pool.query("SELECT body FROM kept_responses WHERE body LIKE '%whsec_%'");
  expect(stored.rowCount).toBe(0);
});

test("these are all of them", () => {
  const all = capabilities.flatMap(({ name, effect, v1 }) => {
    if (v1?.route === undefined) return [];
    const kind = repeatsOf({ name, effect, route: v1.route });
    return kind === null || kind === "own" ? [] : [v1.route.path];
  });
  // A delivery can only be skipped while it is pending; it is the same kind of call as the others of webhooks.
  expect(all.filter((path) => !covered.has(path))).toEqual(["/webhooks/{id}/deliveries/{deliveryId}/skip"]);
});

test("another request with the same key is refused, and changes nothing", async () => {
  const body = { title: "once" };
  expect((await post("/tasks", body, "one")).status).toBe(200);
  const refusals = [
    await post("/tasks", { title: "twice" }, "one"),
    await post("/projects", { name: "once", color: "#22c55e" }, "one"),
  ];
  for (const { status, text } of refusals) {
    expect([status, JSON.parse(text).message]).toEqual([
      422,
      "This Idempotency-Key was already used for another request. Use each for one only.",
    ]);
  }
  expect(await countOf("once")).toBe(1);
  expect(await countOf("twice")).toBe(0);
  // Each program has its own.
  const other = (await createKey()).key;
  expect(await post("/tasks", { title: "twice" }, "one", { by: other })).toMatchObject({
    status: 200,
    isReplayed: false,
  });
});

test("of many at once, one is carried out, and the others are 409 or get its response", async () => {
  const sent = await Promise.all(Array.from({ length: 12 }, () => post("/tasks", { title: "raced" }, "race")));
  expect(new Set(sent.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
  expect(new Set(sent.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
  expect(sent.filter(({ status, isReplayed }) => status === 200 && !isReplayed)).toHaveLength(1);
  expect(await countOf("raced")).toBe(1);
});

test("an error changes nothing and is not kept: the same request can succeed later", async () => {
  const { id } = (await api("POST", "/api/tasks", { body: { title: "there" } })).body.data;
  expect((await post(`/tasks/${id}/restore`, {}, "later")).status).toBe(400);
  await api("DELETE", `/api/tasks/${id}`);
  expect(await post(`/tasks/${id}/restore`, {}, "later")).toMatchObject({ status: 200, isReplayed: false });
  expect((await post("/notes/append", { path: "none.md", text: "x" }, "note")).status).toBe(404);
  await api("POST", "/api/notes/create", { body: { path: "none.md", content: "a" } });
  expect(await post("/notes/append", { path: "none.md", text: "x" }, "note")).toMatchObject({ status: 200 });
});

test("keys of a wrong form are refused, and ones of reads, PUT and DELETE mean nothing", async () => {
  for (const wrong of ["k".repeat(256), "é"]) {
    expect((await post("/tasks", { title: "wrong" }, wrong)).status).toBe(400);
  }
  expect(await countOf("wrong")).toBe(0);
  await api("POST", "/api/notes/create", { body: { path: "read.md", content: "a" } });
  for (let round = 0; round < 2; round += 1) {
    expect(await post("/notes/read", { path: "read.md" }, "k")).toMatchObject({ status: 200, isReplayed: false });
  }
  expect(await post("/notes/read", { path: "other.md" }, "k")).not.toMatchObject({ status: 422 });
});

test("a key can be used again after a day, and its response is forgotten with the API key", async () => {
  const program = await createKey();
  const first = await post("/tasks", { title: "daily" }, "day", { by: program.key });
  await server.db.pool.query(
    "UPDATE kept_responses SET created_at = created_at - interval '24 hours' WHERE api_key_id = $1",
    [program.id],
  );
  const second = await post("/tasks", { title: "daily" }, "day", { by: program.key });
  expect(second).toMatchObject({ status: 200, isReplayed: false });
  expect(second.text).not.toBe(first.text);
  await api("DELETE", `/api/api-keys/${program.id}`);
  const left = await server.db.pool.query("SELECT FROM kept_responses WHERE api_key_id = $1", [program.id]);
  expect(left.rowCount).toBe(0);
});

test("a response that is too large is not kept, and its request is not carried out again", async () => {
  const text = "x".repeat(300 * 1024);
  const note = await post("/notes/create", { path: "large.md", content: text }, "large");
  expect(note.status).toBeLessThan(300);
  const task = await post("/tasks", { title: "large", description: "d".repeat(90_000) }, "large task");
  expect(task.status).toBeLessThan(300);
  expect(await post("/tasks", { title: "large", description: "d".repeat(90_000) }, "large task")).toEqual({
    ...task,
    isReplayed: true,
  });
});

describe("a server that is killed", () => {
  /** Makes a statement wait in the database, so that the server can be killed meanwhile. */
  const slowDown = (at: TestServer, { table, when }: { table: string; when: string }) =>
    at.db.pool.query(`
      CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER wait_here AFTER INSERT ON ${table} ${when} FOR EACH ROW EXECUTE FUNCTION wait_here()`);
  const isWaiting = (at: TestServer) =>
    vi.waitFor(async () => {
      const { rowCount } = await at.db.pool.query(
        "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
      );
      expect(rowCount).toBe(1);
    }, WAIT);

  /** Sends a request to one of two servers, kills that while it works, and repeats the request at the other until it is not running. */
  async function killDuring(path: string, body: object, slow: { table: string; when: string }) {
    const killed = await startTestServer(LEASE);
    onTestFinished(() => killed.close());
    const other = await startTestServer({ DATABASE_URL: killed.databaseUrl, ...LEASE });
    onTestFinished(() => other.close());
    const by = (await createKey(await killed.signIn())).key;
    await slowDown(killed, slow);
    const lost = post(path, body, "kill", { at: killed.url, by }).catch(() => null);
    await isWaiting(killed);
    await killed.kill();
    expect(await lost).toBeNull();
    const running = await post(path, body, "kill", { at: other.url, by });
    expect([running.status, running.text]).toEqual([409, expect.stringContaining("still being carried out")]);
    await vi.waitFor(async () => {
      const { text } = await post(path, body, "kill", { at: other.url, by });
      expect(text).not.toContain("still being carried out");
    }, WAIT);
    return { killed, repeat: await post(path, body, "kill", { at: other.url, by }) };
  }

  test("leaves what it has changed and its response, or neither", { timeout: 60_000 }, async () => {
    // The database goes on to commit: only the response is lost.
    const committing = { table: "kept_responses", when: "DEFERRABLE INITIALLY DEFERRED" };
    const committed = await killDuring("/tasks", { title: "killed" }, committing);
    expect(committed.repeat).toMatchObject({ status: 200, isReplayed: true });
    expect(await countOf("killed", committed.killed)).toBe(1);
    // The database ends the transaction with the connection.
    const inserting = await killDuring("/tasks", { title: "killed" }, { table: "tasks", when: "" });
    expect(inserting.repeat.status).toBe(200);
    expect(await countOf("killed", inserting.killed)).toBe(1);
  });

  test("while it writes a note leaves an honest error, and writes nothing twice", { timeout: 60_000 }, async () => {
    const { killed, repeat } = await killDuring(
      "/notes/create",
      { path: "killed.md", content: "a" },
      { table: "documents", when: "" },
    );
    expect([repeat.status, repeat.text]).toEqual([409, expect.stringContaining("not known whether")]);
    expect((await killed.db.pool.query("SELECT FROM documents WHERE path = 'killed.md'")).rowCount).toBeLessThanOrEqual(
      1,
    );
  });
});
