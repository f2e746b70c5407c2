import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/api-rest/dist/main.js", import.meta.url));
const READY = /Workspace is ready at (\S+)/;
const START_TIMEOUT_MS = 50_000;
const STOP_TIMEOUT_MS = 10_000;
/** The first user of every server. */
export const OWNER = { name: "Ada Lindqvist", email: "ada@example.com", password: "correct-horse-battery" };

export interface TestServer {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  /** Stops the server temporarily, as during an upgrade. */
  stop(): Promise<void>;
  /** Starts it again after `stop`, with the same data and address. */
  restart(): Promise<void>;
  /** Stops it for good and removes its data. */
  close(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly settings: Readonly<Record<string, string>>;
  /** By default a free one. */
  readonly port?: string | undefined;
  /** Called once the server is closed, or could not start. */
  readonly onClosed?: () => Promise<void>;
}

/** Starts the built server as a user would, with its embedded database, {@link OWNER} and any additional settings. */
export function startEmbeddedServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const owner = { ADMIN_NAME: OWNER.name, ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password };
  return startServerProcess({ settings: { ...owner, ...settings } });
}

/** Starts the built server, whose first user is {@link OWNER}. */
export async function startServerProcess({
  settings,
  port = "0",
  onClosed = async () => undefined,
}: ServerProcessOptions): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-e2e-"));
  const start = async (atPort: string): Promise<{ child: ChildProcess; url: string }> => {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env["PATH"],
        HOME: dataDir,
        NODE_ENV: "production",
        LOG_LEVEL: "warn",
        DATA_DIR: dataDir,
        PORT: atPort,
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      return { child, url: await readyUrl(child) };
    } catch (error) {
      await stop(child);
      throw error;
    }
  };
  const removeData = async () => {
    await onClosed();
    await rm(dataDir, { recursive: true, force: true });
  };
  const first = await start(port).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  const { url } = first;
  let { child } = first;
  return {
    url,
    email: OWNER.email,
    password: OWNER.password,
    stop: () => stop(child),
    restart: async () => {
      ({ child } = await start(new URL(url).port));
    },
    close: async () => {
      await stop(child);
      await removeData();
    },
  };
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
