import { createListener, type Listener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v4, v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor } from "../../../testing/test-deps.ts";
import type { PushMessage } from "../../access/push/push-delivery.ts";
import { systemClock } from "../../platform/clock.ts";
import { ConflictError, NotFoundError, PreconditionFailedError } from "../../platform/errors.ts";
import { silentLogger } from "../../platform/logger.ts";
import { createApprovalSettingsService } from "./approval-settings.service.ts";
import type { RequestToolApproval } from "./tool-approval.schema.ts";
import { createToolApprovalService } from "./tool-approval.service.ts";

const SECRET = "value-of-a-secret";

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
beforeEach(() => database.db.pool.query("TRUNCATE tool_approvals, tool_allowances"));

/** The approvals of one process. */
async function startProcess(clock = systemClock) {
  const pushed: PushMessage[] = [];
  const notify = (message: PushMessage) => void pushed.push(message);
  const deps = { ...createTestDeps(database.db), clock, listener, redactor: createTestRedactor(SECRET), notify };
  const approvals = createToolApprovalService(deps);
  await approvals.start();
  return { approvals, changes: deps.changes, pushed };
}

const aboutDeploy = (more: Partial<RequestToolApproval> = {}): RequestToolApproval => ({
  id: v4(),
  digest: "a".repeat(64),
  harness: "claude-code",
  sessionId: "s1",
  project: "github.com/ada/pond",
  folder: "/pond",
  toolName: "Bash",
  call: "deploy",
  effect: "This deploys.",
  timeoutMs: 60_000,
  ...more,
});

const untilOpen = (approvals: Awaited<ReturnType<typeof startProcess>>["approvals"], id: string) =>
  expect
    .poll(async () => (await approvals.list({ limit: 50, open: true })).items.map((approval) => approval.id))
    .toContain(id);

describe("a request", () => {
  test("waits until a person decides through any process, and its repeat has the same answer", async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const input = aboutDeploy();
    const waiting = one.approvals.request(input);
    await untilOpen(other.approvals, input.id);
    await other.approvals.decide({ id: input.id, decision: "denied", note: "Use staging." }, userId);
    const decision = { id: input.id, digest: input.digest, outcome: "denied", note: "Use staging." };
    expect(await waiting).toMatchObject(decision);
    expect(await other.approvals.request(input)).toMatchObject(decision);
    const { items } = await one.approvals.list({ limit: 50 });
    expect(items).toMatchObject([{ call: "deploy", state: "denied", decidedBy: "Ada", note: "Use staging." }]);
    expect(one.changes).toMatchObject([{ resource: "approval", action: "create", resourceId: input.id }]);
    expect(other.changes).toMatchObject([{ resource: "approval", action: "edit", resourceId: input.id }]);
    expect([...one.pushed, ...other.pushed]).toEqual([
      {
        title: "deploy",
        body: "Bash of Claude Code in github.com/ada/pond waits for your decision.",
        path: `/approvals?call=${input.id}`,
        tag: input.id,
        ttlS: 60,
      },
    ]);
    await Promise.all([one.approvals.close(), other.approvals.close()]);
  });

  test("comes with what its session was asked last before it", async () => {
    const { approvals } = await startProcess();
    const insert = `INSERT INTO hook_events (id, event_type, session_id, event_data, blocked, created_at)
      VALUES ($1, 'UserPromptSubmit', $2, $3, $4, now() + $5 * interval '1 second')`;
    const prompt = (sessionId: string, text: string, seconds: number, isBlocked = false) =>
      database.db.pool.query(insert, [v7(), sessionId, { prompt: text }, isBlocked, seconds]);
    await prompt("s-asked", "Build it.", -30);
    await prompt("s-asked", "Now deploy.", -20);
    await prompt("s-asked", "With my card.", -10, true);
    await prompt("s-asked", "And then?", 60);
    await prompt("s-other", "Something else.", -5);
    const inputs = ["s-asked", "s-unknown"].map((sessionId) => aboutDeploy({ sessionId }));
    const waiting = inputs.map((input) => approvals.request(input));
    for (const { id } of inputs) await untilOpen(approvals, id);
    const { items } = await approvals.list({ limit: 50, open: true });
    expect(new Map(items.map((item) => [item.sessionId, item.prompt]))).toEqual(
      new Map([
        ["s-asked", "Now deploy."],
        ["s-unknown", null],
      ]),
    );
    await approvals.close();
    await Promise.all(waiting);
  });

  test("is decided by exactly one of many people", async () => {
    const { approvals } = await startProcess();
    const input = aboutDeploy();
    const waiting = approvals.request(input);
    await untilOpen(approvals, input.id);
    const choices = ["allowed_once", "denied", "allowed_here"] as const;
    const tries = Array.from({ length: 30 }, (_, index) =>
      approvals.decide({ id: input.id, decision: choices[index % 3] ?? "denied" }, userId),
    );
    const results = await Promise.allSettled(tries);
    const decided = results.filter((result) => result.status === "fulfilled");
    expect(decided).toHaveLength(1);
    expect(decided[0]?.value).toEqual(await waiting);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refusals.filter((reason) => reason instanceof ConflictError)).toHaveLength(29);
    for (const { message } of refusals) expect(message).toMatch(/^Ada has already (?:allowed|denied) this call/);
    const { items } = await approvals.listAllowances({});
    expect(items).toHaveLength((await waiting).outcome === "allowed_here" ? 1 : 0);
    await approvals.close();
  });

  test("that nobody has decided in time is not decided later", async () => {
    let nowMs = Date.now();
    const { approvals } = await startProcess({ now: () => new Date(nowMs) });
    const input = aboutDeploy({ timeoutMs: 1_000 });
    const waiting = approvals.request(input);
    await untilOpen(approvals, input.id);
    nowMs += 1_000;
    expect((await waiting).outcome).toBeNull();
    await expect(approvals.decide({ id: input.id, decision: "allowed_once" }, userId)).rejects.toThrow(
      new ConflictError("Nobody answered in time, so this call was left to the assistant."),
    );
    expect((await approvals.list({ limit: 50, open: false })).items).toMatchObject([{ state: "expired" }]);
    await approvals.close();
  });

  test("that is withdrawn is not decided later; a decision before it stands", async () => {
    const { approvals } = await startProcess();
    const [late, early] = [aboutDeploy(), aboutDeploy()];
    const waiting = [approvals.request(late), approvals.request(early)];
    await untilOpen(approvals, late.id);
    await untilOpen(approvals, early.id);
    expect((await approvals.withdraw(late.id)).outcome).toBe("withdrawn");
    await expect(approvals.decide({ id: late.id, decision: "allowed_once" }, userId)).rejects.toThrow(ConflictError);
    await approvals.decide({ id: early.id, decision: "allowed_once" }, userId);
    expect((await approvals.withdraw(early.id)).outcome).toBe("allowed_once");
    await approvals.close();
    await Promise.all(waiting);
  });

  test.each(["call", "effect", "diff", "toolName"])("that hides a secret in its %s is refused", async (field) => {
    const { approvals, pushed } = await startProcess();
    const input = aboutDeploy({ [field]: `deploy ${SECRET}` });
    await expect(approvals.request(input)).rejects.toThrow(ConflictError);
    expect((await approvals.list({ limit: 50 })).items).toEqual([]);
    expect(pushed).toEqual([]);
    await expect(approvals.decide({ id: input.id, decision: "allowed_once" }, userId)).rejects.toThrow(NotFoundError);
    await approvals.close();
  });

  test("with the id of another call is refused", async () => {
    const { approvals } = await startProcess();
    const input = aboutDeploy();
    const waiting = approvals.request(input);
    await untilOpen(approvals, input.id);
    await approvals.decide({ id: input.id, decision: "allowed_once" }, userId);
    await waiting;
    await expect(approvals.request({ ...input, digest: "b".repeat(64) })).rejects.toThrow(ConflictError);
    await expect(approvals.decide({ id: v4(), decision: "denied" }, userId)).rejects.toThrow(NotFoundError);
    await approvals.close();
  });

  test("ends without a decision when its process stops, and is still open", async () => {
    const { approvals } = await startProcess();
    const input = aboutDeploy();
    const waiting = approvals.request(input);
    await untilOpen(approvals, input.id);
    await approvals.close();
    expect((await waiting).outcome).toBeNull();
    expect((await approvals.list({ limit: 50, open: true })).items).toHaveLength(1);
  });
});

test("what is allowed in a project is in the settings of the hooks until it is removed", async () => {
  const { approvals } = await startProcess();
  const settings = createApprovalSettingsService(createTestDeps(database.db));
  const input = aboutDeploy();
  const waiting = approvals.request(input);
  await untilOpen(approvals, input.id);
  await approvals.decide({ id: input.id, decision: "allowed_here" }, userId);
  await waiting;
  const [allowance] = (await approvals.listAllowances({})).items;
  expect((await settings.forHooks()).allowances).toMatchObject([{ project: input.project, digest: input.digest }]);
  await approvals.deleteAllowance(allowance?.id ?? "");
  expect((await settings.forHooks()).allowances).toEqual([]);
  await expect(approvals.deleteAllowance(allowance?.id ?? "")).rejects.toThrow(NotFoundError);
  await approvals.close();
});

test("the settings are replaced only by who has seen the last ones", async () => {
  const settings = createApprovalSettingsService(createTestDeps(database.db));
  expect(await settings.get()).toEqual({ waitSeconds: 0, projects: [], version: 0, updatedAt: null });
  const projects = [{ project: "github.com/ada/pond", waitSeconds: 0 }];
  await settings.set({ waitSeconds: 60, projects, expectedVersion: 0 });
  await expect(settings.set({ waitSeconds: 0, projects: [], expectedVersion: 0 })).rejects.toThrow(
    PreconditionFailedError,
  );
  expect(await settings.forHooks()).toEqual({ waitSeconds: 60, projects, allowances: [] });
});
