import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { S3Access } from "../storage/backup-storage.ts";

export const BUCKET = "backups";

/** A server of the S3 protocol with one bucket, which knows one key. */
export interface TestStore {
  readonly access: S3Access;
  /** Where its objects are, as files. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-s3-"));
  const port = await findFreePort();
  const program = join(dirname(createRequire(import.meta.url).resolve("s3rver/package.json")), "bin/s3rver.js");
  const options = ["-d", folder, "-a", "127.0.0.1", "-p", String(port), "--configure-bucket", BUCKET];
  const child = spawn(process.execPath, [program, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  const endpoint = `http://127.0.0.1:${port}`;
  for (let isReady = false; !isReady;) {
    if (child.exitCode !== null) throw new Error("The S3 server has ended.");
    isReady = await fetch(endpoint).then(
      () => true,
      () => new Promise((resolve) => setTimeout(() => resolve(false), 50)),
    );
  }
  return {
    // The keys that this server knows.
    access: { endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    folder,
    async close() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const closed = once(probe, "close");
  probe.close();
  await closed;
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}
