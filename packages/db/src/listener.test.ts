import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "./embedded/test-kit/processes.ts";
import { createListener, type Listener } from "./listener.ts";
import type { Log } from "./log.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function newListener(log: Log = SILENT_LOG): Listener {
  const listener = createListener({ ...database.poolConfig, application_name: "listener" }, { log });
  onTestFinished(() => listener.close());
  return listener;
}

const notify = (channel: string, payload: string) =>
  database.db.pool.query("SELECT pg_notify($1, $2)", [channel, payload]);

const breakConnections = () =>
  database.db.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener' AND datname = current_database()",
  );

describe("a listener", () => {
  it("passes on all payloads of its channels, in order, and no others", async () => {
    const listener = newListener();
    const received: string[] = [];
    await listener.listen("Changes", (payload) => received.push(payload));
    await listener.listen("last", (payload) => received.push(payload));
    for (const payload of ["1", "2", "", "ü"]) await notify("Changes", payload);
    await notify("changes", "of another channel");
    await notify("last", "end");
    await eventually(() => received.at(-1) === "end");
    expect(received).toEqual(["1", "2", "", "ü", "end"]);
  });

  it("stops when it is unsubscribed", async () => {
    const listener = newListener();
    const received: string[] = [];
    const stop = await listener.listen("a", (payload) => received.push(payload));
    await listener.listen("b", (payload) => received.push(payload));
    stop();
    await notify("a", "not wanted");
    await notify("b", "wanted");
    await eventually(() => received.length > 0);
    expect(received).toEqual(["wanted"]);
  });

  it("restores a lost connection with all its channels, and reports the interruption", async () => {
    const listener = newListener();
    const received: string[] = [];
    await listener.listen("a", (payload) => received.push(payload));
    const changes: boolean[] = [];
    listener.onConnectionChange((isListening) => changes.push(isListening));
    await breakConnections();
    await eventually(() => changes.length === 3);
    await notify("a", "after");
    await eventually(() => received.length > 0);
    expect({ changes, received }).toEqual({ changes: [true, false, true], received: ["after"] });
  });

  it("accepts new channels while the connection is down", async () => {
    const listener = newListener();
    await listener.listen("a", () => {});
    await breakConnections();
    const received: string[] = [];
    await listener.listen("b", (payload) => received.push(payload));
    await notify("b", "received");
    await eventually(() => received.length > 0);
    expect(received).toEqual(["received"]);
  });

  it("retries until there is a database", async () => {
    const attempts: object[] = [];
    const log: Log = { ...SILENT_LOG, warn: (fields) => attempts.push(fields) };
    const listener = createListener({ host: "/nowhere", database: "none", user: "me" }, { log });
    await eventually(() => attempts.length >= 3);
    expect(listener.isListening).toBe(false);
    await listener.close();
  });

  it("continues if a handler fails", async () => {
    const errors: string[] = [];
    const listener = newListener({ ...SILENT_LOG, error: (_fields, message) => errors.push(message) });
    const received: string[] = [];
    await listener.listen("a", () => {
      throw new Error("careless");
    });
    await listener.listen("a", (payload) => received.push(payload));
    await notify("a", "1");
    await eventually(() => received.length > 0);
    expect(errors).toEqual(["a handler of notifications failed"]);
  });

  it("can be closed twice, even while a caller waits for a channel", async () => {
    const listener = createListener({ host: "/nowhere", database: "none", user: "me" }, { log: SILENT_LOG });
    const waiting = listener.listen("a", () => {});
    await Promise.all([listener.close(), listener.close()]);
    await expect(waiting).resolves.toBeTypeOf("function");
  });
});
