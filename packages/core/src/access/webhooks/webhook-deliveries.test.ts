import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { useWebhooks } from "../../../testing/webhook-processes.ts";
import { startWebhookReceiver } from "../../../testing/webhook-receiver.ts";
import { ConflictError } from "../../platform/errors.ts";

const workspace = useWebhooks();

describe("a failing receiver", () => {
  test.each([
    ["500", 500, "The receiver responded with 500."],
    ["404", 404, "The receiver responded with 404."],
    [
      "a redirect",
      (response: ServerResponse) => response.writeHead(302, { Location: "/other" }).end(),
      "The receiver responded with 302. It redirects to /other, which is not followed.",
    ],
    [
      "a closed connection",
      (response: ServerResponse) => response.destroy(),
      "The receiver could not be reached (ECONNRESET).",
    ],
  ] as const)(
    "that responds with %s is tried again later, in order, with the same message",
    async (_name, responder, problem) => {
      const own = await workspace.startProcess();
      const { id } = await workspace.subscribe(own, "/a");
      workspace.receiver.respond("/a", responder);
      own.publish("1");
      own.publish("2");
      const pending = await eventually(async () => {
        const { items } = await own.deliveries.listDeliveries({ id }, workspace.ada);
        return items.length === 2 && items.some(({ attempts }) => attempts === 1) && items;
      });
      expect(pending.map(({ status, problem: why }) => [status, why])).toEqual([
        ["pending", null],
        ["pending", problem],
      ]);
      expect(await own.webhooks.get(id, workspace.ada)).toMatchObject({
        pending: 2,
        nextAttemptAt: expect.any(String),
      });
      expect(workspace.receiver.of("/other")).toEqual([]);
      workspace.receiver.respond("/a", 200);
      await workspace.resume(own);
      await eventually(() => workspace.receiver.received.length === 3);
      const [failed, repeated, second] = workspace.receiver.received;
      expect(repeated?.body).toBe(failed?.body);
      expect(repeated?.id).toBe(failed?.id);
      expect(second?.data["id"]).toBe("2");
    },
  );

  test("that hangs or dies delays no other", async () => {
    const own = await workspace.startProcess();
    const dead = await startWebhookReceiver();
    await own.webhooks.create({ name: "dead", url: dead.urlOf("/"), events: ["task.*"] }, workspace.ada);
    await dead.close();
    await workspace.subscribe(own, "/hangs");
    workspace.receiver.respond("/hangs", () => undefined);
    await workspace.subscribe(own, "/lives");
    for (let number = 0; number < 20; number += 1) own.publish(String(number));
    await eventually(() => workspace.receiver.of("/lives").length === 20);
    expect(workspace.receiver.of("/hangs").length).toBe(1);
  });

  test("that sends without end counts by its status, and little of it is read", async () => {
    const own = await workspace.startProcess();
    const { id } = await workspace.subscribe(own, "/a");
    let sent = 0;
    workspace.receiver.respond("/a", (response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(1024 * 1024, "hunter2 ");
      const send = (): void => {
        while (!response.destroyed && sent < 100) {
          sent += 1;
          if (!response.write(piece)) return void response.once("drain", send);
        }
      };
      send();
    });
    const delivery = await own.deliveries.sendTest(id, workspace.ada);
    expect(delivery).toMatchObject({ status: "delivered", responseStatus: 200 });
    expect(delivery.responseText).toHaveLength(500);
    expect(delivery.responseText).not.toContain("hunter2");
    expect(sent).toBeLessThan(100);
  });

  test("that responds with 410 ends its webhook, and its person is told", async () => {
    const own = await workspace.startProcess();
    const { id } = await workspace.subscribe(own, "/a");
    workspace.receiver.respond("/a", 410);
    own.publish("1");
    own.publish("2");
    const ended = await eventually(async () => {
      const webhook = await own.webhooks.get(id, workspace.ada);
      return !webhook.isEnabled && webhook;
    });
    expect(ended.disabledReason).toContain("410");
    await eventually(() => own.pushed.length === 1);
    expect(own.pushed).toMatchObject([
      { message: { title: "Webhook turned off: /a" }, userIds: [workspace.ada.userId] },
    ]);
    const { items } = await own.deliveries.listDeliveries({ id }, workspace.ada);
    expect(items.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(workspace.receiver.received).toHaveLength(1);
  });

  test("is given up after more than a day", async () => {
    const own = await workspace.startProcess();
    const { id } = await workspace.subscribe(own, "/a");
    workspace.receiver.respond("/a", 500);
    own.publish("1");
    let pausesMs = 0;
    for (;;) {
      const webhook = await eventually(async () => {
        const found = await own.webhooks.get(id, workspace.ada);
        return (found.nextAttemptAt !== null || !found.isEnabled) && found;
      });
      if (!webhook.isEnabled) break;
      const { rows } = await workspace.sql(
        "SELECT extract(epoch FROM next_attempt_at - now()) * 1000 AS ms FROM webhooks",
      );
      pausesMs += Number(rows[0].ms);
      await workspace.sql("UPDATE webhooks SET next_attempt_at = now() - interval '1 second'");
      const count = workspace.receiver.received.length;
      own.dispatcher.wake();
      await eventually(() => workspace.receiver.received.length > count);
      await eventually(async () => {
        const {
          rows: [row],
        } = await workspace.sql("SELECT next_attempt_at > now() OR NOT is_enabled AS has FROM webhooks");
        return row.has === true;
      });
    }
    expect(workspace.receiver.received).toHaveLength(12);
    expect(pausesMs / 3_600_000).toBeGreaterThan(24);
    expect((await own.webhooks.get(id, workspace.ada)).disabledReason).toContain("more than a day");
  });
});

describe("deliveries", () => {
  test("end while their process stops, so that they are not made again by the next", async () => {
    const own = await workspace.startProcess();
    const { id } = await workspace.subscribe(own, "/slow");
    workspace.receiver.respond("/slow", (response) => void setTimeout(() => response.writeHead(204).end(), 300));
    own.publish("1");
    await eventually(() => workspace.receiver.received.length === 1);
    await own.close();
    const next = await workspace.startProcess();
    next.publish("2");
    await eventually(() => workspace.receiver.received.length === 2);
    await eventually(async () => (await next.webhooks.get(id, workspace.ada)).pending === 0);
    expect(workspace.idsAt("/slow")).toEqual(["1", "2"]);
  });

  test("that do not end while their process stops are made again with the same id", async () => {
    const own = await workspace.startProcess();
    await workspace.subscribe(own, "/hangs");
    workspace.receiver.respond("/hangs", () => undefined);
    own.publish("1");
    await eventually(() => workspace.receiver.received.length === 1);
    await own.close();
    workspace.receiver.respond("/hangs", 200);
    await workspace.startProcess();
    await eventually(() => workspace.receiver.received.length === 2);
    const [cutOff, again] = workspace.receiver.received;
    expect([again?.id, again?.body]).toEqual([cutOff?.id, cutOff?.body]);
  });

  test("are shared by processes, in order for each webhook, and none is made twice", async () => {
    const processes = await Promise.all([workspace.startProcess(), workspace.startProcess(), workspace.startProcess()]);
    const [first] = processes;
    const paths = ["/a", "/b", "/c"];
    for (const path of paths) await workspace.subscribe(first, path);
    for (let number = 0; number < 60; number += 1) processes[number % 3]?.publish(String(number));
    await eventually(() => workspace.receiver.received.length === 180, 30_000);
    const { rows } = await workspace.sql("SELECT resource_id FROM change_events ORDER BY seq");
    for (const path of paths) expect(workspace.idsAt(path)).toEqual(rows.map((row) => row.resource_id));
  });

  test("that a dead process has begun are continued by another", async () => {
    const own = await workspace.startProcess();
    await workspace.subscribe(own, "/a");
    await workspace.sql("UPDATE webhooks SET claim_id = gen_random_uuid(), claimed_until = now() + interval '1 hour'");
    own.publish("1");
    await eventually(async () => (await workspace.sql("SELECT FROM webhook_deliveries")).rowCount === 1);
    expect(workspace.receiver.received).toEqual([]);
    await workspace.sql("UPDATE webhooks SET claimed_until = now() - interval '1 second'");
    own.dispatcher.wake();
    await eventually(() => workspace.receiver.received.length === 1);
  });

  test("can be replayed one by one or all that failed, and a pending one can be skipped", async () => {
    const own = await workspace.startProcess();
    const { id } = await workspace.subscribe(own, "/a");
    workspace.receiver.respond("/a", 500);
    for (const number of ["1", "2", "3"]) own.publish(number);
    const items = await eventually(async () => {
      const page = await own.deliveries.listDeliveries({ id }, workspace.ada);
      return page.items.length === 3 && page.items.at(-1)?.attempts === 1 && page.items;
    });
    const [third, second, first] = items.map((item) => item.id);
    workspace.receiver.respond("/a", 200);
    await own.deliveries.skip({ id, deliveryId: first ?? "" }, workspace.ada);
    await eventually(() => workspace.idsAt("/a").join(" ") === "1 2 3");
    await expect(own.deliveries.skip({ id, deliveryId: first ?? "" }, workspace.ada)).rejects.toThrow(ConflictError);
    await own.deliveries.replay({ id, deliveryId: second ?? "" }, workspace.ada);
    await eventually(() => workspace.idsAt("/a").length === 4);
    await workspace.sql("UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1", [third]);
    expect(await own.deliveries.replayFailed({ id, since: "2020-01-01T00:00:00Z" }, workspace.ada)).toEqual({
      replayed: 2,
    });
    await eventually(() => workspace.idsAt("/a").length === 6);
    expect(workspace.idsAt("/a").slice(3)).toEqual(["2", "1", "3"]);
    expect(await own.deliveries.replayFailed({ id, since: "2020-01-01T00:00:00Z" }, workspace.ada)).toEqual({
      replayed: 0,
    });
    await own.webhooks.update({ id, isEnabled: false }, workspace.ada);
    await expect(own.deliveries.replay({ id, deliveryId: second ?? "" }, workspace.ada)).rejects.toThrow(ConflictError);
    expect(await own.deliveries.listDeliveries({ id, status: "failed" }, workspace.ada)).toEqual({ items: [] });
  });
});
