import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { createSessionTranscriptService } from "./session-transcript.service.ts";
import type { Turn } from "./transcript-turns.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
});
afterAll(() => database.close());

const service = (over: { secret?: string; keepsTranscripts?: boolean } = {}) =>
  createSessionTranscriptService({
    ...deps,
    redactor: createTestRedactor(over.secret),
    keepsTranscripts: over.keepsTranscripts ?? true,
  });
const said = (...texts: string[]): Turn[] => texts.map((text) => ({ kind: "user", text }));
const numbered = (count: number) => said(...Array.from({ length: count }, (_, index) => `Turn ${index + 1}`));
const owner = (sessionId: string) => ({ sessionId, projectPath: "/p" });
const textsOf = async (sessionId: string) => {
  const { data } = await service().get({ sessionId, limit: 1000, from: 1 });
  return data.turns.map(({ text }) => text);
};

test("a session is read back turn by turn", async () => {
  const occurredAt = "2026-07-01T00:00:00.000Z";
  const turns: Turn[] = [
    { kind: "user", text: "List the files", occurredAt: "2026-06-01T08:00:00.000Z" },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"ls"}', occurredAt, callId: "call" },
    { kind: "tool_result", text: "a.txt", hasFailed: true, callId: "call" },
    { kind: "assistant", text: "One: a.txt" },
  ];
  expect(await service().add(owner("read"), turns)).toEqual([1, 2, 3, 4]);
  const { data } = await service().get({ sessionId: "read", limit: 10, from: 1 });
  const silent = { toolName: null, occurredAt: null };
  expect(data).toEqual({
    sessionId: "read",
    turnCount: 4,
    isComplete: true,
    updatedAt: "2026-06-01T12:00:00.000Z",
    turns: [
      {
        position: 1,
        kind: "user",
        toolName: null,
        text: "List the files",
        hasFailed: false,
        occurredAt: "2026-06-01T08:00:00.000Z",
        callId: null,
      },
      // A clock that is ahead does not put a turn into the future.
      {
        position: 2,
        kind: "tool_call",
        toolName: "Bash",
        text: '{"command":"ls"}',
        hasFailed: false,
        occurredAt: "2026-06-01T12:00:00.000Z",
        callId: "call",
      },
      { ...silent, position: 3, kind: "tool_result", text: "a.txt", hasFailed: true, callId: "call" },
      { ...silent, position: 4, kind: "assistant", text: "One: a.txt", hasFailed: false, callId: null },
    ],
  });
});

test("what is sent again adds nothing, what is longer adds the rest, a part continues", async () => {
  await service().add(owner("grown"), said("a", "ok", "b"));
  deps.changes.length = 0;
  await service().add(owner("grown"), said("a", "ok", "b"));
  expect(deps.changes).toEqual([]);
  await service().add(owner("grown"), said("a", "ok", "b", "ok", "c"));
  expect(deps.changes).toMatchObject([{ resource: "hook", resourceId: "grown" }]);
  await service().add(owner("grown"), said("c", "ok", "d"));
  expect(await textsOf("grown")).toEqual(["a", "ok", "b", "ok", "c", "ok", "d"]);
});

test("several processes that are sent the same at the same time store it once", async () => {
  const turns = numbered(300);
  const lengths = [300, 100, 300, 200, 300];
  const positions = await Promise.all(
    lengths.map((length) => service().add(owner("parallel"), turns.slice(0, length))),
  );
  for (const found of positions) expect(found).toEqual(found.map((_position, index) => index + 1));
  expect(await textsOf("parallel")).toEqual(turns.map(({ text }) => text));
});

test("a long session is read in pages, or from a turn on", async () => {
  const words = "word ".repeat(400);
  await service().add(owner("long"), said(...Array.from({ length: 250 }, (_, index) => `${index + 1} ${words}`)));
  const positions: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await service().get({ sessionId: "long", limit: 60, from: 1, cursor });
    positions.push(...page.data.turns.map(({ position }) => position));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(positions).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  const { data, nextCursor } = await service().get({ sessionId: "long", limit: 5, from: 100 });
  expect(data.turns.map(({ position }) => position)).toEqual([100, 101, 102, 103, 104]);
  const next = await service().get({ sessionId: "long", limit: 1, from: 1, cursor: nextCursor });
  expect(next.data.turns[0]?.position).toBe(105);
  expect((await service().get({ sessionId: "long", limit: 5, from: 251 })).data.turns).toEqual([]);
});

test("secrets are redacted, and long output keeps its beginning and its end", async () => {
  const output = `begin ${"x".repeat(30_000)} end hunter2-hunter2`;
  const turns: Turn[] = [...said("The password is hunter2-hunter2"), { kind: "tool_result", text: output }];
  await service({ secret: "hunter2-hunter2" }).add(owner("secret"), turns);
  const [first = "", second = ""] = await textsOf("secret");
  expect(first).toBe("The password is [secret]");
  expect(second).toMatch(/^begin x+\n\[…\]\nx+ end \[secret\]$/);
  expect(second.length).toBeLessThan(5000);
  // The secret was not known when it was sent first.
  await service().add(owner("secret"), turns);
  expect(await textsOf("secret")).toHaveLength(2);
});

test("a long input of a tool stays JSON, with shorter texts", async () => {
  const input = {
    file_path: "/a.ts",
    old_string: "a".repeat(20_000),
    new_string: `hunter2-hunter2 ${"b".repeat(300)}`,
  };
  const turns: Turn[] = [
    { kind: "tool_call", toolName: "Edit", text: JSON.stringify(input) },
    { kind: "tool_call", toolName: "apply_patch", text: "+c\n".repeat(20_000) },
    { kind: "tool_call", toolName: "Many", text: JSON.stringify(Array.from({ length: 9_000 }, String)) },
  ];
  await service({ secret: "hunter2-hunter2" }).add(owner("edits"), turns);
  const [edit = "", ...others] = await textsOf("edits");
  expect(JSON.parse(edit)).toEqual({
    file_path: "/a.ts",
    old_string: expect.stringMatching(/^a{2000,}\n\[…\]\na+$/),
    new_string: `[secret] ${"b".repeat(300)}`,
  });
  for (const text of others) expect(text.length).toBeLessThan(12_020);
});

test("characters that PostgreSQL and JSON cannot hold are left out", async () => {
  await service().add(owner("odd"), said("a\0b\ud800c"));
  expect(await textsOf("odd")).toEqual(["ab\ufffdc"]);
});

test("a session that is too long keeps its beginning and says so", async () => {
  const turns = numbered(20_005);
  const positions = await service().add(owner("endless"), turns);
  expect(positions.slice(19_999)).toEqual([20_000, null, null, null, null, null]);
  expect(await service().find("endless")).toMatchObject({ turnCount: 20_000, isComplete: false });
  await service().add(owner("endless"), turns);
  expect(await service().find("endless")).toMatchObject({ turnCount: 20_000, isComplete: false });
});

test("a session of which only the beginning is sent says so", async () => {
  await service().add({ ...owner("cut"), isCut: true }, numbered(2));
  expect(await service().find("cut")).toMatchObject({ turnCount: 2, isComplete: false });
});

test("no transcript is kept if the setting says so", async () => {
  await service({ keepsTranscripts: false }).add(owner("unwanted"), said("a"));
  expect(await service().find("unwanted")).toBeNull();
});

test("a cursor of another session is refused", async () => {
  await service().add(owner("one"), said("a", "b"));
  const { nextCursor } = await service().get({ sessionId: "one", limit: 1, from: 1 });
  await service().add(owner("other"), said("a", "b"));
  const reading = service().get({ sessionId: "other", limit: 1, from: 1, cursor: nextCursor });
  await expect(reading).rejects.toThrow(InvalidInputError);
});
