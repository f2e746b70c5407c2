import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { ADMIN, API_TOKEN } from "./credentials.ts";

const WORKSPACE = join(import.meta.dirname, "../dist/workspace.js");
/** The environment of a service with a first user and a token. */
export const ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, SERVICE_API_TOKEN: API_TOKEN };

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The id of the user without rights, and of its group. */
export const NOBODY = 65_534;

/** Runs the command line on a data directory, as another user if `uid` is given. */
export function run(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
  uid?: number,
): Promise<Ran> {
  return new Promise((resolve) => {
    const user = uid === undefined ? {} : { uid, gid: uid };
    const options = { env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...env }, ...user };
    const child = execFile(process.execPath, [WORKSPACE, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Runs it as a user without root's rights. */
export function runAsNobody(dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return run(dataDir, args, env, process.getuid?.() === 0 ? NOBODY : undefined);
}

/** Runs it with `--json`, and returns what it prints, with the exit code. */
export async function runJson(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Record<string, any>> {
  const { stdout, stderr, code } = await run(dataDir, [...args, "--json"], env);
  expect(stderr).not.toMatch(/^\s+at /m);
  return { code, ...(JSON.parse(stdout) as object) };
}

/** Sends a request with the token. */
export async function api(url: string, path: string, method = "GET", body?: object) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { "X-API-Token": API_TOKEN, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as { data: any } };
}
