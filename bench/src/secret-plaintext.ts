/**
 * Searches for the values of secrets where they must not be: stores, reads, changes and rotates them and provokes errors
 * with them on the built server with full logging, then searches its log, every table and every file of its data directory:
 *
 *   npm run bench -- secret-plaintext
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb } from "@workspace/db";

const SECRETS = 50;
const PORT = 3993;
const TOKEN = "a-token-of-the-bench-0123456789";
const MAIN = join(import.meta.dirname, "../../packages/api-rest/dist/main.js");

const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
const child = spawn(process.execPath, [MAIN], {
  env: {
    PATH: process.env["PATH"],
    NODE_ENV: "production",
    PORT: String(PORT),
    DATA_DIR: dataDir,
    SERVICE_API_TOKEN: TOKEN,
    LOG_LEVEL: "trace",
  },
});
let log = "";
for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)));
try {
  while (!log.includes("Workspace is ready")) await sleep(20);
  const values = Array.from({ length: SECRETS }, () => randomBytes(24).toString("base64url"));
  for (const [index, value] of values.entries()) await exercise(`SECRET_${index}`, value);
  await call("POST", "/api/secrets/rotate");
  report("the log", countIn(log, values), log.length);
  await searchTables(values);
  child.kill("SIGTERM");
  await once(child, "exit");
  await searchFiles(values);
} finally {
  if (child.exitCode === null) child.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** Uses a value in every way possible, including errors. */
async function exercise(key: string, value: string): Promise<void> {
  await call("POST", "/api/secrets", { key, value: `${value}-old` });
  await call("PUT", `/api/secrets/${key}`, { value });
  await call("GET", `/api/secrets/${key}`);
  await call("POST", "/api/secrets", { key, value });
  await call("POST", "/api/secrets", { key: `bad ${value}`, value });
  await call("GET", `/api/secrets/${value}`);
  await call("PUT", `/api/secrets/${key}`, { value, description: 5 });
  const command = `curl -u me:${value} https://host/?token=${value}`;
  await call("POST", "/api/hooks/events", { eventType: "PreToolUse", eventData: { command }, blockReason: value });
  await call("POST", "/api/hooks/events/batch", {
    events: [{ eventType: "PreToolUse", eventData: { [value]: [value] } }],
  });
  await call("POST", "/api/memory/store", { content: `It is ${value}`, chunkType: "fact", sourceExcerpt: value });
  await call("POST", "/api/memory/extract", { transcript: `The token is ${value}` });
}

async function call(method: string, path: string, body?: object): Promise<void> {
  await fetch(`http://localhost:${PORT}${path}`, {
    method,
    headers: { "Content-Type": "application/json", "X-API-Token": TOKEN },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function searchTables(values: readonly string[]): Promise<void> {
  const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
  const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
  const { rows } = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) {
    const content = await pool.query<{ text: string }>(`SELECT t::text AS text FROM "${name}" AS t`);
    const text = content.rows.map((row) => row.text).join("\n");
    if (text !== "") report(`table ${name}`, countIn(text, values), text.length);
  }
  await close();
}

async function searchFiles(values: readonly string[]): Promise<void> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  let found = 0;
  let size = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const text = (await readFile(join(entry.parentPath, entry.name))).toString("latin1");
    size += text.length;
    found += countIn(text, values);
  }
  report(`${entries.length} files of the data directory, database and its log included`, found, size);
}

function countIn(text: string, values: readonly string[]): number {
  const forms = values.flatMap((value) => [value, Buffer.from(value).toString("base64")]);
  return forms.filter((form) => text.includes(form)).length;
}

function report(where: string, found: number, size: number): void {
  console.log(`${found} of ${SECRETS} values found in ${where} (${Math.round(size / 1024)} KiB)`);
}
