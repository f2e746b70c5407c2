import { eventually, startWebhookReceiver } from "@workspace/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer, type Request } from "./test-server.ts";

const WRITERS = 10;
/** How many changes are acknowledged before the kill. */
const WRITES = 60;

test(
  "every acknowledged change is delivered although a server is killed, and none under two ids",
  { timeout: 120_000 },
  async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const killed = await startTestServer();
    onTestFinished(() => killed.close());
    const other = await startTestServer({ DATABASE_URL: killed.databaseUrl });
    onTestFinished(() => other.close());
    const webhook = { name: "all", url: receiver.urlOf("/all"), events: ["task.create"] };
    receiver.verify("/all", (await killed.withToken("POST", "/api/webhooks", { body: webhook })).body.data.secret);

    const acknowledged = new Set<string>();
    const writing = Promise.all(
      Array.from({ length: WRITERS }, () => writeUntilRefused(killed.withToken, acknowledged)),
    );
    await eventually(() => acknowledged.size >= WRITES, 60_000);
    await killed.kill();
    await writing;
    // As if the time were over for which a process may take to make one delivery.
    await other.db.pool.query("UPDATE webhooks SET claimed_until = NULL");

    await eventually(() => {
      const delivered = new Set(receiver.received.map(({ data }) => data["id"]));
      return [...acknowledged].every((id) => delivered.has(id));
    }, 60_000);
    const idsOf = new Map<unknown, Set<string>>();
    for (const { id, data } of receiver.received) idsOf.set(data["id"], (idsOf.get(data["id"]) ?? new Set()).add(id));
    expect([...idsOf.values()].filter((ids) => ids.size > 1)).toEqual([]);
    // What the killed process was just delivering was repeated, nothing else.
    expect(receiver.received.length - idsOf.size).toBeLessThanOrEqual(1);
    expect(receiver.refused).toBe(0);
  },
);

async function writeUntilRefused(request: Request, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const response = await request("POST", "/api/tasks", { body: { title: "kept" } }).catch(() => null);
    if (response?.status !== 200) return;
    acknowledged.add(response.body.data.id);
  }
}
