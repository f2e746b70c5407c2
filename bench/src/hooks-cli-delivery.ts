/**
 * Sends hook events from many processes at once to the built server, which is repeatedly killed and restarted, over an
 * unreliable connection: `npm run bench -- hooks-cli-delivery 10000 20`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { type Socket, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runStorm, tally } from "../../packages/hooks-cli/tests/support/event-storm.ts";
import { TemporaryHome } from "../../packages/hooks-cli/tests/support/temporary-home.ts";
import { signIn, startService } from "./processes.ts";

const events = Number(process.argv[2] ?? 10_000);
const parallel = Number(process.argv[3] ?? 20);
const SERVER_PORT = 4_731;
const PROXY_PORT = 4_732;
const UP_MS = 12_000;
const DOWN_MS = 3_000;

/**
 * Breaks every second connection: before the server receives the request, or after it responds and before the response
 * arrives.
 */
function startProxy(): { breaks: boolean; close(): void } {
  let connections = 0;
  const state = { breaks: true, close: () => void server.close() };
  const server = createServer((client) => {
    connections += 1;
    const turn = state.breaks ? connections % 4 : 0;
    client.on("error", ignore);
    if (turn === 1) return void client.destroy();
    const upstream: Socket = connect(SERVER_PORT, "127.0.0.1");
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.pipe(upstream);
    if (turn === 3) upstream.once("data", () => client.destroy());
    else upstream.pipe(client);
  }).listen(PROXY_PORT, "127.0.0.1");
  return state;
}

function ignore(): void {
  // Broken connections are the point of this bench.
}

async function storedEvents(url: string): Promise<readonly unknown[]> {
  const Cookie = await signIn(url);
  const stored: unknown[] = [];
  for (let cursor = ""; ;) {
    const response = await fetch(`${url}/api/hooks/events?limit=500${cursor}`, { headers: { Cookie } });
    const { data, nextCursor } = (await response.json()) as { data: unknown[]; nextCursor?: string };
    stored.push(...data);
    if (nextCursor === undefined) return stored;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

const dataDir = await mkdtemp(join(tmpdir(), "hooks-delivery-"));
const home = new TemporaryHome();
const url = `http://localhost:${SERVER_PORT}`;
const token = "token-of-the-delivery-bench-0123456789";
const start = () => startService(dataDir, SERVER_PORT, { SERVICE_API_TOKEN: token });
let service = await start();
const proxy = startProxy();
let kills = 0;
let isOver = false;

/** Retries, since a start may fail while the killed server's database is still shutting down. */
async function startWithRetries(): ReturnType<typeof start> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(DOWN_MS);
    }
  }
}

async function killRepeatedly(): Promise<void> {
  for (;;) {
    await sleep(UP_MS);
    if (isOver) return;
    await service.kill();
    kills += 1;
    await sleep(DOWN_MS);
    service = await startWithRetries();
  }
}

try {
  proxy.breaks = false;
  const installed = await home.run(["install", "--server", `http://localhost:${PROXY_PORT}`, "--api-token", token]);
  if (installed.exitCode !== 0) throw new Error(installed.stderr);
  proxy.breaks = true;
  const startedAt = performance.now();
  const killing = killRepeatedly();
  const { markers, failures } = await runStorm(
    home,
    {
      events,
      parallel,
      onProgress: (done) => {
        if (done % 500 === 0) console.error(`${done} events, ${kills} kills, ${home.spooled.length} waiting`);
      },
    },
    [process.execPath, join(home.root, "bin/workspace-hooks.cjs")],
  );
  isOver = true;
  await killing;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const waiting = home.spooled.length;
  proxy.breaks = false;
  for (let attempt = 0; attempt < 5 && home.spooled.length > 0; attempt += 1) await home.run(["flush"]);
  const { lost, duplicated } = tally(markers, await storedEvents(url));
  console.log(
    `${markers.length} events from ${parallel} processes at once in ${seconds} s, ${kills} kills of the server: ` +
      `${waiting} waiting at the end, ${lost} lost, ${duplicated} duplicated, ${failures.length} exits other than 0`,
  );
} finally {
  proxy.close();
  await service.close();
  home.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
