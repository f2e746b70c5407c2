import { describe, expect, test } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { eventually } from "../../../testing/eventually.ts";
import { useWebhooks } from "../../../testing/webhook-processes.ts";
import { ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { rotateSecrets } from "../secrets/secret-rotation.ts";
import { insertReminderDeliveries } from "./webhook-queue.queries.ts";

const workspace = useWebhooks();

describe("a webhook", () => {
  test("gets the events that it wants, in order, signed and with what REST has", async () => {
    const own = await workspace.startProcess();
    await workspace.subscribe(own, "/all");
    await workspace.subscribe(own, "/some", { events: ["task.delete", "memory.create"] });
    for (let number = 0; number < 30; number += 1) own.publish(String(number));
    own.publish("29", "delete");
    own.publish("m", "create", "memory");
    await eventually(() => workspace.receiver.received.length === 33);
    expect(workspace.idsAt("/all")).toEqual([...Array.from({ length: 30 }, (_, number) => String(number)), "29"]);
    expect(workspace.receiver.of("/some").map(({ type, data }) => [type, data])).toEqual([
      ["task.delete", { id: "29", name: "Named 29" }],
      ["memory.create", { kind: "memory", id: "m" }],
    ]);
    const [first] = workspace.receiver.of("/all");
    expect(first).toMatchObject({ type: "task.create", data: { kind: "task", id: "0" } });
    expect(Object.keys(JSON.parse(first?.body ?? ""))).toEqual(["type", "timestamp", "data"]);
    expect(first?.headers).toMatchObject({ "content-type": "application/json" });
    expect(Object.keys(first?.headers ?? {}).filter((name) => /cookie|authorization|origin/.test(name))).toEqual([]);
    expect(workspace.receiver.refused).toBe(0);
  });

  test("gets nothing of before it was made, or while it was off", async () => {
    const own = await workspace.startProcess();
    own.publish("before");
    await eventually(() => own.changes.lastSeq > 0);
    const { id } = await workspace.subscribe(own, "/a");
    await own.webhooks.update({ id, isEnabled: false }, workspace.ada);
    own.publish("off");
    await own.changes.logged();
    await own.webhooks.update({ id, isEnabled: true }, workspace.ada);
    own.publish("on");
    await eventually(() => workspace.receiver.received.length > 0);
    expect(workspace.idsAt("/a")).toEqual(["on"]);
  });

  test("is sent no values of secrets, and no more than a part of what is huge", async () => {
    const huge = { data: { id: "h", text: "x".repeat(300_000) } };
    const own = await workspace.startProcess(async (_principal, _kind, id) =>
      id === "huge" ? huge : { data: { id, title: "hunter2" } },
    );
    await workspace.subscribe(own, "/a");
    own.publish("1");
    own.publish("huge");
    await eventually(() => workspace.receiver.received.length === 2);
    expect(workspace.receiver.received.map(({ data }) => data)).toEqual([
      { id: "1", title: "[secret]" },
      { id: "huge", name: "Named huge", isTooLarge: true },
    ]);
  });

  test("belongs to its person, and the secret is stored encrypted and rotated with the key", async () => {
    const own = await workspace.startProcess();
    const { id, secret } = await workspace.subscribe(own, "/a");
    const bob = await workspace.addUser("Bob");
    for (const call of [
      () => own.webhooks.get(id, bob),
      () => own.webhooks.update({ id, name: "x" }, bob),
      () => own.webhooks.delete(id, bob),
      () => own.deliveries.sendTest(id, bob),
      () => own.deliveries.listDeliveries({ id }, bob),
    ])
      await expect(call()).rejects.toThrow(NotFoundError);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify((await workspace.sql("SELECT * FROM webhooks, settings")).rows)).not.toContain(
      secret.slice(6),
    );
    await rotateSecrets({ ...createTestDeps(workspace.database.db), keys: workspace.keys }, "test");
    expect(await own.deliveries.sendTest(id, workspace.ada)).toMatchObject({ status: "delivered" });
    const renewed = await own.webhooks.renewSecret(id, workspace.ada);
    expect(await own.deliveries.sendTest(id, workspace.ada)).toMatchObject({ status: "failed", responseStatus: 401 });
    workspace.receiver.verify("/a", renewed.secret);
    expect(await own.deliveries.sendTest(id, workspace.ada)).toMatchObject({
      type: "webhook.test",
      status: "delivered",
    });
    await own.webhooks.delete(id, workspace.ada);
    expect((await workspace.sql("SELECT FROM settings WHERE key LIKE 'sealed.webhook%'")).rowCount).toBe(0);
  });

  test("is told if changes may be missing", async () => {
    const own = await workspace.startProcess();
    await workspace.subscribe(own, "/a", { events: ["agent.run"] });
    await own.changes.markGap();
    await eventually(() => workspace.receiver.received.length === 1);
    expect(workspace.receiver.received).toMatchObject([{ type: "changes.lost", data: {} }]);
  });

  test("is sent the reminders of its person only", async () => {
    const own = await workspace.startProcess();
    const bob = await workspace.addUser("Bob");
    await workspace.subscribe(own, "/ada", { events: ["reminder.due"] });
    await workspace.subscribe(own, "/bob", { events: ["reminder.due"], principal: bob });
    const body = JSON.stringify({ type: "reminder.due", timestamp: "2026-01-01T00:00:00.000Z", data: { id: "r" } });
    const at = "2026-01-01T00:00:00.000Z";
    await insertReminderDeliveries(workspace.database.db.pool, [
      { userId: bob.userId, id: "r", name: "Call", at, body },
    ]);
    own.dispatcher.wake();
    await eventually(() => workspace.receiver.received.length === 1);
    expect(workspace.receiver.received).toMatchObject([{ path: "/bob", body }]);
  });
});

describe("a key's webhook", () => {
  test("gets only what its scopes may read, and a person's response is not shown to it", async () => {
    const own = await workspace.startProcess();
    const key = await workspace.addKey(new Set(["webhooks", "tasks:read"] as const));
    await expect(workspace.subscribe(own, "/k", { events: ["memory.create"], principal: key })).rejects.toThrow(
      ForbiddenError,
    );
    await expect(workspace.subscribe(own, "/k", { events: ["secret.edit"], principal: key })).rejects.toThrow(
      ForbiddenError,
    );
    const { id } = await workspace.subscribe(own, "/k", { principal: key });
    await expect(own.webhooks.update({ id, events: ["agent.*"] }, key)).rejects.toThrow(ForbiddenError);
    workspace.receiver.respond("/k", (response) => response.writeHead(200).end("internal"));
    expect((await own.deliveries.sendTest(id, key)).responseText).toBeNull();
    expect((await own.deliveries.listDeliveries({ id }, workspace.ada)).items[0]?.responseText).toBe("internal");
    const other = await workspace.addKey(new Set(["webhooks", "tasks:read"] as const));
    await expect(own.webhooks.get(id, other)).rejects.toThrow(NotFoundError);
    expect((await own.webhooks.list({}, workspace.ada)).items).toMatchObject([{ id, apiKey: { name: "CI" } }]);
  });

  test("ends when the key expires, and with the key", async () => {
    const own = await workspace.startProcess();
    const key = await workspace.addKey(new Set(["webhooks", "tasks:read"] as const));
    const { id } = await workspace.subscribe(own, "/k", { principal: key });
    await workspace.sql("UPDATE api_keys SET expires_at = now() - interval '1 second'");
    own.publish("1");
    const ended = await eventually(async () => {
      const webhook = await own.webhooks.get(id, workspace.ada);
      return !webhook.isEnabled && webhook;
    });
    expect(ended.disabledReason).toBe("The API key that created it has expired.");
    expect(workspace.receiver.received).toEqual([]);
    await workspace.sql("DELETE FROM api_keys");
    await expect(own.webhooks.get(id, workspace.ada)).rejects.toThrow(NotFoundError);
    expect((await workspace.sql("SELECT FROM settings WHERE key LIKE 'sealed.webhook%'")).rowCount).toBe(0);
  });

  test("learns nothing of what is hidden from it", async () => {
    const own = await workspace.startProcess(async (_principal, _kind, id) => (id === "other" ? "hidden" : "thin"));
    const key = await workspace.addKey(new Set(["webhooks", "knowledge:read"] as const), "Team");
    await workspace.subscribe(own, "/k", { events: ["document.*"], principal: key });
    own.publish("other", "delete", "document");
    own.publish("*", "edit", "document");
    own.publish("own", "delete", "document");
    await eventually(() => workspace.receiver.received.length === 2);
    expect(workspace.receiver.received.map(({ data }) => data)).toEqual([
      { id: "*", name: null },
      { id: "own", name: "Named own" },
    ]);
    expect((await workspace.sql("SELECT FROM webhook_deliveries")).rowCount).toBe(2);
  });
});
