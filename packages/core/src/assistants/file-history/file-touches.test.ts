import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v4 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { createHookEventService, type HookEventService } from "../hooks/hook-event.service.ts";
import { lineKeys, packKeys } from "./written-lines.ts";

let database: TestDatabase;
let hookEvents: HookEventService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE hook_events");
  hookEvents = createHookEventService(createTestDeps(database.db));
});
afterAll(() => database.close());

const touches = async () =>
  (
    await database.db.pool.query(
      `SELECT path, project, root, session_id AS "sessionId", is_whole AS "isWhole", written_keys AS keys
       FROM file_touches ORDER BY path, session_id`,
    )
  ).rows;

const edit = (over: object = {}) => ({
  id: v4(),
  eventType: "PostToolUse" as const,
  sessionId: "s",
  projectDir: "/app",
  toolName: "Edit",
  eventData: { toolInput: { file_path: "/app/src/a.ts", old_string: "", new_string: "const added = 1;" } },
  ...over,
});
const KEYS = lineKeys("const added = 1;");

test("an event of a tool that changes a file records it once, with the lines that it wrote", async () => {
  const event = edit();
  await hookEvents.record(event);
  await hookEvents.recordBatch([event, edit({ eventType: "PreToolUse" }), edit({ sessionId: null })]);
  const repeated = edit({ sessionId: "t" });
  await hookEvents.recordBatch([repeated, repeated]);
  const touch = { path: "src/a.ts", project: "/app", root: "/app", sessionId: "s", isWhole: false, keys: KEYS };
  expect(await touches()).toEqual([touch, { ...touch, sessionId: "t" }]);
});

test("what the hooks report goes before what is left of the tool's input", async () => {
  const files = [
    { path: "src/a.ts", lines: packKeys([1, -2, 3]) },
    { path: "src/b.ts", lines: "", whole: true },
    { path: "x".repeat(5000), lines: "" },
  ];
  const reported = { project: "github.com/ada/app", writtenLines: { root: "/home/ada/app", files } };
  await hookEvents.record(edit({ eventData: { ...edit().eventData, ...reported } }));
  const touch = { project: "github.com/ada/app", root: "/home/ada/app", sessionId: "s" };
  expect(await touches()).toEqual([
    { ...touch, path: "src/a.ts", isWhole: false, keys: [1, -2, 3] },
    { ...touch, path: "src/b.ts", isWhole: true, keys: [] },
  ]);
});

test.each([
  [{ writtenLines: "?" }],
  [{ writtenLines: { root: 1, files: [] } }],
  [{ toolInput: "text" }],
  [{ toolInput: { path: 1, content: {} } }],
  [null],
])("an event with the data %j is recorded without", async (eventData) => {
  await hookEvents.record(edit({ eventData }));
  expect(await touches()).toEqual([]);
});

test("goes with its event", async () => {
  const [kept, deleted] = [edit(), edit({ sessionId: "other" })];
  await hookEvents.recordBatch([kept, deleted]);
  await database.db.pool.query("DELETE FROM hook_events WHERE id = $1", [deleted.id]);
  expect((await touches()).map(({ sessionId }) => sessionId)).toEqual(["s"]);
  await database.db.pool.query("TRUNCATE hook_events");
  expect(await touches()).toEqual([]);
});
