import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const MAIN = join(import.meta.dirname, "../../api-rest/dist/main.js");
const READY = /^Workspace is ready at (\S+)$/;
export const API_TOKEN = "a-token-of-the-trials-0123456789";
const PERSON = { email: "person@example.com", password: "a password of trials" };

export interface WorkspaceServer {
  readonly url: string;
  /** Sends a request with the API token; the parsed body. Throws if the status is not a success. */
  api(method: string, path: string, body?: unknown): Promise<Json>;
  /** Sends a request as a person who has signed in. */
  asPerson(method: string, path: string, body?: unknown): Promise<Json>;
  /** What it has written so far. */
  log(): string;
  close(): Promise<void>;
}

/** Untyped: the trials check its content. */
type Json = any;

/** Starts the built server as `npm start` does, with its embedded database in a folder of its own. */
export async function startWorkspaceServer(dataDir: string, env: Record<string, string>): Promise<WorkspaceServer> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PORT: "0",
      LOG_LEVEL: "error",
      DATA_DIR: dataDir,
      SERVICE_API_TOKEN: API_TOKEN,
      ADMIN_EMAIL: PERSON.email,
      ADMIN_PASSWORD: PERSON.password,
      ...env,
    },
  });
  const exited = once(child, "exit");
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (log += chunk.toString()));
  child.stderr.pipe(process.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = READY.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    exited.then(() => reject(new Error(`The server ended before it was ready:\n${log.slice(-2_000)}`)), reject);
  });
  let cookie: string | undefined;
  async function signIn(): Promise<string> {
    const response = await fetch(new URL("/api/auth/sign-in/email", url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(PERSON),
    });
    if (!response.ok) throw new Error(`Signing in: ${response.status}`);
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  }
  async function send(method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Json> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const parsed: Json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(parsed)}`);
    return parsed;
  }
  return {
    url,
    log: () => log,
    api: (method, path, body) => send(method, path, { "X-API-Token": API_TOKEN }, body),
    async asPerson(method, path, body) {
      cookie ??= await signIn();
      return send(method, path, { Cookie: cookie, Origin: url }, body);
    },
    async close() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
