import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { ADMIN } from "./credentials.ts";

const MAIN = join(import.meta.dirname, "../dist/main.js");

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function makeDataDir(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "workspace-start-"));
  cleanups.push(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves to the address once it serves; rejects when it ends before. */
  readonly ready: Promise<string>;
  /** Resolves to the exit code. */
  readonly exited: Promise<number | null>;
}

/** The service as `npm start` runs it, on its embedded database. */
function start(dataDir: string, env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_ENV: "production", PORT: "0", DATA_DIR: dataDir, ...env },
  });
  let output = "";
  const exited = once(child, "exit").then(([code]) => code);
  cleanups.push(async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await exited;
  });
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^Workspace is ready at (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(output)));
  });
  ready.catch(() => undefined);
  return { child, output: () => output, ready, exited };
}

const passwordIn = (output: string) => /^ {2}password: (\S+)$/m.exec(output)?.[1];

describe("the first start", () => {
  test("makes a closed data directory, a user and a password that is printed once", async () => {
    const dataDir = await makeDataDir();
    const first = start(dataDir);
    const url = await first.ready;
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, "service-secret"))).mode & 0o777).toBe(0o600);
    const password = passwordIn(first.output());
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "admin@workspace.local", password }),
    });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({
      data: { status: "ok", database: { deployment: "embedded", available: true } },
    });

    first.child.kill("SIGTERM");
    expect(await first.exited).toBe(0);
    const second = start(dataDir, { PORT: new URL(url).port });
    await second.ready;
    expect(passwordIn(second.output())).toBeUndefined();
    expect((await fetch(`${url}/api/tasks`, { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test("takes the first user from the configuration", async () => {
    const service = start(await makeDataDir(), {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_NAME: ADMIN.name,
    });
    const url = await service.ready;
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: ADMIN.email, password: ADMIN.password }),
    });
    expect(await answer.json()).toMatchObject({ user: { name: ADMIN.name, email: ADMIN.email } });
    expect(service.output()).not.toContain(ADMIN.password);
  });
});

describe("a start is refused", () => {
  test("with every problem of the configuration at once", async () => {
    const service = start(await makeDataDir(), { PORT: "x", ACCESS_MODE: "lan", ADMIN_PASSWORD: "short" });
    expect(await service.exited).toBe(1);
    for (const variable of ["PORT", "ACCESS_MODE", "ADMIN_PASSWORD"])
      expect(service.output()).toContain(`${variable}: expected`);
    expect(service.output()).not.toMatch(/^\s+at /m);
  });

  test("while another service uses the data directory, which goes on undisturbed", async () => {
    const dataDir = await makeDataDir();
    const url = await start(dataDir).ready;
    const second = start(dataDir);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/in use by another running service/);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
  });

  test("on a port that is taken, and leaves nothing running", async () => {
    const { port } = new URL(await start(await makeDataDir()).ready);
    const dataDir = await makeDataDir();
    const second = start(dataDir, { PORT: port });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^Cannot listen on .*Is another program using it\? Set PORT to change it\.\n$/);
    await expect(stat(join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
  });
});

describe("a failed start says why in one sentence, without a stack trace", () => {
  test.each<[string, (dir: string) => Record<string, string>, RegExp]>([
    ["a data directory that cannot be made", (dir) => ({ DATA_DIR: join(dir, "file/data") }), /^DATA_DIR: .*ENOTDIR/],
    ["a vault that is a file", (dir) => ({ VAULT_PATH: join(dir, "file") }), /^VAULT_PATH: .* is not a directory\.$/m],
    [
      "a database that is not there yet, which is waited for",
      () => ({ DATABASE_URL: "postgresql://me:hunter2@127.0.0.1:1/db" }),
      /^Waiting for the database at 127\.0\.0\.1:1 …\n$/,
    ],
    [
      "an address of another kind of database",
      () => ({ DATABASE_URL: "mysql://x" }),
      /^The configuration has problems:/,
    ],
  ])("%s", async (_what, env, expected) => {
    const dir = await makeDataDir();
    await mkdir(dir);
    await writeFile(join(dir, "file"), "");
    const service = start(join(dir, "data"), env(dir));
    const stillWaits = sleep(4_000).then(() => service.child.kill("SIGKILL"));
    await Promise.race([service.exited, stillWaits]);
    await service.exited;
    expect(service.output()).toMatch(expected);
    expect(service.output()).not.toMatch(/^\s+at |hunter2/m);
  });

  test("a process with other keys on a database that is in use", async () => {
    const dataDir = await makeDataDir();
    const first = start(dataDir);
    await first.ready;
    first.child.kill("SIGTERM");
    await first.exited;
    const other = start(dataDir, { SERVICE_SECRET: "another signing secret, long enough" });
    expect(await other.exited).toBe(1);
    expect(other.output()).toMatch(
      /^(?:{.*}\n)*This process has another signing secret .* `npm start -- adopt-keys`.*\n$/,
    );
    const otherKey = start(dataDir, { SERVICE_ENCRYPTION_KEY: "another encryption key, long enough" });
    expect(await otherKey.exited).toBe(1);
    expect(otherKey.output()).toMatch(/^(?:{.*}\n)*This process has another encryption key .*\n$/);
    await start(dataDir).ready;
  });
});

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("by %s is clean and quick, database included", async (signal) => {
    const dataDir = await makeDataDir();
    const service = start(dataDir);
    const url = await service.ready;
    // A connection that is kept open must not hold it up.
    await fetch(`${url}/api/health`);
    const startedAt = performance.now();
    service.child.kill(signal);
    expect(await service.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await expect(stat(join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
  });
});
