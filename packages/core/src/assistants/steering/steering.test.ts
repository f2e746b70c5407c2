import { createListener, type Listener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v4, v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor } from "../../../testing/test-deps.ts";
import { systemClock } from "../../platform/clock.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { silentLogger } from "../../platform/logger.ts";
import type { TakeInstructions } from "./session-instruction.schema.ts";
import { createSteeringService } from "./steering.service.ts";

const SECRET = "value-of-a-secret";
const SESSION = "s1";

let database: TestDatabase;
let listener: Listener;
const userId = v7();

beforeAll(async () => {
  database = await createTestDatabase();
  listener = createListener(database.poolConfig, { log: silentLogger });
  const insert = "INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@example.com', now())";
  await database.db.pool.query(insert, [userId]);
});
afterAll(async () => {
  await listener.close();
  await database.close();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE session_instructions, hook_events");
  await report("SessionStart");
});

/** What a hook of the session reports. */
async function report(eventType: string, sessionId = SESSION, at = new Date()): Promise<void> {
  await database.db.pool.query(
    `INSERT INTO hook_events (id, event_type, session_id, project_dir, event_data, created_at)
     VALUES ($1, $2::hook_event_type, $3, '/pond', '{"harness": "codex"}', $4)`,
    [v7(), eventType, sessionId, at],
  );
}

/** The steering of one process. */
async function startProcess(clock = systemClock) {
  const deps = { ...createTestDeps(database.db), clock, listener, redactor: createTestRedactor(SECRET) };
  const steering = createSteeringService(deps);
  await steering.start();
  const say = (text: string) => steering.give({ sessionId: SESSION, kind: "message", text }, userId);
  const give = (kind: "pause" | "stop") => steering.give({ sessionId: SESSION, kind }, userId);
  const take = (hook: Partial<TakeInstructions> = {}) =>
    steering.take({
      sessionId: SESSION,
      claim: v4(),
      moment: "call",
      takesMessages: true,
      fromSubagent: false,
      waitMs: 0,
      ...hook,
    });
  const texts = async (hook: Partial<TakeInstructions> = {}) => (await take(hook)).messages.map(({ text }) => text);
  const states = async () => (await steering.list({ sessionId: SESSION, limit: 50 })).items.map(({ state }) => state);
  return { steering, say, give, take, texts, states, changes: deps.changes };
}

describe("messages", () => {
  test("are taken in order by one of two hooks at once, and by none once they are delivered", async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    await one.say(`Use ${SECRET}.`);
    await one.say("Not on a Friday.");
    const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).take()));
    const [got] = taken.filter(({ messages }) => messages.length > 0);
    expect(taken.filter(({ messages }) => messages.length > 0)).toHaveLength(1);
    expect(got?.messages).toMatchObject([
      { text: "Use [secret].", by: "Ada" },
      { text: "Not on a Friday.", by: "Ada" },
    ]);
    expect(await one.states()).toEqual(["delivering", "delivering"]);
    const ids = got?.messages.map(({ id }) => id) ?? [];
    expect(await one.steering.confirm({ sessionId: SESSION, ids })).toEqual({ delivered: 2 });
    expect(await one.steering.confirm({ sessionId: SESSION, ids })).toEqual({ delivered: 0 });
    expect(await one.texts()).toEqual([]);
    expect(one.changes.at(-1)).toMatchObject({ resource: "approval", action: "edit", resourceName: "Message" });
    await Promise.all([one.steering.close(), other.steering.close()]);
  });

  test("that a hook took without delivering them go to a later one, in order", async () => {
    let nowMs = Date.now();
    const { say, texts, steering } = await startProcess({ now: () => new Date(nowMs) });
    await say("one");
    const claim = v4();
    expect(await texts({ claim })).toEqual(["one"]);
    await say("two");
    expect(await texts()).toEqual([]);
    expect(await texts({ claim })).toEqual(["one", "two"]);
    nowMs += 15_001;
    expect(await texts()).toEqual(["one", "two"]);
    await steering.close();
  });

  test("are not for another session, a subagent, or a moment at which nothing can be said", async () => {
    const { say, texts, steering } = await startProcess();
    await say("one");
    expect(await texts({ sessionId: "s2" })).toEqual([]);
    expect(await texts({ fromSubagent: true })).toEqual([]);
    expect(await texts({ takesMessages: false })).toEqual([]);
    expect(await texts({ moment: "end" })).toEqual(["one"]);
    await steering.close();
  });

  test("are withdrawn before a hook has them, but not afterwards", async () => {
    const { say, texts, states, steering } = await startProcess();
    const first = await say("one");
    await steering.withdraw(first.id, userId);
    await expect(steering.withdraw(first.id, userId)).rejects.toThrow("This is over already.");
    const second = await say("two");
    expect(await texts()).toEqual(["two"]);
    await expect(steering.withdraw(second.id, userId)).rejects.toThrow(ConflictError);
    await steering.confirm({ sessionId: SESSION, ids: [first.id, second.id] });
    await expect(steering.withdraw(second.id, userId)).rejects.toThrow("The assistant has it already.");
    expect(await states()).toEqual(["delivered", "withdrawn"]);
    await expect(steering.withdraw(v4(), userId)).rejects.toThrow(NotFoundError);
    await steering.close();
  });

  test("that a hook took and never confirmed may have been delivered, although they are withdrawn", async () => {
    const { say, texts, steering } = await startProcess();
    const later = await startProcess({ now: () => new Date(Date.now() + 20_000) });
    const [taken, other] = [await say("one"), await say("two")];
    expect(await texts()).toEqual(["one", "two"]);
    expect(await later.steering.withdraw(taken.id, userId)).toMatchObject({ state: "withdrawn", mayBeDelivered: true });
    expect((await steering.list({ sessionId: SESSION, limit: 1 })).items).toMatchObject([
      { id: other.id, state: "delivering", mayBeDelivered: false },
    ]);
    const untaken = await say("three");
    expect(await steering.withdraw(untaken.id, userId)).toMatchObject({ state: "withdrawn", mayBeDelivered: false });
    await later.steering.close();
    await steering.close();
  });

  test("are only for sessions that are known and have not ended, need a text, and are not piled up", async () => {
    const { say, give, steering } = await startProcess();
    await expect(say(" ".trim())).rejects.toThrow(InvalidInputError);
    await expect(steering.give({ sessionId: SESSION, kind: "stop", text: "x" }, userId)).rejects.toThrow(
      InvalidInputError,
    );
    await expect(steering.give({ sessionId: "unknown", kind: "stop" }, userId)).rejects.toThrow(NotFoundError);
    for (let count = 0; count < 30; count += 1) await say("again");
    await expect(say("again")).rejects.toThrow("Too much is pending");
    await report("SessionEnd", SESSION, new Date(Date.now() + 1_000));
    await expect(give("stop")).rejects.toThrow("This session has ended.");
    await steering.close();
  });
});

describe("a pause", () => {
  test("holds calls until the session is resumed through any process, then they get the messages", async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const pause = await one.give("pause");
    expect((await other.give("pause")).id).toBe(pause.id);
    const call = one.take({ waitMs: 20_000 });
    await expect.poll(one.states).toEqual(["delivered"]);
    await other.say("Use staging.");
    expect(await other.take({ moment: "result" })).toMatchObject({ messages: [{ text: "Use staging." }] });
    await other.say("Both.");
    expect((await other.steering.withdraw(pause.id, userId)).state).toBe("withdrawn");
    expect(await call).toMatchObject({ pausedBy: null });
    await Promise.all([one.steering.close(), other.steering.close()]);
  });

  test("that lasts is reported to the hook, with how long the first call has waited", async () => {
    const { give, say, take, steering } = await startProcess();
    await give("pause");
    await say("Later.");
    const first = await take({ waitMs: 300 });
    expect(first).toMatchObject({ pausedBy: "Ada", messages: [] });
    expect(first.pausedForMs).toBeGreaterThanOrEqual(250);
    expect((await take({ fromSubagent: true })).pausedBy).toBe("Ada");
    await steering.close();
  });
});

describe("a stop", () => {
  test("ends a pause, comes before messages, and is there for subagents until the session itself has it", async () => {
    const { give, say, take, states, steering } = await startProcess();
    await give("pause");
    const call = take({ waitMs: 20_000, fromSubagent: true });
    await expect.poll(states).toEqual(["delivered"]);
    await say("Too late.");
    const { id } = await give("stop");
    expect(await call).toMatchObject({ pausedBy: null, stop: { id, by: "Ada" }, messages: [] });
    expect(await take()).toMatchObject({ stop: { id }, messages: [] });
    await steering.confirm({ sessionId: SESSION, ids: [id] });
    expect(await states()).toEqual(["delivered", "pending", "withdrawn"]);
    expect(await take({ moment: "prompt" })).toMatchObject({ stop: null, messages: [{ text: "Too late." }] });
    await steering.close();
  });

  test("that a run did not need is over with the next prompt", async () => {
    const { give, take, steering } = await startProcess();
    await give("stop");
    expect((await take({ moment: "prompt" })).stop).toBeNull();
    const { items } = await steering.list({ sessionId: SESSION, limit: 50 });
    expect(items).toMatchObject([{ kind: "stop", state: "withdrawn", endedBy: null }]);
    await steering.close();
  });
});

test("a watching helper is informed at once of what comes through any process", async () => {
  const [one, other] = [await startProcess(), await startProcess()];
  const watching = one.steering.watch({ sessionId: SESSION, waitMs: 20_000 });
  await other.say("Use staging.");
  expect(await watching).toEqual({ isSteered: true });
  await Promise.all([one.steering.close(), other.steering.close()]);
});

test("sessions are listed as running, with what is pending, unless they ended or did nothing for an hour", async () => {
  const { give, say, steering } = await startProcess();
  await report("PreToolUse", "old", new Date(Date.now() - 61 * 60_000));
  await report("SessionStart", "ended", new Date(Date.now() - 2_000));
  await report("SessionEnd", "ended", new Date(Date.now() - 1_000));
  await report("PreToolUse", "s2", new Date(Date.now() - 1_000));
  const pause = await give("pause");
  await say("Use staging.");
  const first = await steering.listRunning({ limit: 1 });
  expect(first.items).toMatchObject([
    { sessionId: SESSION, harness: "codex", projectDir: "/pond", pauseId: pause.id, pendingInstructions: 1 },
  ]);
  const second = await steering.listRunning({ limit: 1, cursor: first.nextCursor });
  expect(second).toMatchObject({ items: [{ sessionId: "s2", pauseId: null, pendingInstructions: 0 }] });
  expect(second.nextCursor).toBeUndefined();
  await steering.close();
});
