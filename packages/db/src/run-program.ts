import { spawn } from "node:child_process";

/** The user account that a process runs as and that owns its files. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramResult {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunProgramOptions {
  readonly cwd?: string;
  /** Undefined for this process's own user. */
  readonly owner?: ProcessOwner | undefined;
  /** A file descriptor of this process that the program inherits as its descriptor 3. */
  readonly inheritedFd?: number;
}

/**
 * The whole environment of every program that this package starts. The service's own environment contains its secrets and is
 * never passed on; LC_ALL keeps messages in English, so that they can be recognised.
 */
export const PROGRAM_ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
} as const;

/**
 * Runs a program to its end and returns its output. A non-zero exit code is a result, not an error.
 * Rejects with the system's error (`code` ENOENT, EACCES, …) if the program cannot be started.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: RunProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...options.owner,
      env: PROGRAM_ENVIRONMENT,
      stdio: ["ignore", "pipe", "pipe", options.inheritedFd ?? "ignore"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
