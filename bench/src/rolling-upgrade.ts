/**
 * Two services on one database and one vault behind a load balancer are stopped and started one after the other, under load:
 *
 *   npm run bench -- rolling-upgrade [rounds=10] [nginx|haproxy]
 *
 * Counts requests that failed, acknowledged writes that were lost, changes that a reconnecting WebSocket has missed, and ticks of agents
 * and reminders that were missed or came twice. Needs nginx, or haproxy.
 */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { createTally, startCheckedClient } from "./checked-client.ts";
import { startProbingBalancer } from "./haproxy.ts";
import { openSocket, percentile, postJson, prepareServices } from "./model-service.ts";
import { startLoadBalancer } from "./nginx.ts";
import type { StartedProcess } from "./processes.ts";
import { countTicks } from "./tick-counts.ts";

const [roundsText = "10", balancerName = "nginx"] = process.argv.slice(2);
const rounds = Number(roundsText);
const CLIENTS = 16;
const SOCKETS = 20;
const AGENTS = 10;
const FIRST_PORT = 3980;
const BALANCER_PORT = 3979;
const HOOK_PORT = 3978;
/** How long services that have just changed serve the load. */
const SERVING_MS = 2_000;
const SETTINGS = { max_connections: "100" };

/** A client that keeps a WebSocket open, like a page, and continues after the last change that it knows. */
async function followChanges(url: string) {
  const created = new Set<string>();
  const awayMs: number[] = [];
  let lastSeq: number | null = null;
  let isStopped = false;
  let resyncs = 0;

  async function connect(): Promise<void> {
    const after = lastSeq === null ? "" : `?afterSeq=${lastSeq}`;
    const socket = await openSocket(
      url,
      ({ type, seq, resourceId }) => {
        if (seq !== undefined) lastSeq = Math.max(lastSeq ?? 0, seq);
        if (type === "resource_change" && resourceId !== undefined) created.add(resourceId);
        if (type === "resync") resyncs += 1;
      },
      after,
    );
    void once(socket, "close").then(() => (isStopped ? undefined : reconnect()));
  }

  async function reconnect(): Promise<void> {
    const lostAt = performance.now();
    for (;;) {
      try {
        await connect();
        awayMs.push(performance.now() - lostAt);
        return;
      } catch {
        await sleep(100);
      }
    }
  }

  await connect();
  return {
    created,
    awayMs,
    get resyncs() {
      return resyncs;
    },
    stop: () => void (isStopped = true),
  };
}

/** Receives webhooks and counts the reminders by their ids. */
async function receiveReminders(): Promise<{ times: Map<string, number>; close(): void }> {
  const times = new Map<string, number>();
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      // The body is that of the contract.
      const { data } = JSON.parse(body) as { data: { id: string } };
      times.set(data.id, (times.get(data.id) ?? 0) + 1);
      res.end();
    });
  });
  server.listen(HOOK_PORT, "127.0.0.1");
  await once(server, "listening");
  return { times, close: () => void server.close() };
}

/** Adds a reminder every fifth of a second that is due five seconds later, each to a task of its own. */
function addReminders(url: string, failures: string[]): { stop(): Promise<number> } {
  let isStopped = false;
  let added = 0;
  async function add(): Promise<void> {
    try {
      const { data } = await postJson<{ data: { id: string } }>(`${url}/api/tasks`, { title: "Remind me" });
      await postJson(`${url}/api/tasks/${data.id}/reminders`, { at: new Date(Date.now() + 5_000).toISOString() });
      added += 1;
    } catch (error) {
      failures.push(`${new Date().toISOString()} ${String(error)}`);
    }
  }
  async function work(): Promise<void> {
    for (; !isStopped; await sleep(200)) await add();
  }
  const working = work();
  return {
    stop: () => {
      isStopped = true;
      return working.then(() => added);
    },
  };
}

async function countLostEvents({ pool }: Db, events: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ lost: number }>(
    "SELECT count(*) AS lost FROM unnest($1::uuid[]) AS sent (id) WHERE NOT EXISTS (SELECT FROM hook_events h WHERE h.id = sent.id)",
    [events],
  );
  return rows[0]?.lost ?? 0;
}

await withBenchDatabase(async (db, dataDir) => {
  const vaultPath = join(dataDir, "vault");
  await mkdir(vaultPath);
  const env = { VAULT_PATH: vaultPath, SHUTDOWN_DELAY_S: "3", LOG_LEVEL: "error" };
  const services = await prepareServices(dataDir, env);
  services.model.replyAlways({ text: "Done.", delayMs: 200 });
  const running: StartedProcess[] = [await services.start(0), await services.start(1)];
  const startBalancer = balancerName === "haproxy" ? startProbingBalancer : startLoadBalancer;
  const balancer = await startBalancer(BALANCER_PORT, [FIRST_PORT, FIRST_PORT + 1]);
  const received = await receiveReminders();
  await sleep(1_000);
  try {
    const webhook = { name: "Reminders", url: `http://127.0.0.1:${HOOK_PORT}/`, events: ["reminder.due"] };
    await postJson(`${balancer.url}/api/webhooks`, webhook);
    for (let index = 0; index < AGENTS; index += 1)
      await postJson(`${balancer.url}/api/agents`, { name: `Agent ${index}`, schedule: "* * * * * *", prompt: "Go" });
    const followers = await Promise.all(Array.from({ length: SOCKETS }, () => followChanges(balancer.url)));
    const tally = createTally();
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      startCheckedClient(balancer.url, `client-${index}`, tally),
    );
    const reminders = addReminders(balancer.url, tally.failures);
    const handovers: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const index of [0, 1]) {
        await sleep(SERVING_MS);
        await running[index]?.close();
        const stoppedAt = performance.now();
        await untilLed(services.url(1 - index));
        handovers.push(performance.now() - stoppedAt);
        running[index] = await services.start(index);
      }
    }
    await sleep(SERVING_MS);
    const end = new Date();
    for (const client of clients) client.stop();
    await Promise.all(clients.map(({ finished }) => finished));
    const added = await reminders.stop();
    await db.pool.query("UPDATE agents SET enabled = false");
    await sleep(15_000);
    const losses = (await Promise.all(clients.map((client) => client.findLosses()))).flat();
    const lostEvents = await countLostEvents(
      db,
      clients.flatMap(({ events }) => [...events]),
    );
    const { rows } = await db.pool.query<{ id: string }>("SELECT id FROM tasks");
    const missed = followers.map(({ created }) => rows.filter(({ id }) => !created.has(id)).length);
    const awayMs = followers.flatMap((follower) => follower.awayMs);
    const ticks = await countTicks(db, end);
    const { rows: runs } = await db.pool.query<{ status: string; count: number }>(
      "SELECT status, count(*) FROM agent_runs GROUP BY status ORDER BY count DESC",
    );
    for (const follower of followers) follower.stop();
    const failed = tally.failures.length;
    const twice = [...received.times.values()].filter((times) => times > 1).length;
    const lost = losses.length + lostEvents;
    console.log(`${rounds * 2} restarts of one of two services behind ${balancerName}, ${CLIENTS} clients:`);
    console.log(`  requests ${tally.requests}, failed ${failed} (goal: 0, ${failed === 0 ? "ok" : "MISSED"})`);
    console.log(
      `  responses other than 2xx: ${[...tally.refusals].map(([status, n]) => `${status} × ${n}`).join(", ")}`,
    );
    console.log(
      `  acknowledged writes ${tally.acknowledgedWrites}, lost ${lost}; wrong responses ${tally.wrongResponses.length}`,
    );
    console.log(`  longest wait ${tally.longestWaitMs} ms (${tally.longestWait})`);
    console.log(
      `  WebSockets: ${awayMs.length} reconnections after ${percentile(awayMs, 0.5)} ms (median), ${percentile(awayMs, 1)} ms at worst; ` +
        `of ${rows.length} new tasks they missed ${Math.max(...missed)}, resyncs ${followers.reduce((sum, { resyncs }) => sum + resyncs, 0)}`,
    );
    console.log(
      `  the mirror had a leader after ${percentile(handovers, 0.5)} ms (median), ${percentile(handovers, 1)} ms at worst`,
    );
    console.log(
      `  agents: due ${ticks.due}, missed ${ticks.due - ticks.taken}, run twice ${ticks.duplicated}; too late ${ticks.late}`,
    );
    console.log(`  runs: ${runs.map(({ status, count }) => `${status} ${count}`).join(", ")}`);
    console.log(`  reminders: ${added}, missed ${added - received.times.size}, came twice ${twice}`);
    for (const sentence of [...losses, ...tally.wrongResponses, ...tally.failures].slice(0, 20))
      console.log(`  ! ${sentence.slice(0, 200)}`);
    if (failed + lost + tally.wrongResponses.length > 0) {
      process.exitCode = 1;
      // A refused connection is what a stopped service looks like, and costs no request.
      const errors = (await balancer.loggedErrors()).filter((line) => !line.includes("Connection refused"));
      for (const line of errors.slice(0, 20)) console.log(`  ${balancerName}: ${line.slice(0, 300)}`);
    }
  } finally {
    received.close();
    await balancer.close();
    await services.close();
  }
}, SETTINGS);

/** Resolves once a service leads the mirror. */
async function untilLed(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/health`);
    // The body is that of the contract.
    const { data } = (await response.json()) as { data: { mirror: { leader: boolean } } };
    if (data.mirror.leader) return;
    await sleep(20);
  }
}
