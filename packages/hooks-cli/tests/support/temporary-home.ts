import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { TEMPORARY_PREFIX, readTextIfExists, writeFileAtomic } from "../../src/files/atomic-file.ts";
import { readProgram } from "../../src/files/compiled-code.ts";

export const PROGRAM = join(import.meta.dirname, "../../dist/workspace-hooks.cjs");

export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface RunOptions {
  /** In pieces, each of which follows once the one before has been read, except for what fits into the pipe. */
  readonly stdin?: string | readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** A user of this program, with a home and a project isolated from the real ones on this machine. */
export class TemporaryHome {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "hooks-home-")));
  readonly project = join(this.path, "work", "project");
  readonly root = join(this.path, ".workspace-hooks");

  constructor() {
    mkdirSync(this.project, { recursive: true });
  }

  /**
   * Puts the program where `install` puts it, with the code compiled for it, which takes an installation most of its time. For
   * tests of something else.
   */
  async addProgram(): Promise<this> {
    const from = await installedProgram();
    const to = join(this.root, "bin");
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
    for (const name of readdirSync(to).filter((file) => file.endsWith(".v8"))) {
      // It is stamped with the identity of the file that was compiled.
      const { stamp } = readProgram(join(to, name.replace(/v8$/, "cjs")));
      const code = openSync(join(to, name), "r+");
      writeSync(code, stamp, 0, "latin1");
      closeSync(code);
    }
    return this;
  }

  /** Configures the home as `install` would, without any settings file. */
  configure(server: string, more: Readonly<Record<string, unknown>> = {}): void {
    this.#replace("config.json", JSON.stringify({ version: 1, server, key: "wk_0123456789abcdef", ...more }));
  }

  setPolicy(policy: unknown): void {
    this.#replace("policy.json", typeof policy === "string" ? policy : JSON.stringify(policy));
  }

  /** Atomically, since helpers of earlier hooks may be reading the file. */
  #replace(name: string, text: string): void {
    mkdirSync(this.root, { recursive: true });
    writeFileAtomic(join(this.root, name), text);
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string | undefined {
    return readTextIfExists(join(this.path, name));
  }

  list(name: string): string[] {
    const path = join(this.path, name);
    return existsSync(path) ? readdirSync(path) : [];
  }

  /** Whether a helper watches for what a person has for a session. */
  get isWatched(): boolean {
    const folder = join(this.root, "steering");
    return this.list(".workspace-hooks/steering").some((name) => statSync(join(folder, name)).mtimeMs > Date.now());
  }

  /** The environment of everything that is run here, isolated from the real user's. */
  get env(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.path };
  }

  /** Runs the built command, as a shell or an assistant would. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return runProcess(process.execPath, [PROGRAM, ...args], {
      cwd: this.project,
      ...options,
      env: { ...this.env, ...options.env },
    });
  }

  /** Calls a hook with Claude Code's input. */
  hook(event: string, payload: Readonly<Record<string, unknown>> = {}, options: RunOptions = {}): Promise<Outcome> {
    const input = {
      session_id: "session-1",
      transcript_path: join(this.path, "t.jsonl"),
      cwd: this.project,
      hook_event_name: event,
      ...payload,
    };
    return this.run(["run", event], { stdin: JSON.stringify(input), ...options });
  }

  /** A shell command before it is run. */
  bash(command: string, options: RunOptions = {}): Promise<Outcome> {
    return this.hook("PreToolUse", { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" }, options);
  }

  /** The names of the events in the spool, of which helpers may be writing others. */
  get spooled(): string[] {
    return this.list(".workspace-hooks/spool").filter((name) => !name.startsWith(TEMPORARY_PREFIX));
  }

  get spooledEvents(): Record<string, unknown>[] {
    for (;;) {
      const texts = this.spooled.map((name) => this.read(`.workspace-hooks/spool/${name}`));
      // A helper that claims, releases or removes an event while they are read changes its name.
      if (texts.every((text) => text !== undefined)) return texts.map((text) => JSON.parse(text));
    }
  }

  close(): void {
    for (let triesLeft = 20; ; triesLeft -= 1) {
      try {
        return rmSync(this.path, { recursive: true, force: true });
      } catch (error) {
        // A helper process may still be writing.
        if (triesLeft === 0) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      }
    }
  }
}

let installed: Promise<string> | undefined;

/** The folder of a program that has been installed and compiled, for all files of this worker. */
function installedProgram(): Promise<string> {
  return (installed ??= installOnce());
}

async function installOnce(): Promise<string> {
  const home = new TemporaryHome();
  process.once("exit", () => home.close());
  const { exitCode, stderr } = await home.run(["install", "--server", "http://localhost:9", "--key", "wk_x"]);
  if (exitCode !== 0) throw new Error(`The program could not be installed: ${stderr}`);
  return join(home.root, "bin");
}

export function runProcess(
  program: string,
  args: readonly string[],
  { stdin = "", env, cwd }: RunOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const defined = Object.fromEntries(Object.entries(env ?? {}).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const child = spawn(program, [...args], { env: defined, cwd, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on("error", () => undefined);
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr, durationMs: performance.now() - startedAt }));
    void writePieces(child.stdin, typeof stdin === "string" ? [stdin] : stdin);
  });
}

async function writePieces(stdin: Writable, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => stdin.write(piece, resolve));
  stdin.end();
}

/** Waits until a condition holds, for example one established by a helper process. */
export async function eventually(check: () => boolean, limitMs = 8_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!check()) {
    if (performance.now() > end) throw new Error("The condition was not met in time.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
