import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/api-rest/dist/main.js", import.meta.url));
const READY = /Workspace is ready at (\S+)/;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

export interface TestServer {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  close(): Promise<void>;
}

/**
 * Starts the built server as a user would, on an empty database of its own, with further settings where they are given.
 * Needs the build of server and dashboard.
 */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-e2e-"));
  const email = "ada@example.com";
  const password = "correct-horse-battery";
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env["PATH"],
      HOME: dataDir,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      DATA_DIR: dataDir,
      PORT: "0",
      ADMIN_NAME: "Ada Lindqvist",
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const url = await readyUrl(child);
    return {
      url,
      email,
      password,
      close: async () => {
        await stop(child);
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stop(child);
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The server did not start: ${reason}\n${output}`));
    const timer = setTimeout(() => fail("no ready line in time"), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = READY.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => fail(`it exited with ${String(code)}`));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
