import { readEnvironment } from "./environment.ts";
import { DEFAULT_TIMEOUT_S } from "./hook/hook-plan.ts";
import { runHook } from "./hook/run-hook.ts";
import { RECORD_TURN, recordInBackground } from "./hook/undo-steps.ts";

/**
 * The command. A hook runs at every tool call of an assistant, and no failure may give it an exit code other than 0, which
 * an assistant would interpret as a verdict.
 */
function main([command, ...args]: readonly string[]): void {
  if (command === "run" && args[0]?.startsWith("--") !== true) {
    process.on("uncaughtException", () => process.exit(0));
    startHook(args).catch(() => process.exit(0));
    return;
  }
  startCommand(command, args).then(
    (exitCode) => process.exit(exitCode),
    (error: unknown) => {
      process.stderr.write(`workspace-hooks: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}

async function startHook(args: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const command = {
    eventName: args[0] ?? "",
    harnessName: option("--for") ?? "claude-code",
    limitMs: 1_000 * (Number(option("--timeout")) || DEFAULT_TIMEOUT_S),
  };
  await runHook(command, readEnvironment(), (exitCode) => process.exit(exitCode));
}

/** Hooks need none of the commands, so these are a file of their own. */
async function startCommand(command: string | undefined, args: readonly string[]): Promise<number> {
  if (command === RECORD_TURN) return recordInBackground(args, readEnvironment());
  const { runCommandLine } = await import("./commands/command-line.ts");
  return runCommandLine(command, args, readEnvironment());
}

main(process.argv.slice(2));
