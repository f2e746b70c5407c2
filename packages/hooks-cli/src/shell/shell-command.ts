import type { Container } from "./container.ts";
import { type ShellWord, textAt } from "./word-fields.ts";

/** One program that a script would start, with everything expanded that is known beforehand. */
export interface ShellCommand {
  /** The program, followed by its arguments; wrappers such as `sudo` are already removed. Never empty. */
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  /** Its working directory; undefined if unknown. */
  readonly cwd: string | undefined;
  /** Every program in the earlier stages of its pipeline. */
  readonly pipedFrom: readonly ShellCommand[];
  /** What it would read from standard input, if known. */
  readonly stdin: string | undefined;
  /** What started it, outermost first: `sudo`, `bash -c`, `xargs`. */
  readonly wrappers: readonly string[];
  /** The new container in which it runs; undefined if it runs on the machine, or where others ran before. */
  readonly container?: Container | undefined;
}

export interface ShellRedirect {
  readonly operator: string;
  readonly target: ShellWord | undefined;
}

/** Of a script, wherever they are started. */
export const MAX_COMMANDS = 1_000;

/** Of all commands of a script together: programs take their arguments apart in ways that are not all linear. */
export const MAX_WORDS = 2_000;

/** The name of the program, without its directory, and without the ending that Windows gives it. */
export function programOf(command: { readonly words: readonly ShellWord[] }): string {
  return programName(textAt(command.words, 0));
}

export function programName(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

export function argumentsOf(command: ShellCommand): readonly ShellWord[] {
  return command.words.slice(1);
}
