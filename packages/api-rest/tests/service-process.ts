import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const MAIN = join(import.meta.dirname, "../dist/main.js");

/** A path at which nothing exists yet. Whatever is created there is removed after the test. */
export async function makeDataDir(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "workspace-start-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

export interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the URL once it is ready; rejects if it ends before. */
  readonly ready: Promise<string>;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Ends it as a service manager does. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** The service as started by `npm start`, with its embedded database. It is stopped after the test. */
export function start(dataDir: string, env: Record<string, string> = {}, args: readonly string[] = []): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_ENV: "production", PORT: "0", DATA_DIR: dataDir, ...env },
  });
  let output = "";
  const exited = once(child, "exit").then(([code]) => code);
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null) child.kill("SIGTERM");
    return exited;
  };
  onTestFinished(async () => void (await stop()));
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^Workspace is ready at (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(output)));
  });
  ready.catch(() => undefined);
  return { child, output: () => output, ready, exited, stop };
}
