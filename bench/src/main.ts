/** Measures the speed goals against the floor: `npm run bench`, or `npm run bench -- "task by id"` for single rows. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createDb } from "@workspace/db";
import { load, type LoadRequest, type LoadResult } from "./load.ts";
import { cpuMs, postgresMemory, residentMb, signIn, startFloor, startService } from "./processes.ts";
import { createScenarios, FILE_TEXT, READ_FILE, type Scenario } from "./scenarios.ts";
import { seedHookEvents, seedTasks, seedUsage, seedVault } from "./seed.ts";

/** The data of a workspace after years of use. */
const TASKS = 100_000;
const DOCUMENTS = 20_000;
const HOOK_EVENTS = 1_000_000;
const USAGE_RECORDS = 200_000;
const ROUNDS = 5;
const SECONDS = 3;
const PORT = 3990;
const FLOOR_PORT = 3991;

const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
const service = await startService(dataDir, PORT);
const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
try {
  console.log(`first start: ${service.readyAfterMs} ms, resident ${await residentMb([service.pid])} MB`);
  const seeded = await seedTasks(pool, TASKS);
  await seedHookEvents(pool, HOOK_EVENTS);
  await seedUsage(pool, USAGE_RECORDS);
  await seedVault(pool, join(dataDir, "vault"), DOCUMENTS);
  await pool.query("VACUUM ANALYZE");
  await mkdir(dirname(join(dataDir, "vault", READ_FILE)), { recursive: true });
  await writeFile(join(dataDir, "vault", READ_FILE), FILE_TEXT);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM users");
  const floor = await startFloor(FLOOR_PORT, connection, rows[0]?.id ?? "");
  try {
    const headers = { Cookie: await signIn(`http://127.0.0.1:${PORT}`) };
    const keyHeaders = { Authorization: `Bearer ${await createKey(headers)}` };
    const names = process.argv.slice(2);
    for (const scenario of createScenarios(seeded)) {
      if (names.length === 0 || names.includes(scenario.name))
        await measure(scenario, scenario.credentials === "key" ? keyHeaders : headers, {
          service: service.pid,
          floor: floor.pid,
        });
    }
  } finally {
    await floor.close();
  }
  // The memory of the service alone, without the processes that serve the floor and this program.
  await close();
  const database = await postgresMemory(connection.host);
  console.log(
    [
      `resident after the load: ${await residentMb([service.pid])} MB`,
      `database ${Math.round(database.privateBytes / 2 ** 20)} MB private in ${database.processes} processes`,
    ].join(", "),
  );
} finally {
  await close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Alternates A B A B, so that a slowdown of the machine affects both. */
async function measure(
  { name, goal, method, path, floorPath, body }: Scenario,
  headers: Record<string, string>,
  pids: { service: number; floor: number },
): Promise<void> {
  const ours = { url: `http://127.0.0.1:${PORT}${path}`, method, headers, ...(body !== undefined && { body }) };
  const floors = {
    url: `http://127.0.0.1:${FLOOR_PORT}${floorPath}`,
    method,
    headers: {},
    ...(body !== undefined && { body }),
  };
  await assertSameResponse(ours, floors);
  const shares: number[] = [];
  const results: { ours: CountedLoad; floor: CountedLoad }[] = [];
  await load(ours, 2);
  await load(floors, 2);
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await loadAndCount(floors, pids.floor);
    const service = await loadAndCount(ours, pids.service);
    if (floor.failures + service.failures > 0) throw new Error(`${name}: some requests failed`);
    shares.push(service.requestsPerSecond / floor.requestsPerSecond);
    results.push({ ours: service, floor });
  }
  const share = median(shares);
  console.log(
    [
      name.padEnd(30),
      `${share.toFixed(2)} of the floor (goal ${goal.toFixed(2)}) ${share >= goal ? "ok " : "LOW"}`,
      `${Math.round(median(results.map((result) => result.ours.requestsPerSecond)))}/s against ${Math.round(median(results.map((result) => result.floor.requestsPerSecond)))}/s`,
      `cpu ${Math.round(median(results.map((result) => result.ours.cpuUs)))} µs against ${Math.round(median(results.map((result) => result.floor.cpuUs)))} µs`,
      `p99 ${median(results.map((result) => result.ours.p99Ms)).toFixed(1)} ms against ${median(results.map((result) => result.floor.p99Ms)).toFixed(1)} ms`,
    ].join("  "),
  );
}

interface CountedLoad extends LoadResult {
  /** The process's CPU time per request, which hardly depends on other load on the machine. */
  readonly cpuUs: number;
}

async function loadAndCount(request: LoadRequest, pid: number): Promise<CountedLoad> {
  const before = await cpuMs(pid);
  const result = await load(request, SECONDS);
  const usedMs = (await cpuMs(pid)) - before;
  return { ...result, cpuUs: (usedMs * 1000) / (result.requestsPerSecond * SECONDS) };
}

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: object;
}

/**
 * The comparison is meaningless if the floor returns something else. Written rows differ only in id and time, and cursors in
 * the hash of their list, of which the floor only has the length.
 */
async function assertSameResponse(ours: Request, floors: Request): Promise<void> {
  const [one, other] = await Promise.all([ours, floors].map(fetchText));
  const isSame =
    one?.length === other?.length && (ours.method === "POST" || isDeepStrictEqual(parse(one), parse(other)));
  if (!isSame) throw new Error(`The responses differ:\n${one}\n${other}`);
}

function parse(text: string | undefined): unknown {
  return JSON.parse(text ?? "", (name, value: unknown) => (name === "nextCursor" ? typeof value : value));
}

async function fetchText({ url, method, headers, body }: Request): Promise<string> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.text();
}

async function createKey(headers: Record<string, string>): Promise<string> {
  const text = await fetchText({
    url: `http://127.0.0.1:${PORT}/api/api-keys`,
    method: "POST",
    headers,
    body: { name: "bench", scopes: ["tasks:read"] },
  });
  const created: { data: { key: string } } = JSON.parse(text);
  return created.data.key;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
