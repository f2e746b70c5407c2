import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

const SWAPPER = join(import.meta.dirname, "../../core/testing/swap-link.mjs");
const SWAP_MS = 1_500;

let base: string;
let root: string;
let outside: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-containment-test-"));
  root = join(base, "vault");
  outside = join(base, "outside");
  await mkdir(join(root, "dir"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, "a.md"), "SECRET");
  await writeFile(join(root, "dir/a.md"), "inside");
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

const raw = (path: string) => `/api/fs/raw?path=${encodeURIComponent(path)}`;

/** All the ways to access a file or directory by its path. */
function attempts(directory: string, name: string): (() => Promise<ApiResponse>)[] {
  const path = `${directory}/${name}`;
  const post = (address: string, body: object) => () => api("POST", address, { body });
  return [
    post("/api/fs/read", { path }),
    post("/api/fs/write", { path, content: "x" }),
    post("/api/fs/write", { path: `${directory}/new.md`, content: "x" }),
    post("/api/fs/mkdir", { path: `${directory}/made` }),
    post("/api/fs/rename", { oldPath: path, newPath: "/renamed.md" }),
    post("/api/fs/move", { sourcePath: path, destinationPath: "/" }),
    post("/api/fs/move", { sourcePath: "/plain.md", destinationPath: directory }),
    post("/api/fs/delete", { path }),
    post("/api/documents/by-path", { path }),
    () => api("GET", `/api/fs/list?path=${encodeURIComponent(directory)}`),
    () => api("GET", raw(path)),
    () => api("PUT", raw(path), { raw: { text: "x", type: "application/octet-stream" } }),
  ];
}

describe("links", () => {
  test("are not followed by any request, wherever they lead", async () => {
    await writeFile(join(root, "plain.md"), "plain");
    await symlink(outside, join(root, "out"));
    await symlink(join(root, "dir"), join(root, "in"));
    for (const directory of ["/out", "/in"]) {
      const statuses = await Promise.all(attempts(directory, "a.md").map(async (attempt) => (await attempt()).status));
      expect(new Set(statuses)).toEqual(new Set([403]));
    }
    expect(await readdir(outside)).toEqual(["a.md"]);
    expect(await readFile(join(outside, "a.md"), "utf8")).toBe("SECRET");
    expect(await readFile(join(root, "dir/a.md"), "utf8")).toBe("inside");
  });

  test("that are swapped in during requests are not followed either", async () => {
    const swapper = spawn(process.execPath, [SWAPPER, join(root, "dir"), join(root, "aside"), outside]);
    await once(swapper.stdout, "data");
    const counts: Record<number, number> = {};
    const end = performance.now() + SWAP_MS;
    while (performance.now() < end) {
      for (const { status, body } of await Promise.all(attempts("/dir", "a.md").map((attempt) => attempt()))) {
        expect(JSON.stringify(body)).not.toContain("SECRET");
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    swapper.stdin.end();
    await once(swapper.stdout, "data");
    expect(Object.keys(counts).filter((status) => Number(status) >= 500)).toEqual([]);
    expect(await readdir(outside)).toEqual(["a.md"]);
    expect(await readFile(join(outside, "a.md"), "utf8")).toBe("SECRET");
  });
});

describe("odd files", () => {
  let socket: Server;
  const names = ["pipe", "socket"];

  beforeAll(async () => {
    await mkdir(join(root, "odd"));
    execFileSync("mkfifo", [join(root, "odd/pipe")]);
    socket = createServer().listen(join(root, "odd/socket"));
    await once(socket, "listening");
    try {
      execFileSync("mknod", [join(root, "odd/device"), "c", "1", "5"], { stdio: "ignore" });
      names.push("device");
    } catch {
      // Only root can create devices.
    }
  });
  afterAll(() => socket.close());

  test("are refused at once, while ordinary files are served", async () => {
    await api("POST", "/api/fs/write", { body: { path: "/ordinary.md", content: "ordinary" } });
    for (const name of names) {
      const path = `/odd/${name}`;
      const requests = [
        () => api("POST", "/api/fs/read", { body: { path } }),
        () => api("POST", "/api/fs/write", { body: { path, content: "x" } }),
        () => api("POST", "/api/documents/by-path", { body: { path } }),
        () => api("GET", raw(path)),
        () => api("PUT", raw(path), { raw: { text: "x", type: "application/octet-stream" } }),
      ];
      for (const request of requests) {
        const startedAt = performance.now();
        const [odd, ordinary] = await Promise.all([
          request(),
          api("POST", "/api/fs/read", { body: { path: "/ordinary.md" } }),
        ]);
        // Opening one may block forever.
        expect(performance.now() - startedAt).toBeLessThan(5_000);
        expect(odd.status).toBe(400);
        expect(ordinary.body.data.content).toBe("ordinary");
      }
    }
    const listed = await api("GET", "/api/fs/list?path=/odd");
    expect(listed.body.data).toEqual([]);
  });
});

describe("paths in URLs", () => {
  const ATTACKS = [
    "..%2f..%2foutside%2fa.md",
    "%2e%2e%2f%2e%2e%2foutside%2fa.md",
    "..%5c..%5coutside%5ca.md",
    "%252e%252e%252foutside%252fa.md",
    "dir/..%2f..%2foutside/a.md",
    "%2fetc%2fpasswd",
    "%c0%ae%c0%ae/outside/a.md",
    "dir/%00a.md",
    ".env",
    "dir/.git/config",
    "~/a.md",
    "a".repeat(256),
  ];

  test(`${ATTACKS.length} attacks on programs' knowledge routes and on raw files reach nothing`, async () => {
    const key = (await api("POST", "/api/api-keys", { body: { name: "k", scopes: ["knowledge:read"] } })).body.data.key;
    for (const attack of ATTACKS) {
      for (const address of [`/api/v1/knowledge/${attack}`, `/api/fs/raw?path=${attack}`]) {
        const headers = address.startsWith("/api/v1") ? { Authorization: `Bearer ${key}` } : {};
        const send = address.startsWith("/api/v1") ? server.anonymous : api;
        const { status, body } = await send("GET", address, { headers });
        expect([400, 403, 404]).toContain(status);
        expect(JSON.stringify(body)).not.toMatch(/SECRET|root:/);
      }
    }
  });
});
