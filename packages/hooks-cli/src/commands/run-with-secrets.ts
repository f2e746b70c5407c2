import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createRedactedStream, type Redactor } from "@workspace/core/redactor";
import { createSecretRedactor } from "@workspace/core/secret-redactor";
import { getSecrets } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import { readConfig } from "../files/config.ts";
import { UsageError } from "../terminal/arguments.ts";
import { requireHome } from "./targets.ts";

const USAGE = "run --secret <name>[=<variable>] [--secret …] -- <command> [arguments]";
const DEADLINE_MS = 10_000;
/** What a shell adds to the number of the signal that ended a program. */
const SIGNAL_EXIT = 128;
/** As of programs that start another one and fail themselves. */
const FAILED_EXIT = 125;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The names of the variables by the names of the secrets that they are to have. */
type Variables = ReadonlyMap<string, string>;

/**
 * Runs a command with secrets in its environment, if a rule of each lets it use them here, and masks every form of their values
 * in what it prints. Returns its exit code; 125 if it was not started.
 */
export async function runWithSecrets(args: readonly string[], environment: Environment): Promise<number> {
  try {
    const { variables, command } = parse(args);
    const secrets = await fetchSecrets([...variables.values()], command, environment);
    const values = Array.from(variables, ([variable, key]) => [variable, secrets.get(key) ?? ""] as const);
    return await runMasked(
      command,
      { ...environment.variables, ...Object.fromEntries(values) },
      await createMask(secrets),
    );
  } catch (error) {
    process.stderr.write(`workspace-hooks: ${describeError(error)}\n`);
    return FAILED_EXIT;
  }
}

function parse(args: readonly string[]): { variables: Variables; command: readonly string[] } {
  const variables = new Map<string, string>();
  const end = args.indexOf("--");
  const command = args.slice(end + 1);
  const options = args.slice(0, Math.max(end, 0));
  while (options.length > 0) {
    const option = options.shift() ?? "";
    const text = option === "--secret" ? options.shift() : /^--secret=(.+)/.exec(option)?.[1];
    const [, key, variable = key] = /^([A-Z][A-Z0-9_]*)(?:=([A-Za-z_]\w*))?$/.exec(text ?? "") ?? [];
    if (key === undefined || variable === undefined) throw new UsageError(USAGE);
    variables.set(variable, key);
  }
  if (variables.size === 0 || command.length === 0) throw new UsageError(USAGE);
  return { variables, command };
}

async function fetchSecrets(
  keys: readonly string[],
  command: readonly string[],
  environment: Environment,
): Promise<ReadonlyMap<string, string>> {
  const config = readConfig(requireHome(environment).config);
  if (config.kind !== "ready") throw new UsageError("No server is configured. Run workspace-hooks install.");
  const folder = fs.realpathSync(process.cwd());
  const result = await getSecrets(config.config.connection, { keys, command, folder }, DEADLINE_MS);
  if (result.kind !== "ok") throw new UsageError(`The server gave no secrets: ${result.message}`);
  return result.value;
}

/**
 * Output is masked byte by byte, so that it need not be text: a value is found as characters and as bytes. Throws if a value is so
 * short that it is in every text.
 */
async function createMask(secrets: ReadonlyMap<string, string>): Promise<Redactor> {
  const values = Array.from(secrets, ([key, value]) => [
    { key, value },
    { key, value: Buffer.from(value).toString("latin1") },
  ]);
  const redactor = createSecretRedactor(async () => values.flat());
  await redactor.refresh();
  const short = Array.from(secrets).find(([, value]) => redactor.redact(value) === value);
  if (short !== undefined) throw new UsageError(`${short[0]} is too short to be masked in what the command prints.`);
  return redactor;
}

async function runMasked(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  mask: Redactor,
): Promise<number> {
  const child = spawn(program, args, { env, stdio: ["inherit", "pipe", "pipe"] });
  const forward = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  const printed = Promise.all([print(child.stdout, process.stdout, mask), print(child.stderr, process.stderr, mask)]);
  const code = await exitCode(child);
  await printed;
  for (const signal of FORWARDED) process.off(signal, forward);
  return code;
}

/** Throws if the program cannot be started. */
function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve(code ?? SIGNAL_EXIT + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Passes on what can no longer become a value, as soon as it arrives and no faster than it is read. */
async function print(from: Readable, to: Writable, mask: Redactor): Promise<void> {
  const redacted = createRedactedStream(mask);
  // Whoever read it has gone: the command finds out when it writes more.
  to.on("error", () => from.destroy());
  from.setEncoding("latin1");
  from.on("data", (piece: string) => {
    if (to.write(redacted.add(piece), "latin1")) return;
    from.pause();
    to.once("drain", () => from.resume());
  });
  await finished(from, { error: false }).catch(() => undefined);
  await new Promise<void>((resolve) => to.write(redacted.end(), "latin1", () => resolve()));
}
