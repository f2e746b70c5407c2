/**
 * Kills the service, then its database, with SIGKILL while writers change files: `npm run bench -- vault-kills <kills>`,
 * optionally followed by `service` or `database` for only one of the two. After each restart every acknowledged change must
 * be on disk, every file intact, and the documents must equal the files.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startService, type StartedProcess } from "./processes.ts";
import { victimsOf } from "./victims.ts";

const kills = Number(process.argv[2] ?? 20);
const victims = victimsOf(process.argv[3]);
const WRITERS = 50;
const FILES_PER_WRITER = 4;
const WRITES_BEFORE_KILL = 150;
const TOKEN = "token-of-the-bench-0123456789";

/** The possible contents of a file: what was last acknowledged, and writes in flight since. Null is no file. */
interface Expectation {
  acknowledged: string | null;
  inFlight: (string | null)[];
}

interface Round {
  acknowledged: number;
  lost: number;
  torn: number;
  inSyncAfterMs: number;
  leftovers: number;
}

const expectations = new Map<string, Expectation>();

async function post(url: string, path: string, body: object): Promise<boolean> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Token": TOKEN },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function startWriters(url: string): { stop(): Promise<void>; readonly acknowledged: number } {
  let isStopped = false;
  let acknowledged = 0;
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const path = `notes/${writer}/file-${count % FILES_PER_WRITER}.md`;
      const expectation = expectations.get(path) ?? { acknowledged: null, inFlight: [] };
      expectations.set(path, expectation);
      const isDeletion = count % 7 === 6 && expectation.acknowledged !== null;
      const content = isDeletion ? null : `${randomUUID()}\n`.repeat(20 + (count % 100));
      expectation.inFlight.push(content);
      const isDone = isDeletion
        ? await post(url, "/api/fs/delete", { path })
        : await post(url, "/api/fs/write", { path, content });
      if (!isDone) return;
      expectation.acknowledged = content;
      expectation.inFlight = [];
      acknowledged += 1;
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  return {
    get acknowledged() {
      return acknowledged;
    },
    async stop() {
      isStopped = true;
      await Promise.all(writers);
    },
  };
}

async function check(root: string): Promise<{ lost: number; torn: number }> {
  let lost = 0;
  let torn = 0;
  for (const [path, expectation] of expectations) {
    const content = await readFile(join(root, path), "utf8").catch(() => null);
    if (content === expectation.acknowledged) continue;
    if (expectation.inFlight.includes(content)) expectation.acknowledged = content;
    else if (content === null) lost += 1;
    else torn += 1;
  }
  for (const expectation of expectations.values()) expectation.inFlight = [];
  return { lost, torn };
}

async function filesOf(root: string): Promise<{ hashes: Map<string, string>; leftovers: number }> {
  const hashes = new Map<string, string>();
  let leftovers = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(join(root, ".workspace/"))) continue;
    if (entry.name.startsWith(".workspace-")) leftovers += 1;
    else
      hashes.set(
        path.slice(root.length + 1),
        createHash("sha256")
          .update(await readFile(path))
          .digest("hex"),
      );
  }
  return { hashes, leftovers };
}

async function documentsOf(url: string): Promise<Map<string, string>> {
  const response = await fetch(`${url}/api/documents`, { headers: { "X-API-Token": TOKEN } });
  const { data } = (await response.json()) as { data: { path: string; contentHash: string }[] };
  return new Map(data.map(({ path, contentHash }) => [path, contentHash]));
}

async function untilInSync(url: string, root: string): Promise<{ afterMs: number; leftovers: number }> {
  const startedAt = performance.now();
  for (;;) {
    const { hashes, leftovers } = await filesOf(root);
    const documents = await documentsOf(url).catch(() => new Map<string, string>());
    const isEqual = documents.size === hashes.size && [...hashes].every(([path, hash]) => documents.get(path) === hash);
    const afterMs = Math.round(performance.now() - startedAt);
    if ((isEqual && leftovers === 0) || afterMs > 60_000) return { afterMs, leftovers };
    await sleep(50);
  }
}

async function run(victim: "service" | "database"): Promise<void> {
  expectations.clear();
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-vault-kills-"));
  const root = join(dataDir, "vault");
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { SERVICE_API_TOKEN: TOKEN, LOG_LEVEL: "fatal" };
  let service: StartedProcess = await startService(dataDir, port, env);
  const rounds: Round[] = [];
  try {
    for (let round = 0; round < kills; round += 1) {
      const writers = startWriters(url);
      while (writers.acknowledged < WRITES_BEFORE_KILL) await sleep(5);
      await sleep(Math.random() * 50);
      if (victim === "service") {
        await service.kill();
        await writers.stop();
        service = await startService(dataDir, port, env);
      } else {
        process.kill(
          Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]),
          "SIGKILL",
        );
        await writers.stop();
        while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok) await sleep(20);
      }
      const { lost, torn } = await check(root);
      const { afterMs, leftovers } = await untilInSync(url, root);
      rounds.push({ acknowledged: writers.acknowledged, lost, torn, inSyncAfterMs: afterMs, leftovers });
    }
  } finally {
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  const sum = (key: keyof Round) => rounds.reduce((total, round) => total + round[key], 0);
  const slowest = Math.max(...rounds.map(({ inSyncAfterMs }) => inSyncAfterMs));
  console.log(
    `kill -9 of the ${victim} ${kills} times: ${sum("acknowledged")} changes acknowledged, ${sum("lost")} lost, ` +
      `${sum("torn")} files torn, ${sum("leftovers")} unfinished files left, documents in sync after at most ${slowest} ms`,
  );
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}

for (const victim of victims) await run(victim);
