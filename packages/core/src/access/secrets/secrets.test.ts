import { createListener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { openEncryptionKeys, type EncryptionKeyStore } from "./encryption-keys.ts";
import { followSecretChanges, openSecrets } from "./open-secrets.ts";
import { adoptEncryptionKey, rotateSecretsByCommand, SecretsLockedError } from "./secret-rotation.ts";
import { createSecretService } from "./secret.service.ts";
import { WrongKeyError } from "./wrong-key-error.ts";

const ACTOR = "user:ada";
const LOG = { info() {}, warn() {}, error() {} };

let database: TestDatabase;
let deps: TestDeps;

beforeEach(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
});
afterEach(() => database.close());

const text = (letter: string) => letter.repeat(40);

/** Keys in memory that outlive the processes using them, as a file would. */
function memoryStore(...texts: string[]): EncryptionKeyStore & { texts: readonly string[] } {
  const store = {
    canReplace: true,
    texts: texts as readonly string[],
    load: () => Promise.resolve(store.texts),
    replace: (next: readonly string[]) => {
      store.texts = next;
      return Promise.resolve();
    },
  };
  return store;
}

async function start(keyStore: EncryptionKeyStore) {
  const { keys, redactor } = await openSecrets({ ...deps, keyStore, dropsOlderKeys: true });
  return { keys, redactor, secrets: createSecretService({ ...deps, keys, redactor }) };
}

const selectEnvelopes = async () =>
  (await database.db.pool.query<{ key: string; envelope: string }>("SELECT key, envelope FROM secrets ORDER BY key"))
    .rows;

describe("a secret", () => {
  test("comes back as it was stored, and is encrypted in the database", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    const value = "пароль 😀\n".repeat(1000);
    const created = await secrets.create({ key: "TOKEN", value, description: "For CI" }, ACTOR);
    expect(created).toMatchObject({ key: "TOKEN", description: "For CI" });
    expect(created).not.toHaveProperty("value");
    expect((await secrets.list()).items).toEqual([created]);
    expect(await secrets.reveal("TOKEN", ACTOR)).toEqual({ key: "TOKEN", value });
    expect(JSON.stringify(await selectEnvelopes())).not.toContain("пароль");
  });

  test("is changed in value, description or neither, and permanently deleted", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    await secrets.create({ key: "TOKEN", value: "first", description: "d" }, ACTOR);
    await secrets.update({ key: "TOKEN", value: "second" }, ACTOR);
    expect(await secrets.update({ key: "TOKEN" }, ACTOR)).toMatchObject({ description: "d" });
    expect(await secrets.update({ key: "TOKEN", description: null }, ACTOR)).toMatchObject({ description: null });
    expect((await secrets.reveal("TOKEN", ACTOR)).value).toBe("second");
    await secrets.delete("TOKEN", ACTOR);
    await expect(secrets.reveal("TOKEN", ACTOR)).rejects.toThrow(NotFoundError);
    await expect(secrets.update({ key: "TOKEN", value: "x" }, ACTOR)).rejects.toThrow(NotFoundError);
    await expect(secrets.delete("TOKEN", ACTOR)).rejects.toThrow(NotFoundError);
  });

  test("created concurrently under one key exists once", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => secrets.create({ key: "TOKEN", value: `v${index}` }, ACTOR)),
    );
    expect(attempts.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
    const refusals = attempts.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason] : []));
    expect(refusals.every((reason) => reason instanceof ConflictError)).toBe(true);
  });

  test("leaves a record of every access, and its value in no record and no event", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    await secrets.create({ key: "TOKEN", value: "the-very-value" }, ACTOR);
    await secrets.reveal("TOKEN", "user:bob");
    await secrets.useValue("TOKEN", "agent_run:7");
    await secrets.update({ key: "TOKEN", value: "the-next-value" }, ACTOR);
    await expect(secrets.reveal("NONE", ACTOR)).rejects.toThrow(NotFoundError);
    await secrets.rotate(ACTOR);
    await secrets.delete("TOKEN", ACTOR);
    const { items: accesses } = await secrets.listAccesses({ key: "TOKEN", limit: 100 });
    expect(accesses.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      "delete user:ada",
      "rotate user:ada",
      "update user:ada",
      "use agent_run:7",
      "reveal user:bob",
      "create user:ada",
    ]);
    expect((await secrets.listAccesses({ key: "NONE", limit: 100 })).items).toEqual([]);
    expect(JSON.stringify([accesses, deps.changes])).not.toContain("the-");
    expect(deps.changes.map(({ action, resourceName }) => `${action} ${resourceName}`)).toEqual([
      "create TOKEN",
      "edit TOKEN",
      "edit All secrets",
      "delete TOKEN",
    ]);
  });

  test("does not open in place of another, nor after tampering with the database", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    await secrets.create({ key: "CHEAP", value: "one" }, ACTOR);
    await secrets.create({ key: "DEAR", value: "two" }, ACTOR);
    await database.db.pool.query(
      "UPDATE secrets SET envelope = (SELECT envelope FROM secrets WHERE key = 'DEAR') WHERE key = 'CHEAP'",
    );
    await expect(secrets.reveal("CHEAP", ACTOR)).rejects.toThrow("not authentic");
    await expect(start(memoryStore(text("a")))).rejects.toThrow(/1 of 2 stored secrets do not open .*CHEAP/);
  });
});

describe("starting", () => {
  test("with another key is refused, names the affected secrets, and changes nothing", async () => {
    const { secrets } = await start(memoryStore(text("a")));
    await secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    const before = await selectEnvelopes();
    const other = memoryStore(text("b"));
    await expect(start(other)).rejects.toThrow(SecretsLockedError);
    await expect(start(other)).rejects.toThrow(/TOKEN[^]*SERVICE_ENCRYPTION_KEY/);
    expect(await selectEnvelopes()).toEqual(before);
    expect((await (await start(memoryStore(text("a")))).secrets.reveal("TOKEN", ACTOR)).value).toBe("value");
  });

  test("with another key is refused even while nothing is stored, until the key is adopted deliberately", async () => {
    await start(memoryStore(text("a")));
    const other = memoryStore(text("b"));
    await expect(start(other)).rejects.toThrow(WrongKeyError);
    await adoptEncryptionKey({ ...deps, keys: await openEncryptionKeys(other) });
    const { secrets } = await start(other);
    await secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    await expect(
      adoptEncryptionKey({ ...deps, keys: await openEncryptionKeys(memoryStore(text("a"))) }),
    ).rejects.toThrow(SecretsLockedError);
    expect((await secrets.reveal("TOKEN", ACTOR)).value).toBe("value");
  });

  test("without a key saves a new one before the database relies on it, and none if the database has one", async () => {
    const refused = { ...memoryStore(), replace: () => Promise.reject(new Error("the disk is full")) };
    await expect(start(refused)).rejects.toThrow("the disk is full");
    const first = memoryStore();
    const { keys } = await start(first);
    expect(first.texts).toHaveLength(1);
    expect((await start(first)).keys.newest.id).toBe(keys.newest.id);
    const lost = memoryStore();
    await expect(start(lost)).rejects.toThrow(WrongKeyError);
    expect(lost.texts).toEqual([]);
  });

  test("finishes a rotation that was interrupted before, during or after its transaction", async () => {
    const { secrets, keys } = await start(memoryStore(text("a")));
    await secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    const store = memoryStore(text("b"), text("a"));
    const again = await start(store);
    expect(store.texts).toEqual([text("b")]);
    expect(await again.secrets.reveal("TOKEN", ACTOR)).toEqual({ key: "TOKEN", value: "value" });
    expect(again.keys.newest.id).not.toBe(keys.newest.id);
    const afterCommit = memoryStore(text("b"), text("a"));
    expect((await (await start(afterCommit)).secrets.reveal("TOKEN", ACTOR)).value).toBe("value");
    expect(afterCommit.texts).toEqual([text("b")]);
  });
});

describe("rotation", () => {
  const NAMES = Array.from({ length: 20 }, (_, index) => `S${index}`);

  test("re-encrypts every secret and drops the old key", async () => {
    const store = memoryStore(text("a"));
    const { secrets, keys } = await start(store);
    for (const key of NAMES) await secrets.create({ key, value: `value of ${key}` }, ACTOR);
    const [before, oldId] = [await selectEnvelopes(), keys.newest.id];
    expect(await secrets.rotate(ACTOR)).toEqual({ rotated: NAMES.length, keyId: keys.newest.id });
    expect(store.texts).toHaveLength(1);
    const after = await selectEnvelopes();
    for (const [index, { envelope }] of after.entries()) {
      expect(envelope).not.toBe(before[index]?.envelope);
      expect(envelope).not.toContain(oldId);
    }
    const restarted = await start(store);
    for (const key of NAMES) expect((await restarted.secrets.reveal(key, ACTOR)).value).toBe(`value of ${key}`);
  });

  test("loses nothing while secrets are created, changed and read, or while it runs twice", async () => {
    const store = memoryStore(text("a"));
    const { secrets } = await start(store);
    for (const key of NAMES) await secrets.create({ key, value: "v0" }, ACTOR);
    const changes = NAMES.map(async (key) => {
      for (let round = 1; round <= 5; round += 1) {
        await secrets.update({ key, value: `v${round}` }, ACTOR);
        expect((await secrets.reveal(key, ACTOR)).value).toBe(`v${round}`);
      }
    });
    await Promise.all([...changes, secrets.rotate(ACTOR), secrets.rotate(ACTOR), secrets.rotate(ACTOR)]);
    const restarted = await start(store);
    for (const key of NAMES) expect((await restarted.secrets.reveal(key, ACTOR)).value).toBe("v5");
  });

  test("that fails leaves every secret unchanged, and can be repeated", async () => {
    const store = memoryStore(text("a"));
    const { secrets } = await start(store);
    await secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    await database.db.pool.query("ALTER TABLE secret_accesses RENAME TO elsewhere");
    await expect(secrets.rotate(ACTOR)).rejects.toThrow();
    await database.db.pool.query("ALTER TABLE elsewhere RENAME TO secret_accesses");
    expect((await secrets.reveal("TOKEN", ACTOR)).value).toBe("value");
    await secrets.update({ key: "TOKEN", value: "changed" }, ACTOR);
    expect(await secrets.rotate(ACTOR)).toMatchObject({ rotated: 1 });
    expect(store.texts).toHaveLength(1);
    expect((await secrets.reveal("TOKEN", ACTOR)).value).toBe("changed");
  });

  test("of keys from the environment moves to the newest, and is refused without one", async () => {
    const fixed = (...texts: string[]) => ({ ...memoryStore(...texts), canReplace: false });
    const { secrets } = await start(fixed(text("a")));
    await secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    await expect(secrets.rotate(ACTOR)).rejects.toThrow(/SERVICE_ENCRYPTION_KEY_PREVIOUS/);
    const both = await start(fixed(text("b"), text("a")));
    await both.secrets.update({ key: "TOKEN", value: "changed before" }, ACTOR);
    expect((await start(fixed(text("a")))).keys.newest.id).not.toBe(both.keys.newest.id);
    expect(await rotateSecretsByCommand({ ...deps, keys: both.keys })).toMatchObject({ rotated: 1 });
    expect((await (await start(fixed(text("b")))).secrets.reveal("TOKEN", ACTOR)).value).toBe("changed before");
    await expect(start(fixed(text("a")))).rejects.toThrow(SecretsLockedError);
  });

  test("by a command keeps the former keys until the service has started", async () => {
    const store = memoryStore(text("a"));
    await (await start(store)).secrets.create({ key: "TOKEN", value: "value" }, ACTOR);
    // As if the commands had been given another database than the service.
    const other = await createTestDatabase();
    const otherDeps = createTestDeps(other.db, "2026-06-01T12:00:00Z");
    try {
      for (let round = 1; round <= 2; round += 1) {
        const { keys } = await openSecrets({ ...otherDeps, keyStore: store });
        expect(await rotateSecretsByCommand({ ...otherDeps, keys })).toMatchObject({ rotated: 0 });
      }
    } finally {
      await other.close();
    }
    expect(store.texts).toHaveLength(3);
    const { secrets } = await start(store);
    expect((await secrets.reveal("TOKEN", ACTOR)).value).toBe("value");
    expect(store.texts).toHaveLength(1);
  });
});

test("the redactor follows every change, including those of another process", async () => {
  const store = memoryStore(text("a"));
  const { secrets } = await start(store);
  const other = await start(store);
  const listener = createListener(database.poolConfig, { log: LOG });
  try {
    await followSecretChanges(listener, other.redactor, (error) => {
      throw error;
    });
    await secrets.create({ key: "TOKEN", value: "the-first-value" }, ACTOR);
    const expectSeen = (value: string, seen: string) =>
      vi.waitFor(() => expect(other.redactor.redact(value)).toBe(seen), { timeout: 5_000 });
    await expectSeen("the-first-value", "[secret TOKEN]");
    await secrets.update({ key: "TOKEN", value: "the-second-value" }, ACTOR);
    await expectSeen("the-second-value", "[secret TOKEN]");
    await secrets.delete("TOKEN", ACTOR);
    await expectSeen("the-second-value", "the-second-value");
  } finally {
    await listener.close();
  }
});
