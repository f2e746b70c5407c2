import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps } from "../../../testing/test-deps.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createTaskService } from "../tasks/task.service.ts";
import { createTaskBlockService } from "./task-blocks.service.ts";
import { createTaskQueueService } from "./task-queue.service.ts";

const AGENTS = 50;
const TASKS = 120;
/** In one of so many claims the agent dies, and its lease ends. */
const CLAIMS_OF_A_DEATH = 8;
/** Every third task waits for the two before it. */
const blockersOf = (place: number): number[] => (place % 3 === 2 ? [place - 2, place - 1] : []);

function nextChange(): { readonly happened: Promise<void>; happens(): void } {
  let happens = (): void => undefined;
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happened, happens: () => happens() };
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("50 agents, some of which die, finish all tasks: none is claimed twice, or before what it waits for is done", async () => {
  const { pool } = database.db;
  const userId = v7();
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [userId]);
  const deps = createTestDeps(database.db);
  const tasks = createTaskService({ ...deps, timeZone: "UTC" });
  const queue = createTaskQueueService({ ...deps, timeZone: "UTC" });
  const blocks = createTaskBlockService(deps);
  const ada: Author = { kind: "person", userId, name: "Ada" };
  const ids: string[] = [];
  for (let place = 0; place < TASKS; place += 1) {
    const { id } = await tasks.create({ title: `Task ${place}` }, ada);
    ids.push(id);
    const blockedBy = blockersOf(place).flatMap((other) => ids[other] ?? []);
    if (blockedBy.length > 0) await blocks.replace({ id, blockedBy }, ada);
  }

  // What the agents know of each other, which is noted before a change is sent and after a claim has come back.
  const held = new Map<string, string>();
  const finished = new Set<string>();
  const wrong: string[] = [];
  let claims = 0;
  let change = nextChange();
  const work = async (name: string): Promise<void> => {
    const agent: Author = { kind: "assistant", userId, name, keyId: v7() };
    while (finished.size < TASKS) {
      const { happened } = change;
      const claimed = await queue.claim({ leaseMinutes: 1 }, agent);
      if (claimed === null) {
        if (finished.size < TASKS) await happened;
        continue;
      }
      const { id, title } = claimed.task;
      const others = blockersOf(ids.indexOf(id)).filter((other) => !finished.has(ids[other] ?? ""));
      if (held.has(id) || finished.has(id) || others.length > 0)
        wrong.push(
          `${name} got ${title}; held by ${held.get(id)}, done: ${finished.has(id)}, waits for ${others.join()}`,
        );
      held.set(id, name);
      claims += 1;
      const isDead = claims % CLAIMS_OF_A_DEATH === 0;
      await tasks.get(id);
      held.delete(id);
      if (isDead) await pool.query("UPDATE tasks SET claim_expires_at = now() WHERE id = $1", [id]);
      else {
        finished.add(id);
        await tasks.update({ id, status: "done", claimId: claimed.claimId }, agent);
      }
      change.happens();
      change = nextChange();
    }
  };
  await Promise.all(Array.from({ length: AGENTS }, (_, index) => work(`Agent ${index}`)));
  expect(wrong).toEqual([]);
  expect(claims).toBeGreaterThan(TASKS);
  const { rows } = await pool.query("SELECT count(*)::int AS open FROM tasks WHERE status <> 'done'");
  expect(rows).toEqual([{ open: 0 }]);
});
