import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { isInStore } from "@workspace/object-store";
import pino from "pino";
import type { Config } from "../env.ts";
import { BACKUP_COMMANDS } from "./backup-commands.ts";
import {
  EXIT,
  type Command,
  type CommandContext,
  type GivenOptions,
  readArguments,
  textOption,
  UsageError,
} from "./command.ts";
import { DATABASE_COMMANDS } from "./database-commands.ts";
import { doctor } from "./doctor.ts";
import { explainFailure } from "./explain-failure.ts";
import { EXPORT_COMMANDS } from "./export-commands.ts";
import { describeCommand, describeCommands, describeStart, START_TAKES_NOTHING } from "./help.ts";
import { pruneCommand } from "./prune-command.ts";
import { restoreCommand } from "./restore-command.ts";
import { rotateSecretsCommand } from "./rotate-secrets-command.ts";
import { USER_COMMANDS } from "./user-commands.ts";

const COMMANDS: readonly Command[] = [
  ...BACKUP_COMMANDS,
  restoreCommand,
  ...EXPORT_COMMANDS,
  pruneCommand,
  ...DATABASE_COMMANDS,
  rotateSecretsCommand,
  ...USER_COMMANDS,
  doctor,
];

const HELP: readonly string[] = ["help", "--help", "-h"];

/** A command has failed, which the message explains. */
class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

export interface CommandLineOptions {
  readonly given: readonly string[];
  /** Reads the configuration; may throw for what the person has configured. */
  readonly loadConfig: () => Config;
  readonly migrationsDir: string;
  readonly version: string;
}

/**
 * Runs one command: results go to standard output, everything else to standard error. Returns the exit code.
 */
export async function runCommand({ given, ...options }: CommandLineOptions): Promise<number> {
  const isJson = given.includes("--json");
  try {
    return await run(given, options);
  } catch (error) {
    const isExplained = error instanceof UsageError || error instanceof CommandFailure;
    const message = isExplained ? error.message : explainFailure(error, null);
    if (isJson) print(JSON.stringify({ ok: false, error: message }));
    else process.stderr.write(`${message}\n`);
    if (!(error instanceof UsageError)) return EXIT.failed;
    if (!isJson) process.stderr.write("npx workspace help prints all commands.\n");
    return EXIT.usage;
  }
}

async function run(
  given: readonly string[],
  { loadConfig, migrationsDir, version }: Omit<CommandLineOptions, "given">,
): Promise<number> {
  const [first] = given;
  if (first === "--version") {
    print(version);
    return EXIT.done;
  }
  if (first === undefined || HELP.includes(first)) {
    print(describe(given.slice(1)));
    return EXIT.done;
  }
  if (first === "start") {
    if (!given.some((word) => HELP.includes(word))) throw new UsageError(START_TAKES_NOTHING);
    print(describeStart());
    return EXIT.done;
  }
  const { command, rest } = findCommand(given);
  const { args, options } = readArguments(command, rest);
  if (options["help"] === true) {
    print(describeCommand(command));
    return EXIT.done;
  }
  const configured = loadConfig();
  const config = placeIn(configured, options);
  if (configured.databaseUrl !== config.databaseUrl && command.writesWorkspace !== true) throw twoDatabases(options);
  const isJson = options["json"] === true;
  const context: CommandContext = {
    config,
    // Standard output is for the result.
    logger: pino({ level: "warn" }, pino.destination({ fd: 2, sync: true })),
    migrationsDir,
    version,
    tell: (line) => void process.stderr.write(`${line}\n`),
    readInput: () => readAll(process.stdin),
  };
  const outcome = await command.run(context, args, options).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    const folder = command.writesTo === undefined ? config.dataDir : command.writesTo(config, args, options);
    throw new CommandFailure(explainFailure(error, folder), { cause: error });
  });
  const exitCode = outcome.exitCode ?? EXIT.done;
  print(isJson ? JSON.stringify({ ok: exitCode === EXIT.done, ...outcome.json }) : outcome.text);
  return exitCode;
}

/** The help for what is named, or for everything; of several commands with the same first word, the list. */
function describe(words: readonly string[]): string {
  const [first] = words.filter((word) => !word.startsWith("-"));
  if (first === undefined) return describeCommands(COMMANDS);
  if (first === "start" || first === "help") return first === "start" ? describeStart() : describeCommands(COMMANDS);
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  return words.length === 1 && family.length > 0
    ? describeCommands(family)
    : describeCommand(findCommand(words).command);
}

function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === words.slice(0, length).join(" "));
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  const [first = ""] = words;
  const similar = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  const hint = similar.length === 0 ? "" : `; there are ${similar.join(", ")}`;
  throw new UsageError(`there is no command "${words.slice(0, 2).join(" ")}"${hint}`);
}

/** Another data folder is another workspace, to which the configured vault and database do not belong. */
function placeIn(config: Config, options: GivenOptions): Config {
  const dataDir = textOption(options, "data-dir");
  const vault = textOption(options, "vault");
  const place =
    dataDir === null
      ? config
      : { ...config, dataDir: resolve(dataDir), vaultPath: resolve(dataDir, "vault"), databaseUrl: null };
  return vault === null ? place : { ...place, vaultPath: isInStore(vault) ? vault : resolve(vault) };
}

/** Whichever is taken, it may be that of another workspace, with other keys, whose secrets then cannot be read any more. */
function twoDatabases(options: GivenOptions): UsageError {
  const dataDir = textOption(options, "data-dir");
  return new UsageError(
    `--data-dir is for an embedded database, but DATABASE_URL is set. For that database, set DATA_DIR=${dataDir} instead of --data-dir; ` +
      "for the embedded one in that folder, set DATABASE_URL to nothing.",
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
