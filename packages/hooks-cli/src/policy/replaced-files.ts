import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";

/** Redirections that write a file from the start. */
export const REDIRECTS_THAT_REPLACE: ReadonlySet<string> = new Set([">", ">|", "&>", ">&"]);

/** Whether what a program writes takes the place of what was there: not if it appends, or leaves existing files alone. */
export function replacesFiles(command: ShellCommand): boolean {
  const program = programOf(command);
  if (!/^(?:g?cp|g?mv|tee|dd|sponge|rsync|install)$/.test(program)) return false;
  const keeps = program === "tee" ? /^-[ip]*a|^--append/ : /^-[a-zA-Z]*n|^--(?:no-clobber|backup|ignore-existing)/;
  return !argumentsOf(command).some(({ text }) => keeps.test(text));
}

/** Whether a program writes nothing into its files: `truncate -s 0`, `cp /dev/null`. */
export function empties(command: ShellCommand): boolean {
  const texts = argumentsOf(command).map(({ text }) => text);
  switch (programOf(command)) {
    case "truncate":
      return texts.some(
        (text, index) => /^(?:-s|--size=)[-<0]/.test(text) || (isSize(texts[index - 1]) && /^[-<0]/.test(text)),
      );
    case "cp":
      return texts.includes("/dev/null");
    default:
      return false;
  }
}

function isSize(text: string | undefined): boolean {
  return text === "-s" || text === "--size";
}

/** Whether a program is known to print nothing, as in `: > file`. */
export function printsNothing(command: ShellCommand): boolean {
  const given = argumentsOf(command).map(({ text }) => text);
  switch (programOf(command)) {
    case ":":
    case "true":
      return true;
    case "cat":
      return given.length === 1 && given[0] === "/dev/null";
    case "echo":
    case "printf":
      return given.every((text) => text === "" || text === "-n");
    default:
      return false;
  }
}
