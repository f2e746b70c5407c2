import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface LoadBalancer {
  readonly url: string;
  /** What it has logged about requests that failed, or were sent to another server. */
  loggedErrors(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Starts nginx on loopback as a round-robin load balancer: a request whose connection fails is sent to the next server. A
 * request that times out is not, although that is nginx's default: a frozen server would carry it out once it resumes, and a
 * DELETE sent twice would remove what has been restored in the meantime. No failure takes a server out of use, since the other one
 * may be stopped. Needs nginx on the path.
 */
export async function startLoadBalancer(port: number, upstreams: readonly number[]): Promise<LoadBalancer> {
  const dir = await mkdtemp(join(tmpdir(), "workspace-nginx-"));
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(dir, name)};`,
  );
  await writeFile(
    join(dir, "nginx.conf"),
    `daemon off;
worker_processes 1;
pid ${join(dir, "nginx.pid")};
error_log ${join(dir, "error.log")};
events { worker_connections 512; }
http {
  access_log off;
  ${temporaryPaths.join("\n  ")}
  map $http_upgrade $connection_upgrade {
    default upgrade;
    "" "";
  }
  upstream workspace {
    ${upstreams.map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`).join("\n    ")}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      proxy_pass http://workspace;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
      proxy_next_upstream error;
      proxy_read_timeout 15s;
    }
  }
}
`,
  );
  const child = spawn("nginx", ["-p", dir, "-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(child, "exit");
  return {
    url: `http://127.0.0.1:${port}`,
    loggedErrors: async () =>
      (await readFile(join(dir, "error.log"), "utf8")).split("\n").filter((line) => line !== ""),
    async close() {
      child.kill("SIGTERM");
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
