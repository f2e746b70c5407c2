import { SHELLS } from "../../shell/command-wrappers.ts";
import { type ShellCommand, argumentsOf, programOf } from "../../shell/shell-command.ts";
import { textsOf } from "../../shell/word-fields.ts";
import { UNKNOWN } from "../../shell/unknown.ts";

/** They print what they are given, or every variable. */
const PRINTERS =
  /^(?:echo|printf?|print|cat|tee|logger|wall|write|say|notify-send|env|printenv|declare|typeset|local|compgen|[gmn]?awk|jq|yq|envsubst|yes|date|sed|expr|(?:base|dir)name|seq|ls|rev|tac|test|\[)$/;

/** They send what they are given to another machine. */
const SENDERS = /^(?:curl|wget|nc|ncat|socat|ssh|https?|xh|mail)$/;

/** They print what they read, and do nothing else with it. */
const READERS = /^(?:cat|base64|grep|head|tail|cut|tr|awk)$/;

/**
 * Whether one of the commands of a call may print variables that have been set: on purpose, by showing what is run, or by code that
 * mentions the environment. What programs print by themselves is not known. If they are `substituted`, by what a command has
 * printed, that may not reach anything but a variable either.
 */
export function mayPrintVariables(commands: readonly ShellCommand[], areSubstituted: boolean): boolean {
  return commands.some((command) => {
    const program = programOf(command);
    const texts = textsOf(argumentsOf(command));
    const targets = textsOf(command.redirects.flatMap(({ target }) => target ?? []));
    if (areSubstituted && command.wrappers[0] === "$()")
      return (
        !READERS.test(program) ||
        (program === "awk" && texts.some((text) => /[>|(]/.test(text))) ||
        command.redirects.some(({ operator }) => operator.includes(">"))
      );
    const takesAny = /^(?:export|readonly)$/.test(program) && texts.some((text) => /^\w+=/.test(text));
    if (areSubstituted && !takesAny && [program, ...texts, ...targets].some((text) => text.includes(UNKNOWN)))
      return true;
    if (SENDERS.test(program) && texts.some((text) => text.includes(UNKNOWN))) return true;
    if (PRINTERS.test(program) || command.redirects.some(({ operator }) => operator.startsWith("<<"))) return true;
    if (texts.some((text) => /\bENV\b|[Ee]nviron|ENVIRON|getenv|process\.env/.test(text))) return true;
    if (program === "set" || SHELLS.has(program))
      return (
        texts.some((text) => /^-\w*[xv]|^(?:xtrace|verbose)$/.test(text)) || (program === "set" && texts.length === 0)
      );
    return /^(?:export|readonly)$/.test(program) && texts.every((text) => text.startsWith("-"));
  });
}
