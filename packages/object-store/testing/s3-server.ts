import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawn } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { createS3Client } from "../src/s3-client.ts";
import type { S3Access } from "../src/store-place.ts";

export const BUCKET = "backups";

/** A server of the S3 protocol with one bucket, which knows one key. */
export interface TestStore {
  readonly access: S3Access;
  /** Where its objects are, as files. */
  readonly folder: string;
  /** Called with the method and path of each request before it is carried out; null for nothing. */
  onRequest: ((method: string, path: string) => void | Promise<void>) | null;
  /** As if the network were cut. */
  isAway: boolean;
  /** The response to the next request for which this holds is lost, although it was carried out. */
  loseNextResponse: ((method: string, path: string) => boolean) | null;
  /** The response to the next request for which this holds breaks off after its first bytes. */
  breakNextResponse: ((method: string, path: string) => boolean) | null;
  close(): Promise<void>;
}

/**
 * Starts a store. The server ignores conditions of writes, so they are checked before it, one request for each object after another.
 * With `ignoresConditions` they are not, as in some stores.
 */
export async function startS3Server({ ignoresConditions = false } = {}): Promise<TestStore> {
  const server = await startServer(ignoresConditions);
  const { port } = server;
  const checksConditions = !server.hasConditions && !ignoresConditions;
  const queues = new Map<string, Promise<void>>();
  const store: TestStore = {
    access: { endpoint: "", region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    folder: server.folder,
    onRequest: null,
    isAway: false,
    loseNextResponse: null,
    breakNextResponse: null,
    async close() {
      gate.close();
      gate.closeAllConnections();
      await server.close();
    },
  };
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? "";
    if (checksConditions && !(await isMet(port, req))) {
      req.resume();
      res.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
      return;
    }
    const isLost = store.loseNextResponse?.(req.method ?? "", path) === true;
    const isBroken = store.breakNextResponse?.(req.method ?? "", path) === true;
    if (isLost) store.loseNextResponse = null;
    if (isBroken) store.breakNextResponse = null;
    await forward(port, req, res, { isLost, isBroken });
  }
  /** One request for each object after another. */
  async function enqueue(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const key = req.method === "PUT" || req.method === "DELETE" ? (req.url ?? "") : null;
    if (key === null) return handle(req, res);
    const before = queues.get(key) ?? Promise.resolve();
    const handled = before.then(() => handle(req, res)).catch(() => void res.destroy());
    queues.set(key, handled);
    await handled;
  }
  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await store.onRequest?.(req.method ?? "", req.url ?? "");
      if (store.isAway) throw new Error("The network is cut.");
      await enqueue(req, res);
    } catch {
      res.destroy();
    }
  }
  const gate = createServer((req, res) => void receive(req, res));
  const endpoint = `http://127.0.0.1:${await listen(gate)}`;
  return Object.assign(store, { access: { ...store.access, endpoint } });
}

interface StartedServer {
  readonly port: number;
  readonly folder: string;
  readonly hasConditions: boolean;
  close(): Promise<void>;
}

/** With `TEST_S3_PORT`, it is the server with conditional writes there that is used, with this key and bucket. */
async function startServer(ignoresConditions: boolean): Promise<StartedServer> {
  const given = process.env["TEST_S3_PORT"];
  if (given !== undefined && !ignoresConditions)
    return { port: Number(given), folder: "", hasConditions: true, close: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), "workspace-s3-"));
  const port = await findFreePort();
  const program = join(dirname(createRequire(import.meta.url).resolve("s3rver/package.json")), "bin/s3rver.js");
  const options = ["-d", folder, "-a", "127.0.0.1", "-p", String(port), "--configure-bucket", BUCKET];
  // Its lists of several pages need an old cipher.
  const child = spawn(process.execPath, ["--openssl-legacy-provider", program, ...options], {
    stdio: "ignore",
  });
  for (let isReady = false; !isReady;) {
    if (child.exitCode !== null) throw new Error("The S3 server has ended.");
    isReady = await fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => new Promise((resolve) => setTimeout(() => resolve(false), 50)),
    );
  }
  return {
    port,
    folder,
    hasConditions: false,
    async close() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the conditions of a write, or of the source of a copy, hold. */
async function isMet(port: number, { headers, url, method }: IncomingMessage): Promise<boolean> {
  const source = headers["x-amz-copy-source"];
  const sourceTag = headers["x-amz-copy-source-if-match"];
  if (typeof source === "string" && sourceTag !== undefined) {
    return (await etagOf(port, source)) === sourceTag;
  }
  if (method !== "PUT" && method !== "DELETE") return true;
  if (headers["if-none-match"] === "*") return (await etagOf(port, url ?? "")) === null;
  return headers["if-match"] === undefined || (await etagOf(port, url ?? "")) === headers["if-match"];
}

/** The entity tag of an object, which is a file of the server; null if there is none. */
async function etagOf(port: number, path: string): Promise<string | null> {
  const access = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  };
  const [, bucket = "", ...names] = path.split("/");
  const client = createS3Client(access, bucket, { attempts: 1, deadlineMs: 5_000 });
  const found = await client.head(decodeURIComponent(names.join("/")));
  return found === null ? null : `"${found.etag}"`;
}

async function forward(
  port: number,
  req: IncomingMessage,
  res: ServerResponse,
  { isLost, isBroken }: { readonly isLost: boolean; readonly isBroken: boolean },
): Promise<void> {
  const { method, url, headers } = req;
  // The signature covers the host to which the request was sent.
  const forwarded = request({ host: "127.0.0.1", port, method, path: url, headers });
  const responded = once(forwarded, "response");
  // If nothing can be sent, that is the error.
  responded.catch(() => undefined);
  await pipeline(req, forwarded);
  const [response]: IncomingMessage[] = await responded;
  if (response === undefined) throw new Error("The S3 server has not responded.");
  if (isLost) {
    response.resume();
    return void res.destroy();
  }
  res.writeHead(response.statusCode ?? 502, response.headers);
  if (isBroken) {
    for await (const chunk of response) {
      res.write(chunk.subarray(0, chunk.length >> 1), () => res.destroy());
      return;
    }
  }
  await pipeline(response, res);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  const closed = once(probe, "close");
  probe.close();
  await closed;
  return port;
}
