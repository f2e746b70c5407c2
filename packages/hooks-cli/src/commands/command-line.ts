import type { Environment } from "../environment.ts";
import { SettingsFileError } from "../settings/settings-file.ts";
import { UsageError } from "../terminal/arguments.ts";
import { say } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { runDoctor } from "./doctor.ts";
import { runFlush } from "./flush.ts";
import { runImport } from "./import.ts";
import { runInstall } from "./install.ts";
import { runPolicy } from "./policy.ts";
import { runStatus } from "./status.ts";
import { runSwitch } from "./switch.ts";
import { runUninstall } from "./uninstall.ts";

const HELP = `workspace-hooks ${VERSION}: records what a coding assistant does, brings your project's memory
into its sessions, and keeps it from accidents.

  install      make an assistant call the hooks
               --server <address>  --key <key> | --api-token <token> | --email <email>
               --for claude-code|codex|gemini-cli|cursor|opencode   --scope user|project|local
               --dry-run  shows what would change      --repair  puts vanished entries back
  uninstall    take them out again                     --dry-run  --purge  --for  --scope
  status       what is installed, what waits, what went wrong          --json
  doctor       check everything                        --self-test  fires every rule
  flush        send what waits, now
  import       past transcripts into session usage     --memory  also into memory  --from <folder>  --again
  policy test  fire every rule on its examples         [file]  --command <text>  --prompt <text>
  policy shipped                                       the rules that a policy may use
  memory on|off, events on|off                         --here | --project <folder>
  run <event>  what the assistant calls                --for <assistant>
`;

/** Runs a command that a person typed. Answers the exit code: 0, or 1 where something is not as it should be. */
export async function runCommandLine(
  command: string | undefined,
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
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
    case "policy":
      return runPolicy(args, environment);
    case "memory":
    case "events":
      return runSwitch(command, args, environment);
    case "--version":
      say(VERSION);
      return 0;
    case undefined:
    case "help":
    case "--help":
      say(HELP);
      return 0;
    default:
      throw new UsageError(`There is no command ${command}. See workspace-hooks help.`);
  }
}
