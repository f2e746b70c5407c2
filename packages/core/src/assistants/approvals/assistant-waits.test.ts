import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import type { ReportWait } from "./assistant-wait.schema.ts";
import { createAssistantWaitService, type AssistantWaitService } from "./assistant-wait.service.ts";

const NOW = "2026-11-23T12:00:00.000Z";
const SECRET = "value-of-a-secret";

let database: TestDatabase;
let deps: TestDeps;
let pushed: PushMessage[];
let waits: AssistantWaitService;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE assistant_waits, hook_events");
  deps = createTestDeps(database.db, NOW);
  pushed = [];
  const notify = (message: PushMessage) => void pushed.push(message);
  waits = createAssistantWaitService({ ...deps, redactor: createTestRedactor(SECRET), notify, pushAfterMs: 20 });
});
afterEach(() => waits.close());

const report = (more: Partial<ReportWait> = {}) =>
  waits.report({
    sessionId: "s1",
    harness: "codex",
    project: "github.com/ada/pond",
    reason: "permission",
    text: `Bash: deploy ${SECRET}`,
    ...more,
  });

async function recordEvent(sessionId: string, at: string): Promise<void> {
  const insert = "INSERT INTO hook_events (id, event_type, session_id, created_at) VALUES ($1, 'PostToolUse', $2, $3)";
  await database.db.pool.query(insert, [v7(), sessionId, at]);
}

const waiting = async () => (await waits.list({})).items.map(({ sessionId }) => sessionId);

test("a session waits until something is recorded of it that happened later", async () => {
  await recordEvent("s1", "2026-11-23T11:59:59Z");
  await report();
  await report({ sessionId: "s2", reason: "input", occurredAt: "2026-11-23T11:00:00Z" });
  expect((await waits.list({})).items).toMatchObject([
    { sessionId: "s1", text: "Bash: deploy [secret]", since: NOW },
    { sessionId: "s2", reason: "input", since: "2026-11-23T11:00:00.000Z" },
  ]);
  const first = await waits.list({ limit: 1 });
  expect((await waits.list({ limit: 1, cursor: first.nextCursor })).items).toMatchObject([{ sessionId: "s2" }]);
  await recordEvent("s1", "2026-11-23T12:00:01Z");
  expect(await waiting()).toEqual(["s2"]);
});

test("what it waits for is replaced by what it waits for next, and forgotten after half a day", async () => {
  await report();
  await report({ text: "Edit: app.conf" });
  expect((await waits.list({ sessionId: "s1" })).items).toMatchObject([{ text: "Edit: app.conf" }]);
  deps.clock.set("2026-11-24T00:00:01Z");
  expect(await waiting()).toEqual([]);
  await report({ sessionId: "s2" });
  const { rows } = await database.db.pool.query("SELECT session_id FROM assistant_waits");
  expect(rows).toEqual([{ session_id: "s2" }]);
});

test("a question that nobody answers soon becomes a message; one that is answered, and the wait for a prompt, do not", async () => {
  await report({ sessionId: "input", reason: "input" });
  await report({ sessionId: "answered" });
  await recordEvent("answered", "2026-11-23T12:00:01Z");
  await report({ sessionId: "open/1" });
  await expect.poll(() => pushed.length).toBe(1);
  expect(pushed).toMatchObject([
    {
      title: "Bash: deploy [secret]",
      body: "Codex in github.com/ada/pond waits for you in its own window.",
      path: "/hooks/sessions/open%2F1",
    },
  ]);
});
