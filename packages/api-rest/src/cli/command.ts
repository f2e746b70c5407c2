import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Config } from "../env.ts";
import type { Logger } from "pino";

/** The exit codes of the command line. */
export const EXIT = {
  done: 0,
  /** It could not be done, and a sentence says why. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** It was done, and something is wrong: a backup is damaged or lacks files, a setting keeps the service from starting. */
  problems: 3,
} as const;

/** The command line is wrong. The message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What a command reports, for people and for programs. */
export interface Outcome {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
}

/** The place and the tools of a command. */
export interface CommandContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly migrationsDir: string;
  readonly version: string;
  /** Prints a line for people, which programs do not read. */
  readonly tell: (line: string) => void;
  readonly readInput: () => Promise<string>;
}

/** The options of a command as they were given. */
export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

/** One command of the command line. */
export interface Command {
  /** What is typed, for example `user add`. */
  readonly name: string;
  /** The names of its arguments; in brackets if they may be left out. */
  readonly parameters: readonly string[];
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionDescription>>;
  /** Where it writes, if that is another folder than the data folder; null if that is not known. For people whose disk is full. */
  writesTo?(config: Config, args: readonly string[], options: GivenOptions): string | null;
  /** Whether it brings a workspace into the folder of `--data-dir`, for which a database of DATABASE_URL is not used. */
  readonly writesWorkspace?: boolean;
  run(context: CommandContext, args: readonly string[], options: GivenOptions): Promise<Outcome>;
}

export interface OptionDescription {
  /** The name of its value; absent for one that is on or off. */
  readonly value?: string;
  readonly description: string;
}

/** The options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionDescription>> = {
  "data-dir": {
    value: "FOLDER",
    description:
      "another data folder, with the embedded database and the vault in it, without DATABASE_URL; default: DATA_DIR",
  },
  vault: { value: "FOLDER", description: "another vault; default: VAULT_PATH" },
  json: { description: "print one JSON object for programs" },
  help: { description: "print what there is, and do nothing" },
};

/** Reads the arguments of a command. Throws {@link UsageError}. */
export function readArguments(command: Command, given: readonly string[]): { args: string[]; options: GivenOptions } {
  const described = { ...COMMON_OPTIONS, ...command.options };
  const options: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    Object.entries(described).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true, strict: true });
    const needed = command.parameters.filter((name) => !name.startsWith("["));
    const isHelp = values["help"] === true;
    if (!isHelp && positionals.length < needed.length) throw new UsageError(`${needed.join(" ")} is missing`);
    if (positionals.length > command.parameters.length) {
      throw new UsageError(`unexpected argument "${positionals[command.parameters.length]}"`);
    }
    return { args: positionals, options: Object.fromEntries(Object.entries(values).map(toGiven)) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`${command.name}: ${error.message}`, { cause: error });
  }
}

function toGiven([name, value]: [string, unknown]): [string, string | boolean | undefined] {
  return [name, typeof value === "string" || typeof value === "boolean" ? value : undefined];
}

/** The text of an option; null if it was not given. */
export function textOption(options: GivenOptions, name: string): string | null {
  const value = options[name];
  return typeof value === "string" ? value : null;
}

/** The whole number of an option. Throws {@link UsageError}. */
export function numberOption(options: GivenOptions, name: string, fallback: number): number {
  const text = textOption(options, name);
  if (text === null) return fallback;
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--${name} must be a whole number up to 9999`);
  return Number(text);
}
