import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Db } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { ADMIN, API_TOKEN } from "./credentials.ts";

export { ADMIN, API_TOKEN } from "./credentials.ts";

const MAIN = join(import.meta.dirname, "../dist/main.js");
const READY = /^Workspace is ready at \S+$/;
const START_DEADLINE_MS = 30_000;
/** In the form in which the server generates one. */
const SIGNING_SECRET = randomBytes(32).toString("base64url");

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; null if there is none. Untyped, because the tests check its content. */
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** A raw body, with a content type chosen by the test. */
  readonly raw?: { readonly text: string | Uint8Array; readonly type?: string };
  readonly headers?: Record<string, string>;
}

export type Request = (method: string, path: string, options?: RequestOptions) => Promise<ApiResponse>;

export interface TestServer {
  readonly url: string;
  readonly pid: number;
  /** The lines that it has printed so far, including errors and warnings. */
  readonly output: readonly string[];
  /** Its database, to inspect or to change without its knowledge. */
  readonly db: Db;
  /** The URL of that database, for a second server. */
  readonly databaseUrl: string;
  /** Sends a request without credentials. */
  readonly anonymous: Request;
  /** Sends a request with the API token. */
  readonly withToken: Request;
  /** Signs in the first user and returns a function that sends requests with the session's cookie. */
  signIn(): Promise<Request>;
  /** Ends the server like `kill -9`; it still has to be closed. */
  kill(): Promise<void>;
  /** Freezes the process, like a suspended machine. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/**
 * Starts the built server as a user would, in production mode, with its own database and data directory, and below a base path if one is
 * given.
 */
export async function startTestServer(env: Record<string, string> = {}, basePath = ""): Promise<TestServer> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-server-"));
  // The servers of one test share a database, so they must have the same keys.
  await writeFile(join(dataDir, "service-secret"), SIGNING_SECRET);
  await writeFile(join(dataDir, "encryption-key"), "encryption key of all test servers");
  const port = await findFreePort();
  const url = `http://localhost:${port}${basePath}`;
  const child = spawn(process.execPath, [MAIN], {
    cwd: dataDir,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ADMIN_NAME: ADMIN.name,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SERVICE_API_TOKEN: API_TOKEN,
      LOG_LEVEL: "error",
      ...(basePath !== "" && { SERVICE_AUTH_URL: url }),
      ...env,
    },
  });
  const exited = once(child, "exit");
  const output: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => output.push(line));
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The server ${why}:\n${output.join("\n")}`));
    const deadline = setTimeout(() => fail("did not start in time"), START_DEADLINE_MS);
    child.once("exit", () => fail("ended before it was ready"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      output.push(line);
      if (!READY.test(line)) return;
      clearTimeout(deadline);
      resolve();
    });
  });

  const anonymous = createRequest(url, {});
  const { pid } = child;
  if (pid === undefined) throw new Error("The server has no process.");
  return {
    url,
    pid,
    output,
    db: database.db,
    databaseUrl: database.url,
    anonymous,
    withToken: createRequest(url, { "X-API-Token": API_TOKEN }),
    signIn: () => signInAt(url),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async close() {
      child.kill("SIGTERM");
      await exited;
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}

/** The cookies that a response sets, as a browser would send them back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Signs in the first user of a server, and returns a function that sends requests with the session's cookie. */
export async function signInAt(url: string): Promise<Request> {
  const body = { email: ADMIN.email, password: ADMIN.password };
  const { headers } = await createRequest(url, {})("POST", "/api/auth/sign-in/email", { body });
  return createRequest(url, { Cookie: cookieOf(headers) });
}

export function createRequest(url: string, credentials: Record<string, string>): Request {
  return async (method, path, { body, raw, headers = {} } = {}) => {
    const type = raw === undefined ? "application/json" : raw.type;
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined || raw !== undefined ? { "Content-Type": type ?? "" } : {}),
        ...credentials,
        ...headers,
      },
      ...(raw === undefined ? body !== undefined && { body: JSON.stringify(body) } : { body: raw.text }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : isJson ? JSON.parse(text) : text,
    };
  };
}
