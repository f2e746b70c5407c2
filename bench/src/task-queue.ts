/**
 * Agents work through a queue of tasks that wait for each other, have subtasks or are snoozed, with two services of which one or the other is killed all the time,
 * and die themselves. Counts what contradicts a model of the queue, and measures claims beside a plain loop of
 * `SELECT … FOR UPDATE SKIP LOCKED`:
 *
 *   npm run bench -- task-queue [tasks=10000] [agents=50] [kills=100]
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { v7 } from "uuid";
import { withBenchDatabase } from "./bench-database.ts";
import { percentile, postJson, prepareServices, tokenHeaders, type ModelServices } from "./model-service.ts";
import type { StartedProcess } from "./processes.ts";
import { QueueModel, type SeededTask } from "./task-queue/queue-model.ts";
import { createRandom } from "./vault-notes.ts";

const [taskCount = 10_000, agentCount = 50, kills = 100] = process.argv.slice(2).map(Number);
const SERVICES = 2;
const LEASE_MINUTES = 1;
const WORK_MS = 20;
const MEASURED_MS = 5_000;
const CLIENTS = 16;
/** Of the claims: the agent dies, or gives the task back. */
const SHARES = { dies: 0.01, releases: 0.05, renews: 0.2, waits: 0.4, snoozed: 0.05 };
const LONGEST_SNOOZE_MS = 60_000;
/** A third of so many tasks in a row are a family; by place, the place of the task that each is a subtask of. */
const FAMILY = 4;
const PARENT_PLACES: readonly (number | undefined)[] = [3, 2, 3, undefined];

interface Claimed {
  readonly data: {
    readonly claimId: string;
    readonly task: { readonly id: string; readonly claim: { until: string } };
  } | null;
}

await withBenchDatabase(
  async (db, dataDir) => {
    const services = await prepareServices(dataDir, { LOG_LEVEL: "error" });
    const running: StartedProcess[] = [];
    for (let index = 0; index < SERVICES; index += 1) running.push(await services.start(index));
    try {
      const model = new QueueModel(await seed(db), { leaseMs: LEASE_MINUTES * 60_000 });
      const ended = new AbortController();
      const killing = killServices(services, running, ended.signal);
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: agentCount }, (_, agent) => work(agent, services, model)));
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      ended.abort();
      const killed = await killing;
      report(model, { seconds, killed });
      for (let index = 0; index < SERVICES; index += 1) running[index] ??= await services.start(index);
      await measure(db, services);
    } finally {
      await services.close();
    }
  },
  { max_connections: "100" },
);

/**
 * Creates tasks, of which many wait for one or two earlier ones, some are subtasks, of subtasks too, and some are snoozed for a while.
 * What waits only waits for earlier tasks and for its subtasks, which come before it: no two wait for each other.
 */
async function seed({ pool }: Db): Promise<SeededTask[]> {
  const random = createShares(1);
  const startedAtMs = Date.now();
  const ids = Array.from({ length: taskCount }, () => v7());
  const tasks = ids.map((id, index): SeededTask => {
    const family = index - (index % FAMILY);
    const place = hasFamily(family) ? PARENT_PLACES[index % FAMILY] : undefined;
    const earlier = () => (family === 0 ? undefined : ids[Math.floor(random() * family)]);
    const blockers = random() > SHARES.waits ? [] : [earlier(), earlier()].filter((other) => other !== undefined);
    return {
      id,
      blockers: [...new Set(blockers)],
      parentId: place === undefined ? null : (ids[family + place] ?? null),
      snoozedUntilMs: random() < SHARES.snoozed ? startedAtMs + Math.floor(random() * LONGEST_SNOOZE_MS) : 0,
    };
  });
  await pool.query(
    `INSERT INTO tasks (id, title, status, priority, creator_id, created_at, modified_at, search_text, snoozed_until)
     SELECT id, 'Task ' || n, 'todo', 1 + n % 3, (SELECT id FROM users LIMIT 1), now() - n * interval '1 second', now(), 'task ' || n,
       CASE WHEN snoozed > 0 THEN to_timestamp(snoozed / 1000.0) END
     FROM unnest($1::uuid[], $2::float8[]) WITH ORDINALITY AS task (id, snoozed, n)`,
    [ids, tasks.map(({ snoozedUntilMs }) => snoozedUntilMs)],
  );
  const subtasks = tasks.filter(({ parentId }) => parentId !== null);
  await pool.query(
    "UPDATE tasks SET parent_id = parent FROM unnest($1::uuid[], $2::uuid[]) AS subtask (task, parent) WHERE id = task",
    [subtasks.map(({ id }) => id), subtasks.map(({ parentId }) => parentId)],
  );
  const pairs = tasks.flatMap(({ id, blockers }) => blockers.map((blocker) => [id, blocker] as const));
  await pool.query("INSERT INTO task_blocks (task_id, blocker_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])", [
    pairs.map(([task]) => task),
    pairs.map(([, blocker]) => blocker),
  ]);
  await pool.query("VACUUM ANALYZE tasks, task_blocks");
  const snoozed = tasks.filter(({ snoozedUntilMs }) => snoozedUntilMs > 0).length;
  console.log(
    `${taskCount} tasks, ${new Set(pairs.map(([task]) => task)).size} of which wait for ${pairs.length} others, ${subtasks.length} subtasks, ${snoozed} snoozed; ${agentCount} agents`,
  );
  return tasks;
}

/** Whether the tasks from this one on are a task with its subtasks. */
function hasFamily(first: number): boolean {
  return first + FAMILY <= taskCount && (first / FAMILY) % 3 === 0;
}

/** One agent after the other in one place: when one dies, the next begins. */
async function work(agent: number, services: ModelServices, model: QueueModel): Promise<void> {
  const random = createShares(1_000 + agent);
  const url = () => `${services.url(Math.floor(random() * SERVICES))}/api/tasks`;
  while (model.doneCount < taskCount) {
    const sentMs = Date.now();
    const claimed = await ask(() => postJson<Claimed>(`${url()}/claim`, { leaseMinutes: LEASE_MINUTES }));
    if (claimed === undefined) model.loseClaim(sentMs);
    if (claimed === undefined || claimed.data === null) {
      await sleep(200);
      continue;
    }
    const { claimId, task } = claimed.data;
    model.claim(task.id, agent, { sentMs, untilMs: Date.parse(task.claim.until) });
    await sleep(random() * WORK_MS);
    if (random() < SHARES.dies) continue;
    if (random() < SHARES.renews) {
      const renewed = await ask(() =>
        postJson<{ data: { claim: { until: string } } }>(`${url()}/${task.id}/renew`, {
          claimId,
          leaseMinutes: LEASE_MINUTES,
        }),
      );
      if (renewed !== undefined) model.renew(task.id, Date.parse(renewed.data.claim.until));
    }
    if (random() < SHARES.releases) {
      model.end(task.id, false);
      await ask(() => postJson(`${url()}/${task.id}/release`, { claimId, note: "Given back." }));
      continue;
    }
    model.end(task.id, true);
    // Finishing is repeated until it is answered: an agent that lives does not leave its work unfinished.
    while ((await ask(() => finish(`${url()}/${task.id}`))) === undefined) await sleep(100);
    model.finish(task.id);
  }
}

async function finish(url: string): Promise<true> {
  const response = await fetch(url, {
    method: "PUT",
    headers: { ...tokenHeaders, "Content-Type": "application/json" },
    body: JSON.stringify({ status: "done" }),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return true;
}

/** Undefined if there was no answer: the service was killed, or is starting. */
async function ask<Value>(send: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await send();
  } catch {
    return undefined;
  }
}

/** Kills one service after the other, each as soon as both are up, and starts it again. Returns how many were killed. */
async function killServices(services: ModelServices, running: StartedProcess[], signal: AbortSignal): Promise<number> {
  const random = createShares(7);
  let killed = 0;
  while (killed < kills && !signal.aborted) {
    await sleep(100 + random() * 400);
    const index = killed % SERVICES;
    await running[index]?.kill();
    killed += 1;
    running[index] = await services.start(index);
  }
  return killed;
}

function report(model: QueueModel, { seconds, killed }: { seconds: number; killed: number }): void {
  const delays = model.reclaimDelaysMs;
  console.log(`${model.doneCount} tasks done in ${seconds} s, services killed ${killed} times`);
  console.log(
    `  claimed twice: ${model.doubleClaims.length}, claimed although blocked: ${model.blockedClaims.length}, while snoozed: ${model.snoozedClaims.length}`,
  );
  console.log(
    `  tasks of dead agents: ${delays.length}, claimed again ${percentile(delays, 0.5)} ms after the lease in the median, ${Math.max(0, ...delays)} ms at most`,
  );
  if (model.untoldDelaysMs.length > 0)
    console.log(
      `  ${model.untoldDelaysMs.length} more after a lease that no agent was told of, ${Math.max(...model.untoldDelaysMs)} ms at most`,
    );
  const violations = [...model.doubleClaims, ...model.blockedClaims, ...model.snoozedClaims];
  for (const violation of violations.slice(0, 10)) console.log(`  ! ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}

/** Claims a second, over HTTP and by a plain loop on the same rows, each from as many clients. */
async function measure({ pool }: Db, services: ModelServices): Promise<void> {
  const reset = () =>
    pool.query(
      "UPDATE tasks SET status = 'todo', claim_id = NULL, claim_expires_at = NULL, completed_at = NULL, parent_id = NULL, snoozed_until = NULL",
    );
  for (let round = 1; round <= 2; round += 1) {
    await reset();
    await pool.query("DELETE FROM task_blocks");
    await pool.query("VACUUM ANALYZE tasks");
    const ours = await count(async (client) => {
      const { data } = await postJson<Claimed>(`${services.url(client % SERVICES)}/api/tasks/claim`, {});
      return data !== null;
    });
    await reset();
    await pool.query("VACUUM ANALYZE tasks");
    const plain = await count(async () => {
      const { rowCount } = await pool.query(
        `UPDATE tasks SET status = 'in_progress' WHERE id = (
           SELECT id FROM tasks WHERE status = 'todo' ORDER BY priority DESC, due_date, created_at, id
           LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      );
      return rowCount === 1;
    });
    console.log(`claims a second, round ${round}: ${ours} over HTTP, ${plain} by a plain statement`);
  }
}

/** How often a second something succeeds, until it fails or the time is over. */
async function count(claim: (client: number) => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > MEASURED_MS;
  let claims = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (!isOver() && (await claim(client))) claims += 1;
    }),
  );
  return Math.round((claims * 1_000) / (performance.now() - startedAt));
}

/** Random numbers from 0 to 1, the same in every run. */
function createShares(seed: number): () => number {
  const random = createRandom(seed);
  return () => random(1_000_000) / 1_000_000;
}
