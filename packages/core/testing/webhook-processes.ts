import { createListener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createWebhookDeliveryService } from "../src/access/webhooks/webhook-delivery.service.ts";
import { createWebhookDispatcher } from "../src/access/webhooks/webhook-dispatcher.ts";
import type { ReadResource } from "../src/access/webhooks/webhook-payload.ts";
import { createWebhookService } from "../src/access/webhooks/webhook.service.ts";
import type { CreatedWebhook } from "../src/access/webhooks/webhook.schema.ts";
import type { PushMessage } from "../src/access/push/push-delivery.ts";
import { openEncryptionKeys, type EncryptionKeys } from "../src/access/secrets/encryption-keys.ts";
import { verifySecrets } from "../src/access/secrets/secret-rotation.ts";
import { systemClock } from "../src/platform/clock.ts";
import { createEventBus, type Change } from "../src/platform/events.ts";
import type { ApiKeyPrincipal, Principal, UserPrincipal } from "../src/platform/procedures/principal.ts";
import { createChangeLog } from "../src/platform/realtime/change-log.ts";
import { createTestDeps, createTestRedactor } from "./test-deps.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** A database, a receiver and a user for the tests of webhooks in one file. */
export function useWebhooks() {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let keys: EncryptionKeys;
  let ada: UserPrincipal;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await sql("TRUNCATE settings, users, change_events CASCADE");
    receiver = await startWebhookReceiver();
    ada = await addUser("Ada");
    let texts: readonly string[] = [];
    keys = await openEncryptionKeys({
      canReplace: true,
      load: async () => texts,
      replace: async (next) => void (texts = next),
    });
    await verifySecrets({ ...createTestDeps(database.db), keys });
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
    await receiver.close();
  });

  const sql = (text: string, values: unknown[] = []) => database.db.pool.query(text, values);

  async function addUser(name: string): Promise<UserPrincipal> {
    const userId = v7();
    const email = `${name}@example.com`;
    await sql("INSERT INTO users (id, name, email, updated_at) VALUES ($1, $2, $3, now())", [userId, name, email]);
    return { kind: "user", userId, name, email };
  }

  async function addKey(scopes: ApiKeyPrincipal["scopes"], folder?: string): Promise<ApiKeyPrincipal> {
    const keyId = v7();
    await sql(
      `INSERT INTO api_keys (id, name, key_hash, hint, scopes, folder, creator_id, created_at)
       VALUES ($1, 'CI', $2, 'abcd', $3, $4, $5, now())`,
      [keyId, keyId, [...scopes], folder, ada.userId],
    );
    return {
      kind: "api_key",
      keyId,
      name: "CI",
      userId: ada.userId,
      scopes,
      ...(folder !== undefined && { folder }),
    };
  }

  /** One of the processes of a workspace. Resources are what the tests say. */
  async function startProcess(readResource?: ReadResource): Promise<WebhookProcess> {
    const started = await startWebhookProcess(database, keys, readResource);
    closers.push(started.close);
    return started;
  }

  async function subscribe(
    { webhooks }: WebhookProcess,
    path: string,
    { events = ["task.*"], principal = ada }: { events?: string[]; principal?: Principal } = {},
  ): Promise<CreatedWebhook> {
    const webhook = await webhooks.create({ name: path, url: receiver.urlOf(path), events }, principal);
    receiver.verify(path, webhook.secret);
    return webhook;
  }
  const idsAt = (path: string) => receiver.of(path).map(({ data }) => data["id"]);
  /** As if the pause after a failure were over. */
  const resume = async ({ dispatcher }: WebhookProcess) => {
    await sql("UPDATE webhooks SET next_attempt_at = now()");
    dispatcher.wake();
  };
  return {
    sql,
    addUser,
    addKey,
    startProcess,
    subscribe,
    idsAt,
    resume,
    get ada() {
      return ada;
    },
    get receiver() {
      return receiver;
    },
    get keys() {
      return keys;
    },
    get database() {
      return database;
    },
  };
}

const NAMED: ReadResource = async (_principal, kind, id) => ({ data: { kind, id } });

async function startWebhookProcess(database: TestDatabase, keys: EncryptionKeys, readResource: ReadResource = NAMED) {
  const deps = { ...createTestDeps(database.db), clock: systemClock };
  const listener = createListener(database.poolConfig, { log: deps.logger });
  const events = createEventBus((error) => {
    throw error;
  });
  const redactor = createTestRedactor("hunter2");
  const changes = createChangeLog({ ...deps, listener, events, redactor });
  const pushed: { message: PushMessage; userIds: readonly string[] }[] = [];
  const notify = (message: PushMessage, userIds: readonly string[]) => void pushed.push({ message, userIds });
  const dispatcher = createWebhookDispatcher({ ...deps, keys, redactor, changes, readResource, notify });
  await changes.start();
  await dispatcher.start();
  const close = async () => {
    await dispatcher.close();
    await changes.close();
    await listener.close();
  };
  const publish = (resourceId: string, action: Change["action"] = "create", resource: Change["resource"] = "task") =>
    events.publish({ resource, action, resourceId, resourceName: `Named ${resourceId}` });
  return {
    changes,
    dispatcher,
    pushed,
    publish,
    close,
    webhooks: createWebhookService({ ...deps, keys, dispatcher }),
    deliveries: createWebhookDeliveryService({ ...deps, keys, redactor, dispatcher }),
  };
}

type WebhookProcess = Awaited<ReturnType<typeof startWebhookProcess>>;
