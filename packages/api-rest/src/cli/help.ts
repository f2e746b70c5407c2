import { COMMON_OPTIONS, type Command, type OptionDescription } from "./command.ts";

const NAME = "npx workspace";

/** What is printed without a command. */
export function describeCommands(commands: readonly Command[]): string {
  const lines = [
    { usage: "start", summary: "start the service, like npm start" },
    ...commands.map((command) => ({ usage: usageOf(command), summary: command.summary })),
    { usage: "help [COMMAND]", summary: "print this, or the options of a command" },
  ];
  return [
    `Usage: ${NAME} COMMAND [OPTIONS]`,
    "",
    ...inColumns(lines.map(({ usage, summary }) => [usage, summary])),
    "",
    "Options of all commands but start:",
    ...describeOptions(COMMON_OPTIONS),
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but something is wrong: a backup lacks files or is damaged (backup, verify),",
    "a setting or a disk is wrong (doctor), files were left out (restore --without-damaged).",
    "The configuration is that of the service: environment variables, and the file .env.",
  ].join("\n");
}

export const START_TAKES_NOTHING =
  "start takes no options: set DATA_DIR, VAULT_PATH and the other variables in the environment or in the file .env.";

/** What is printed about starting the service. */
export function describeStart(): string {
  return [`Usage: ${NAME} start`, "", "Start the service, like npm start.", "", sentence(START_TAKES_NOTHING)].join(
    "\n",
  );
}

/** What is printed about one command. */
export function describeCommand(command: Command): string {
  return [
    `Usage: ${NAME} ${usageOf(command)} [OPTIONS]`,
    "",
    sentence(`${command.summary}.`),
    "",
    "Options:",
    ...describeOptions({ ...command.options, ...COMMON_OPTIONS }),
  ].join("\n");
}

function usageOf({ name, parameters }: Command): string {
  return [name, ...parameters].join(" ");
}

function describeOptions(options: Readonly<Record<string, OptionDescription>>): string[] {
  return inColumns(
    Object.entries(options).map(([name, { value, description }]) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      description,
    ]),
  );
}

function inColumns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
