import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";
import { textsOf } from "../shell/word-fields.ts";

/** Redirections that write a file from the start. */
export const REDIRECTS_THAT_REPLACE: ReadonlySet<string> = new Set([">", ">|", "&>", ">&"]);

/** Whether what a program writes takes the place of what was there: not if it appends, or leaves existing files alone. */
export function replacesFiles(command: ShellCommand): boolean {
  const program = programOf(command);
  const has = (option: RegExp): boolean => argumentsOf(command).some(({ text }) => option.test(text));
  switch (program) {
    case "tee":
      return !has(/^-[ip]*a|^--append/);
    case "ln":
    case "gln":
      return has(/^-[a-zA-Z]*f|^--force/) && !has(/^-[a-zA-Z]*b|^--backup/);
    case "sed":
    case "gsed":
    case "perl":
      return losesLines(textsOf(argumentsOf(command)));
    case "curl":
      return !has(/^-C|^--continue-at|^--no-clobber/);
    case "wget":
      return !has(/^-n?c$|^--(?:continue|no-clobber)/);
    case "ssh-keygen":
      // It asks before, so it does only if something answers.
      return command.stdin !== undefined || command.pipedFrom.length > 0;
    default:
      return (
        /^(?:g?cp|g?mv|dd|sponge|rsync|install|scp|sort|openssl|set-content|out-file)$/i.test(program) &&
        !(/^(?:g?[cm][pv]|rsync|install)$/.test(program) && has(KEEPS_FILES))
      );
  }
}

const KEEPS_FILES = /^-[a-zA-Z]*n|^--(?:no-clobber|backup|ignore-existing)/;

/** Whether a script that edits files in place removes lines, or all that is in them. A suffix of the option names a backup. */
function losesLines(texts: readonly string[]): boolean {
  if (texts.some((text) => /^-[a-zA-Z0-9]*i[.~]|^--in-place=/.test(text))) return false;
  const option = texts.findIndex((text) => /^-[a-zA-Z0-9]*e$|^--expression$/.test(text));
  const script = option === -1 ? texts.find((text) => text !== "" && !text.startsWith("-")) : texts[option + 1];
  return REMOVES_LINES.test(script ?? "") || texts.some((text) => /^-[a-zA-Z0-9]*n/.test(text));
}

// `d`, `1,5d`, `/x/d`, a substitution of everything, and the same in Perl.
const REMOVES_LINES =
  /(?:^|[\d;{}$!/])\s*[dDcQ]\s*(?:[;}\n\\]|$)|(?:^|\W)s(?:\/\^?\.[*+]|\|\^?\.[*+]|#\^?\.[*+])|^\$_\s*=|\bundef\b/;

/** Whether a program writes nothing into its files: `truncate -s 0`, `cp /dev/null`. */
export function empties(command: ShellCommand): boolean {
  const texts = textsOf(argumentsOf(command));
  switch (programOf(command)) {
    case "truncate":
      return texts.some(
        (text, index) => /^(?:-s|--size=)[-<0]/.test(text) || (isSize(texts[index - 1]) && /^[-<0]/.test(text)),
      );
    case "cp":
    case "ln":
      return texts.includes("/dev/null");
    default:
      return /^(?:clear-content|clc)$/i.test(programOf(command));
  }
}

function isSize(text: string | undefined): boolean {
  return text === "-s" || text === "--size";
}

/** Whether a program is known to print nothing, as in `: > file`. */
export function printsNothing(command: ShellCommand): boolean {
  const given = textsOf(argumentsOf(command));
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
