import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

const rootDir = join(import.meta.dirname, "../..");

/** As in `npm start`. */
const NODE_OPTIONS = ["--max-semi-space-size=32", "--max-old-space-size=1024"];

const ADMIN = { email: "bench@example.com", password: "bench password 1" };

export interface StartedProcess {
  readonly pid: number;
  readonly readyAfterMs: number;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the built server as a user would: in production, with the embedded database unless `env` says otherwise. */
export function startService(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<StartedProcess> {
  return start(
    [...NODE_OPTIONS, ...nodeOptions, join(rootDir, "packages/api-rest/dist/main.js")],
    /^Workspace is ready at/,
    {
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: String(port),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: "warn",
      ...env,
    },
  );
}

/** Signs in and returns the session's cookie. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Starts the floor on the same database. */
export function startFloor(port: number, connection: object, creatorId: string): Promise<StartedProcess> {
  return start(
    ["--import", "tsx", join(rootDir, "bench/src/floor.ts"), String(port), JSON.stringify(connection), creatorId],
    /^floor is ready$/,
    {
      NODE_ENV: "production",
    },
  );
}

async function start(args: string[], ready: RegExp, env: Record<string, string>): Promise<StartedProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: join(rootDir, "bench"),
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], ...env },
  });
  await untilLine(child, ready);
  const readyAfterMs = Math.round(performance.now() - startedAt);
  const exited = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    readyAfterMs,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async close() {
      child.kill("SIGTERM");
      const [code, signal] = await exited;
      if (code !== 0 && signal !== "SIGTERM") console.error(`A process that was told to stop ended with code ${code}.`);
    },
  };
}

async function untilLine(child: ChildProcess, ready: RegExp): Promise<void> {
  const { stdout } = child;
  if (stdout === null) throw new Error("The process has no output to read.");
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The process ended with code ${code} before it was ready.`)));
    createInterface({ input: stdout }).on("line", (line) => {
      if (ready.test(line)) resolve();
    });
  });
}

/** Resident memory in MB, of all the given processes. */
export async function residentMb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) =>
      Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8").catch(() => ""))?.[1] ?? 0),
    ),
  );
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

/** The memory of the processes of a database, in bytes. */
export interface PostgresMemory {
  /** What each of them has of its own. */
  readonly privateBytes: number;
  /** The buffers that they share, as far as they are in use. */
  readonly sharedBytes: number;
  readonly processes: number;
}

/** The memory of the processes of the database in a folder. */
export async function postgresMemory(folder: string): Promise<PostgresMemory> {
  const postmaster = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")[0] ?? "";
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")).trim().split(" ");
  const sizes = await Promise.all([postmaster, ...children].map(mappedBytes));
  return {
    privateBytes: sizes.reduce((sum, { privateBytes }) => sum + privateBytes, 0),
    sharedBytes: sizes.reduce((sum, { sharedBytes }) => sum + sharedBytes, 0),
    processes: sizes.length,
  };
}

/**
 * A shared mapping counts as shared by its permissions, whoever uses it: the kernel reports a page as private if only one process has
 * used it so far, which is true of many of the buffers. Of shared pages it reports the share of the process.
 */
async function mappedBytes(pid: string): Promise<{ privateBytes: number; sharedBytes: number }> {
  const bytes = { privateBytes: 0, sharedBytes: 0 };
  let isShared = false;
  for (const line of (await readFile(`/proc/${pid}/smaps`, "utf8").catch(() => "")).split("\n")) {
    const permissions = /^[0-9a-f]+-[0-9a-f]+ ...([ps]) /.exec(line)?.[1];
    if (permissions !== undefined) isShared = permissions === "s";
    const [, name, kilobytes] = /^(Private_Clean|Private_Dirty|Pss):\s+(\d+)/.exec(line) ?? [];
    if (name === undefined) continue;
    if (isShared && name === "Pss") bytes.sharedBytes += Number(kilobytes) * 1024;
    if (!isShared && name !== "Pss") bytes.privateBytes += Number(kilobytes) * 1024;
  }
  return bytes;
}

/** The CPU time that a process has used so far, in milliseconds. */
export async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  const TICK_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
