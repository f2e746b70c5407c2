import type { Environment } from "../environment.ts";
import { SettingsFileError } from "../settings/settings-file.ts";
import { UsageError } from "../terminal/arguments.ts";
import { print } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { runDoctor } from "./doctor.ts";
import { runFlush } from "./flush.ts";
import { runImport } from "./import.ts";
import { runInstall } from "./install.ts";
import { runPolicy } from "./policy.ts";
import { runWithSecrets } from "./run-with-secrets.ts";
import { runStatus } from "./status.ts";
import { runSwitch } from "./switch.ts";
import { runUndo } from "./undo.ts";
import { runUninstall } from "./uninstall.ts";
import { runWhy } from "./why.ts";

/** For hooks, which contain no code to check a policy. */
export { checkPolicy } from "../policy/policy-check.ts";

const HELP = `workspace-hooks ${VERSION}: records what a coding assistant does, adds your project's memory
to its sessions, and guards against accidents.

  install      make an assistant call the hooks
               --server <address>  --key <key> | --api-token <token> | --email <email>
               --for claude-code|codex|gemini-cli|cursor|opencode (all that you have used)
               --scope user|project|local
               --packs safe  switches on rules against common losses (none: does not ask)
               --dry-run  shows what would change      --repair  restores missing entries
  uninstall    remove them again                        --dry-run  --purge  --for  --scope
  status       what is installed, pending and failing                   --json
  doctor       check everything                        --self-test  fires every rule
  flush        send everything pending now
  import       import usage from past transcripts       --memory  memories too  --from <folder>  --again
  undo         undo the last turn that changed something, in this project
               --turn <number>  --session <id>  --file <path>  --dry-run  --force
               --list  the recorded turns     --diff  what changed     --redo  undo the last undo     --json
  why <path>[:from-to]  which sessions wrote these lines, and what for   --limit <sessions>  --json
  run --secret <name>[=<variable>] -- <command>   run a command with secrets, and mask them in what it prints
  policy test  fire every rule on its examples         [file]  --command <text>  --prompt <text>
  policy replay                what they would have done in past sessions   [file]  --days <number>  --from <folder>
  policy shipped, policy packs                         the rules that a policy may use
  memory on|off, events on|off, undo on|off            --here | --project <folder>
  run <event>  called by the assistant                  --for <assistant>
`;

/** Runs a command entered by a user. Returns the exit code: 0, or 1 if something is wrong. */
export async function runCommandLine(
  command: string | undefined,
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
    // What follows belongs to the command that is started.
    if (command !== "run" && command !== "policy" && args.includes("--help"))
      return await dispatch("help", [], environment);
    return await dispatch(command, args, environment);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof SettingsFileError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function dispatch(
  command: string | undefined,
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  switch (command) {
    case "install":
      return runInstall(args, environment);
    case "uninstall":
      return runUninstall(args, environment);
    case "status":
      return runStatus(args, environment);
    case "doctor":
      return runDoctor(args, environment);
    case "flush":
      return runFlush(args, environment);
    case "import":
      return runImport(args, environment);
    case "undo":
      return runUndo(args, environment);
    case "run":
      return runWithSecrets(args, environment);
    case "why":
      return runWhy(args, environment);
    case "policy":
      return runPolicy(args, environment);
    case "memory":
    case "events":
      return runSwitch(command, args, environment);
    case "--version":
      print(VERSION);
      return 0;
    case undefined:
    case "help":
    case "--help":
      print(HELP);
      return 0;
    default:
      throw new UsageError(`Unknown command: ${command}. See workspace-hooks help.`);
  }
}
