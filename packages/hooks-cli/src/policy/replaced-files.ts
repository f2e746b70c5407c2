import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";

/** Redirections that write a file from the start. */
export const REDIRECTS_THAT_REPLACE: ReadonlySet<string> = new Set([">", ">|", "&>", ">&"]);

/** Whether what a program writes takes the place of what was there: not if it appends, or leaves existing files alone. */
export function replacesFiles(command: ShellCommand): boolean {
  const program = programOf(command);
  if (!/^(?:g?cp|g?mv|tee|dd|sponge)$/.test(program)) return false;
  const keeps = program === "tee" ? /^-[ip]*a|^--append/ : /^-[a-zA-Z]*n|^--(?:no-clobber|backup)/;
  return !argumentsOf(command).some(({ text }) => keeps.test(text));
}
