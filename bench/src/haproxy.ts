import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadBalancer } from "./nginx.ts";

/** Starts HAProxy on loopback, which probes `/readyz` of each server. Needs haproxy on the path. */
export async function startProbingBalancer(port: number, upstreams: readonly number[]): Promise<LoadBalancer> {
  const dir = await mkdtemp(join(tmpdir(), "workspace-haproxy-"));
  const file = join(dir, "haproxy.cfg");
  const servers = upstreams.map(
    (upstream) => `server s${upstream} 127.0.0.1:${upstream} check inter 500 fall 2 rise 1`,
  );
  await writeFile(
    file,
    `global
  maxconn 1024
defaults
  mode http
  timeout connect 2s
  timeout check 3s
  timeout client 70s
  timeout server 70s
  timeout tunnel 1h
  option redispatch 1
frontend incoming
  bind 127.0.0.1:${port}
  default_backend workspace
backend workspace
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  ${servers.join("\n  ")}
`,
  );
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  const exited = once(child, "exit");
  return {
    url: `http://127.0.0.1:${port}`,
    // It logs to syslog only.
    loggedErrors: () => Promise.resolve([]),
    async close() {
      child.kill("SIGTERM");
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
