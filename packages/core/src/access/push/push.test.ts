import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPushServiceDouble } from "../../../testing/push-service-double.ts";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, NotFoundError, UnauthenticatedError } from "../../platform/errors.ts";
import type { SignedInUser } from "../../platform/procedures/principal.ts";
import { openEncryptionKeys, type EncryptionKeys } from "../secrets/encryption-keys.ts";
import { rotateSecrets, verifySecrets } from "../secrets/secret-rotation.ts";
import type { PushMessage } from "./push-delivery.ts";
import { createPublicAgent } from "./push-network.ts";
import { createPushService } from "./push.service.ts";

const NOW = "2026-11-23T12:00:00Z";
const MESSAGE: PushMessage = { title: "rm -rf build", body: "Bash", path: "/approvals", tag: "a-b", ttlS: 60 };

let database: TestDatabase;
let double: Awaited<ReturnType<typeof startPushServiceDouble>>;
let deps: TestDeps;
let keys: EncryptionKeys;

beforeAll(async () => {
  [database, double] = await Promise.all([createTestDatabase(), startPushServiceDouble()]);
});
afterAll(() => Promise.all([database.close(), double.close()]));
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE settings, users CASCADE");
  deps = createTestDeps(database.db, NOW);
  keys = await startKeys();
});

/** The keys of a workspace that has just been started for the first time. */
async function startKeys(): Promise<EncryptionKeys> {
  let texts: readonly string[] = [];
  const started = await openEncryptionKeys({
    canReplace: true,
    load: () => Promise.resolve(texts),
    replace: (next) => Promise.resolve(void (texts = next)),
  });
  await verifySecrets({ ...deps, keys: started });
  return started;
}

const createPush = (more: { agent?: ReturnType<typeof createPublicAgent> } = {}) =>
  createPushService({ ...deps, keys, agent: double.agent, publicUrl: "https://work.example.com", ...more });

async function addUser(name: string): Promise<string> {
  const id = v7();
  const insert =
    "INSERT INTO users (id, name, email, updated_at) VALUES ($1, $2::text, $2::text || '@example.com', now())";
  await database.db.pool.query(insert, [id, name]);
  return id;
}

/** A session of the person, in another browser. */
async function signIn(userId: string, expiresAt = "2026-11-30T12:00:00Z"): Promise<SignedInUser> {
  const sessionId = v7();
  const insert =
    "INSERT INTO sessions (id, token, user_id, expires_at, updated_at) VALUES ($1, $1::uuid::text, $2, $3, now())";
  await database.db.pool.query(insert, [sessionId, userId, expiresAt]);
  return { kind: "user", userId, name: "Ada", email: "ada@example.com", sessionId };
}

test("a message reaches every browser, encrypted for it and signed by the server", async () => {
  const push = createPush();
  const [ada, bob] = [await signIn(await addUser("ada")), await signIn(await addUser("bob"))];
  const browsers = [double.subscribe(), double.subscribe()] as const;
  const { id } = await push.subscribe(ada, browsers[0]);
  await push.subscribe(bob, browsers[1]);
  push.send(MESSAGE);
  await expect.poll(() => browsers.map(({ received }) => received.length)).toEqual([1, 1]);
  const [{ message, headers, claims, publicKey } = {}] = browsers[0].received;
  expect(message).toEqual({ title: "rm -rf build", body: "Bash", path: "/approvals", tag: "a-b" });
  expect(headers).toMatchObject({ ttl: "60", urgency: "high", topic: "ab", "content-encoding": "aes128gcm" });
  expect(claims).toMatchObject({ aud: "https://push.example.com", sub: "https://work.example.com" });
  expect(publicKey).toBe((await push.key()).publicKey);
  expect(await push.sendTest(ada, id)).toEqual({ isDelivered: true, reason: null });
  await expect(push.sendTest(bob, id)).rejects.toThrow(NotFoundError);
  await expect(push.unsubscribe(bob, id)).rejects.toThrow(NotFoundError);
});

test("a message for one person reaches only the browsers of that person", async () => {
  const push = createPush();
  const [ada, bob] = [await signIn(await addUser("ada")), await signIn(await addUser("bob"))];
  const browsers = [double.subscribe(), double.subscribe()] as const;
  await push.subscribe(ada, browsers[0]);
  await push.subscribe(bob, browsers[1]);
  push.send(MESSAGE, [bob.userId]);
  push.send(MESSAGE, []);
  await expect.poll(() => browsers.map(({ requests }) => requests)).toEqual([0, 1]);
  await push.close();
  expect(browsers.map(({ requests }) => requests)).toEqual([0, 1]);
});

describe("a subscription", () => {
  test("ends with its session, and with that session's time", async () => {
    const push = createPush();
    const ada = await addUser("ada");
    const [staying, leaving, expired] = [await signIn(ada), await signIn(ada), await signIn(ada, NOW)];
    const browsers = [double.subscribe(), double.subscribe(), double.subscribe()] as const;
    await push.subscribe(staying, browsers[0]);
    await push.subscribe(leaving, browsers[1]);
    await push.subscribe(expired, browsers[2]);
    await database.db.pool.query("DELETE FROM sessions WHERE id = $1", [leaving.sessionId]);
    push.send(MESSAGE);
    await expect.poll(() => browsers.map(({ requests }) => requests)).toEqual([1, 0, 0]);
    expect((await push.listDevices(staying, {})).items).toMatchObject([{ isThisOne: true }]);
    await expect(push.subscribe(leaving, browsers[1])).rejects.toThrow(UnauthenticatedError);
  });

  test.each([404, 410])("is removed when its push service responds with %i", async (status) => {
    const push = createPush();
    const ada = await signIn(await addUser("ada"));
    const browser = double.subscribe();
    const { id } = await push.subscribe(ada, browser);
    browser.respondWith(status);
    expect(await push.sendTest(ada, id)).toMatchObject({ isDelivered: false });
    expect((await push.listDevices(ada, {})).items).toEqual([]);
  });

  test("is kept when its push service fails, and a redirect is not followed", async () => {
    const push = createPush();
    const ada = await signIn(await addUser("ada"));
    const [browser, elsewhere] = [double.subscribe(), double.subscribe()];
    const { id } = await push.subscribe(ada, browser);
    browser.respondWith(307, { Location: elsewhere.endpoint });
    const reason = "The push service responded with 307.";
    expect(await push.sendTest(ada, id)).toEqual({ isDelivered: false, reason });
    expect(elsewhere.requests).toBe(0);
    expect((await push.listDevices(ada, {})).items).toHaveLength(1);
  });

  test("belongs to the last session of its browser, one for each, and to at most ten of a person", async () => {
    const push = createPush();
    const ada = await addUser("ada");
    const [first, second] = [await signIn(ada), await signIn(ada)];
    const [browser, other] = [double.subscribe(), double.subscribe()];
    await push.subscribe(first, browser);
    await push.subscribe(second, browser);
    expect((await push.listDevices(first, {})).items).toMatchObject([{ isThisOne: false }]);
    await push.subscribe(second, other);
    expect((await push.listDevices(second, {})).items).toMatchObject([{ isThisOne: true }]);
    for (let count = 0; count < 12; count++) await push.subscribe(await signIn(ada), double.subscribe());
    expect((await push.listDevices(first, {})).items).toHaveLength(10);
    const page = await push.listDevices(first, { limit: 4 });
    expect([page.items.length, page.nextCursor]).toEqual([4, expect.any(String)]);
  });

  test.each([
    "http://push.example.com/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://[::1]/",
    "https://localhost/",
    "https://a:b@push.example.com/",
    "not a URL",
  ])("is refused for %s", async (endpoint) => {
    const { keys: own } = double.subscribe();
    const ada = await signIn(await addUser("ada"));
    await expect(createPush().subscribe(ada, { endpoint, keys: own })).rejects.toThrow(InvalidInputError);
  });
});

test("what a hanging push service is sent ends when the server stops", async () => {
  const push = createPush();
  const ada = await signIn(await addUser("ada"));
  const browser = double.subscribe();
  await push.subscribe(ada, browser);
  browser.respondWith(null);
  push.send(MESSAGE);
  await expect.poll(() => browser.requests).toBe(1);
  await push.close();
});

test("a name that stands for an address that is not public is not connected to", async () => {
  const push = createPush({ agent: createPublicAgent() });
  const ada = await signIn(await addUser("ada"));
  const { id } = await push.subscribe(ada, { ...double.subscribe(), endpoint: "https://localhost.localdomain./" });
  const { isDelivered, reason } = await push.sendTest(ada, id);
  expect(isDelivered).toBe(false);
  expect(reason).toMatch(/not a public host|could not be reached/);
});

describe("the server's keys", () => {
  test("are encrypted in the database, the same for all who ask at once, and survive a rotation", async () => {
    const found = await Promise.all(Array.from({ length: 8 }, () => createPush().key()));
    const [first] = found;
    expect(found.every(({ publicKey }) => publicKey === first?.publicKey)).toBe(true);
    const { rows } = await database.db.pool.query(
      "SELECT value::text AS text FROM settings WHERE key = 'sealed.push.keys'",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].text).not.toContain("Key");
    await rotateSecrets({ ...deps, keys }, "user:ada");
    expect(await createPush().key()).toEqual(first);
  });

  test("are made again, without the subscriptions to the former ones, if they are lost with their key", async () => {
    const before = await createPush().key();
    const ada = await signIn(await addUser("ada"));
    await createPush().subscribe(ada, double.subscribe());
    await database.db.pool.query("DELETE FROM settings WHERE key = 'secrets.encryption_key_id'");
    keys = await startKeys();
    expect(await createPush().key()).not.toEqual(before);
    expect((await createPush().listDevices(ada, {})).items).toEqual([]);
  });
});
