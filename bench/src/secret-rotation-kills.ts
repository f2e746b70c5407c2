/**
 * Repeatedly kills the rotation of secrets with SIGKILL at a random moment, and counts the secrets that cannot be decrypted
 * with the keys left on disk:
 *
 *   npm run bench -- secret-rotation-kills [kills]
 *
 * Needs the built server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deriveEncryptionKey, openSecret } from "@workspace/core/testing";
import type { Db } from "@workspace/db";
import { startService } from "./processes.ts";
import { withBenchDatabase } from "./bench-database.ts";

const KILLS = Number(process.argv[2] ?? 100);
const SECRETS = 200;
const PORT = 3992;
const TOKEN = "a-token-of-the-bench-0123456789";
const MAIN = join(import.meta.dirname, "../../packages/api-rest/dist/main.js");

await withBenchDatabase(async (db, postgresDir) => {
  const dataDir = join(postgresDir, "service");
  const socket = encodeURIComponent(join(postgresDir, "postgres"));
  const env = { DATA_DIR: dataDir, DATABASE_URL: `postgresql://workspace@localhost:5432/workspace?host=${socket}` };
  await mkdir(dataDir);
  const expected = await storeSecrets(dataDir, env);

  const keyFile = join(dataDir, "encryption-key");
  const rotationMs = await timeRotation(keyFile, env);
  console.log(`${SECRETS} secrets; from the first new key to the end of a rotation ${rotationMs.toFixed(0)} ms`);

  const outcomes = {
    "before the new key": 0,
    "during re-encryption": 0,
    "after it, old key still present": 0,
    "after the end": 0,
  };
  let lost = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const keysBefore = readKeys(keyFile);
    const child = rotate(env);
    const exited = once(child, "exit");
    // One in ten is killed during startup; the others once the first new key is on disk.
    if (kill % 10 === 0) await sleep(Math.random() * 400);
    else await Promise.race([untilKeysChange(keyFile, keysBefore), exited]);
    await Promise.race([sleep(Math.random() * rotationMs), exited]);
    child.kill("SIGKILL");
    const [code, signal] = await exited;
    if (signal !== "SIGKILL" && code !== 0) throw new Error(`A rotation exited with code ${code}.`);
    const { missing, outcome } = await inspect(db, keyFile, keysBefore, expected);
    lost += missing;
    outcomes[outcome] += 1;
  }
  console.log(`${KILLS} kills: ${lost} secrets lost`);
  for (const [outcome, count] of Object.entries(outcomes)) console.log(`  ${outcome}: ${count}`);

  const code = (await once(rotate(env), "exit"))[0];
  const { missing } = await inspect(db, keyFile, [], expected);
  console.log(
    `a final rotation without a kill: exit code ${code}, keys on disk ${readKeys(keyFile).length}, secrets lost ${missing}`,
  );
});

async function storeSecrets(dataDir: string, env: Record<string, string>): Promise<Map<string, string>> {
  const service = await startService(dataDir, PORT, { ...env, SERVICE_API_TOKEN: TOKEN });
  const expected = new Map<string, string>();
  try {
    for (let index = 0; index < SECRETS; index += 1) {
      const [key, value] = [`SECRET_${index}`, `value ${index} ${"x".repeat(index * 10)}`];
      const response = await fetch(`http://localhost:${PORT}/api/secrets`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Token": TOKEN },
        body: JSON.stringify({ key, value }),
      });
      if (response.status !== 201) throw new Error(`Storing a secret returned ${response.status}.`);
      expected.set(key, value);
    }
  } finally {
    await service.close();
  }
  return expected;
}

function rotate(env: Record<string, string>) {
  return spawn(process.execPath, [MAIN, "rotate-secrets"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], NODE_ENV: "production", LOG_LEVEL: "error", ...env },
  });
}

async function timeRotation(keyFile: string, env: Record<string, string>): Promise<number> {
  const keysBefore = readKeys(keyFile);
  const exited = once(rotate(env), "exit");
  await untilKeysChange(keyFile, keysBefore);
  const startedAt = performance.now();
  await exited;
  return performance.now() - startedAt;
}

async function untilKeysChange(keyFile: string, before: readonly string[]): Promise<void> {
  while (readKeys(keyFile).join() === before.join()) await sleep(1);
}

function readKeys(keyFile: string): string[] {
  return readFileSync(keyFile, "utf8").trim().split("\n");
}

/** Decrypts every secret with the keys on disk, as the next start would, and determines how far the rotation had got. */
async function inspect(db: Db, keyFile: string, keysBefore: readonly string[], expected: ReadonlyMap<string, string>) {
  const texts = readKeys(keyFile);
  const keys = texts.map(deriveEncryptionKey);
  const { rows } = await db.pool.query<{ key: string; envelope: string }>("SELECT key, envelope FROM secrets");
  const opened = new Map(rows.map(({ key, envelope }) => [key, tryOpen(keys, key, envelope)]));
  const missing = [...expected].filter(([key, value]) => opened.get(key) !== value).length;
  const [newest] = keys;
  const isMoved = rows.every(({ envelope }) => newest !== undefined && envelope.includes(newest.id));
  const isUntouched = texts.join() === keysBefore.join();
  const outcome = isUntouched
    ? "before the new key"
    : !isMoved
      ? "during re-encryption"
      : texts.length > 1
        ? "after it, old key still present"
        : "after the end";
  return { missing, outcome } as const;
}

function tryOpen(
  keys: readonly ReturnType<typeof deriveEncryptionKey>[],
  name: string,
  envelope: string,
): string | null {
  try {
    return openSecret((id) => keys.find((key) => key.id === id), name, envelope);
  } catch {
    return null;
  }
}
