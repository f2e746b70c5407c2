import { spawn } from "node:child_process";
import type { Log } from "../log.ts";
import { PROGRAM_ENVIRONMENT, type ProcessOwner } from "../run-program.ts";

/** A helper process that waits for this process to end. */
export interface Lifeline {
  /** Ends the helper without running its script. Idempotent. */
  cut(): void;
}

/**
 * Starts a shell that waits until this process has ended for any reason, including `kill -9`, and then runs `script` with `args`
 * as its positional parameters. It notices because the kernel closes the pipe between the two.
 *
 * It is a second line of defence, so a failure to start it is logged and otherwise ignored.
 */
export function startLifeline(
  script: string,
  args: readonly string[],
  { owner, log }: { owner: ProcessOwner | undefined; log: Log },
): Lifeline {
  const shell = spawn("/bin/sh", ["-c", `read -r _; ${script}`, "workspace-lifeline", ...args], {
    ...owner,
    cwd: "/",
    env: PROGRAM_ENVIRONMENT,
    stdio: ["pipe", "ignore", "ignore"],
    // In its own process group, so that a Ctrl-C in the terminal does not end it together with this process.
    detached: true,
  });
  shell.on("error", (error) => log.warn({ err: error }, "cannot stop the database if this process is killed"));
  shell.stdin.on("error", () => {});
  shell.unref();
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
  return { cut: () => void shell.kill("SIGKILL") };
}
