import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface LoadRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** `{{n}}` is replaced by the number of the request, and `{{slot}}` by numbers cycling through a thousand values. */
  readonly body?: object;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** Responses other than success; any invalidates the measurement. */
  readonly failures: number;
}

/** Loads one URL with wrk over 16 connections. */
export async function load(request: LoadRequest, seconds: number): Promise<LoadResult> {
  const dir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
  try {
    const script = join(dir, "request.lua");
    await writeFile(script, toLua(request));
    const { stdout } = await run("wrk", ["-t1", "-c16", `-d${seconds}s`, "--latency", "-s", script, request.url]);
    return parseReport(stdout);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const NUMBERED_BODY = `
-- Or every run would write the texts of the one before.
math.randomseed(os.time())
local text, count = wrk.body, math.random(1000000)
request = function()
  count = count + 1
  local body = text:gsub("{{n}}", tostring(count)):gsub("{{slot}}", tostring(count % 1000))
  return wrk.format(nil, nil, nil, body)
end`;

function toLua({ method, headers, body }: LoadRequest): string {
  const all = { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) };
  const lines = Object.entries(all).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return [
    `wrk.method = "${method}"`,
    ...(body === undefined ? [] : [`wrk.body = [==[${JSON.stringify(body)}]==]`]),
    ...lines,
    ...(body !== undefined && JSON.stringify(body).includes("{{") ? [NUMBERED_BODY] : []),
  ].join("\n");
}

function parseReport(report: string): LoadResult {
  const failures = Number(/Non-2xx or 3xx responses: (\d+)/.exec(report)?.[1] ?? 0);
  const [, p99 = "0", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s)/.exec(report) ?? [];
  const factor = unit === "us" ? 0.001 : unit === "s" ? 1000 : 1;
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1] ?? 0),
    p99Ms: Number(p99) * factor,
    failures,
  };
}
