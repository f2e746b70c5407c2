import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { packageFile } from "../../package-files.ts";

/** A TypeScript file that runs in its own process. */
export interface ScriptProcess {
  readonly pid: number;
  /** The first line that it prints; rejects if it ends without printing. */
  readFirstLine(): Promise<string>;
  /** `kill -9`; resolves once the process has ended. Idempotent; called after the test at the latest. */
  kill(): Promise<void>;
}

/** Starts a script in the same folder as the module whose `import.meta.url` is given. */
export function spawnScript(name: string, moduleUrl: string, args: readonly string[] = []): ScriptProcess {
  const script = fileURLToPath(new URL(name, moduleUrl));
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    // So that tsx is found.
    cwd: packageFile(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const readFirstLine = async (): Promise<string> => {
    for await (const line of createInterface({ input: child.stdout })) return line;
    throw new Error(`${name} ended before it had printed anything.`);
  };
  return { pid: child.pid ?? 0, readFirstLine, kill };
}
