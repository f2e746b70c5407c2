import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureRepository, openRepository, verifyBackup } from "@workspace/backup";
import { createDb } from "@workspace/db";
import { startService, type StartedProcess } from "../processes.ts";
import { seedHookEvents, seedTasks, seedVault } from "../seed.ts";
import { SILENT_LOG, type Disks, type Rounds } from "./rounds.ts";

const PORT = 3979;
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`;
const TOKEN = "token-of-the-bench-0123456789";
const WRITERS = 8;

/** What was acknowledged so far, and may be on the disk besides. */
interface Written {
  readonly tasks: Set<string>;
  /** By path: the text that was acknowledged, and those that were sent since. */
  readonly notes: Map<string, { acknowledged: string | null; sent: string[] }>;
}

/** Backups of a service that is written to, each followed by the removal of those before. */
export async function createBackupRounds(_folder: string, { data, other }: Disks): Promise<Rounds> {
  const dataDir = join(data.path, "data");
  const vault = join(dataDir, "vault");
  const backups = join(other.path, "backups");
  const env = { SERVICE_API_TOKEN: TOKEN, LOG_LEVEL: "fatal" };
  const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
  const written: Written = { tasks: new Set(), notes: new Map() };
  let service: StartedProcess | undefined;
  let slowestStartMs = 0;
  let made = 0;
  let newest = "";

  async function start(): Promise<void> {
    service = await startService(dataDir, PORT, env);
    slowestStartMs = Math.max(slowestStartMs, service.readyAfterMs);
  }

  await start();
  const { pool, close } = createDb(connection, { log: SILENT_LOG });
  await seedTasks(pool, 3000);
  await seedHookEvents(pool, 10_000);
  await seedVault(pool, vault, 300);
  await close();
  await ensureRepository({ dir: backups, passphrase: null });

  return {
    prepare: () => Promise.resolve(),
    async work(run) {
      const stop = startWriters(written);
      const lines = await run(
        { work: "backups", config: connection, backups, vault, dataDir },
        50 + Math.random() * 6000,
      );
      await stop();
      return lines;
    },
    async check(lines) {
      const ids = lines.filter((line) => line !== "begins");
      made += ids.length;
      newest = ids.at(-1) ?? newest;
      const problems: string[] = [];
      const repository = await openRepository({ dir: backups, passphrase: null, access: "write" });
      try {
        const listed = await repository.listBackups();
        for (const id of listed) {
          const { problems: found } = await verifyBackup(repository, id);
          if (found.length > 0)
            problems.push(`the backup ${id} is not whole: ${found[0]} and ${found.length - 1} more`);
        }
        if (newest !== "" && !listed.some((id) => id >= newest)) problems.push("a backup that was made is gone");
      } finally {
        await repository.close();
      }
      await start();
      const losses = await findLosses(written, vault, connection);
      return [...problems, ...losses];
    },
    summary: () =>
      `${made} backups, ${written.tasks.size} tasks and the texts of ${written.notes.size} notes acknowledged, ` +
      `started within ${slowestStartMs} ms`,
  };
}

/** Starts writers that stop at the first request that fails. */
function startWriters(written: Written): () => Promise<void> {
  let isStopped = false;
  const write = async (writer: number): Promise<void> => {
    const path = `kept/${writer}.md`;
    for (const note of [written.notes.get(path)]) if (note !== undefined) note.sent = [];
    while (!isStopped) {
      const task = await post("/api/tasks", { title: "kept" });
      if (task === null) return;
      written.tasks.add(task);
      const note = written.notes.get(path) ?? { acknowledged: null, sent: [] };
      written.notes.set(path, note);
      const content = `${randomUUID()}\n`.repeat(100);
      note.sent.push(content);
      if ((await post("/api/fs/write", { path, content })) === null) return;
      note.acknowledged = content;
      note.sent = [];
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  return async () => {
    isStopped = true;
    await Promise.all(writers);
  };
}

/** The id of what was written, if it has one; null if the request failed. */
async function post(path: string, body: object): Promise<string | null> {
  try {
    const response = await fetch(`${URL_OF_SERVICE}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Token": TOKEN },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const answer: { data?: { id?: string } } = JSON.parse(await response.text());
    return response.status === 200 ? (answer.data?.id ?? "") : null;
  } catch {
    return null;
  }
}

async function findLosses(
  { tasks, notes }: Written,
  vault: string,
  connection: Parameters<typeof createDb>[0],
): Promise<string[]> {
  const { pool, close } = createDb(connection, { log: SILENT_LOG });
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM tasks WHERE title = 'kept'");
  await close();
  const present = new Set(rows.map(({ id }) => id));
  const problems = [...tasks].filter((id) => !present.has(id)).map((id) => `the task ${id} is lost`);
  for (const [path, note] of notes) {
    const text = await readFile(join(vault, path), "utf8").catch(() => null);
    if (text === note.acknowledged) continue;
    if (text === null || !note.sent.includes(text)) problems.push(`the note ${path} is lost or damaged`);
    note.acknowledged = text;
  }
  return problems;
}
