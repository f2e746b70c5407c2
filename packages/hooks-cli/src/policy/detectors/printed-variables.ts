import { SHELLS } from "../../shell/command-wrappers.ts";
import { type ShellCommand, argumentsOf, programOf } from "../../shell/shell-command.ts";

/** They print what they are given, or every variable. */
const PRINTERS =
  /^(?:echo|printf?|print|cat|tee|logger|wall|write|say|notify-send|env|printenv|declare|typeset|local|compgen|[gmn]?awk|jq|yq|envsubst)$/;

/**
 * Whether one of the commands of a call may print variables that a file has set: on purpose, by showing what is run, or by code that
 * mentions the environment. What programs print by themselves is not known.
 */
export function mayPrintVariables(commands: readonly ShellCommand[]): boolean {
  return commands.some((command) => {
    const program = programOf(command);
    const texts = argumentsOf(command).map(({ text }) => text);
    if (PRINTERS.test(program) || command.redirects.some(({ operator }) => operator.startsWith("<<"))) return true;
    if (texts.some((text) => /\bENV\b|[Ee]nviron|ENVIRON|getenv|process\.env/.test(text))) return true;
    if (program === "set" || SHELLS.has(program))
      return (
        texts.some((text) => /^-\w*[xv]|^(?:xtrace|verbose)$/.test(text)) || (program === "set" && texts.length === 0)
      );
    return /^(?:export|readonly)$/.test(program) && texts.every((text) => text.startsWith("-"));
  });
}
