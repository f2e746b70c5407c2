import { SHELLS, SHELL_VALUE_OPTIONS, type Wrapper, findWrapper } from "./command-wrappers.ts";
import { UNSEEN } from "./unknown.ts";
import type { Container } from "./container.ts";
import { type ShellWord, textAt, textsOf } from "./word-fields.ts";

/** What a command starts besides itself. */
export interface Started {
  /** Programs with their arguments. */
  readonly commands: readonly (readonly ShellWord[])[];
  /** Texts that a shell will run. */
  readonly scripts: readonly string[];
  /** The arguments passed to the scripts. */
  readonly positional?: readonly string[];
  /** The new container in which it runs. */
  readonly container?: Container | undefined;
}

export const NOTHING: Started = { commands: [], scripts: [] };

/** What a wrapper such as `sudo`, `env` or `timeout` starts. */
export function startedByWrapper(program: string, words: readonly ShellWord[], stdin?: string): Started {
  const wrapper = findWrapper(program);
  if (wrapper === undefined) return NOTHING;
  const rest = afterSubcommand(wrapper, words.slice(1));
  // `command -v` only prints where a program is.
  if (rest === undefined || (program === "command" && /^-[vV]$/.test(textAt(rest, 0)))) return NOTHING;
  const { scripts, words: inner } = skipOptions(wrapper, rest);
  const command = commandAfter(wrapper, inner);
  // `sudo -s` and `su user` pass a command to a shell; without one they only start the shell.
  if (command.length === 0)
    return { commands: [], scripts: stdin !== undefined && readsInput(wrapper, words) ? [...scripts, stdin] : scripts };
  // What follows `env -S "A=1 program"` and `start-stop-daemon --exec program` are further arguments.
  if (/^(?:env|start-stop-daemon)$/.test(program) && scripts.length > 0)
    return { commands: [], scripts: scripts.map((script) => `${script} ${quoteWords(command)}`) };
  // What follows the script are signals.
  if (program === "trap") return { commands: [], scripts: [textAt(command, 0)] };
  if (wrapper.joinsRest) return { commands: [], scripts: [...scripts, joinWords(command)] };
  return { commands: scripts.length > 0 ? [] : [command], scripts };
}

/** What follows the words that name a machine, a user or a time: `ssh host -t -- command`. */
function commandAfter(wrapper: Wrapper, words: readonly ShellWord[]): readonly ShellWord[] {
  const rest = words.slice(wrapper.positionals);
  if (wrapper.positionals === 0 || words.length <= wrapper.positionals) return rest;
  if (wrapper.joinsRest) return skipOptions(wrapper, rest).words;
  return rest[0]?.text === "--" ? rest.slice(1) : rest;
}

/** Whether a wrapper without a command starts a shell that takes its script from standard input. */
function readsInput({ readsInput: takes }: Wrapper, words: readonly ShellWord[]): boolean {
  if (typeof takes === "boolean") return takes;
  return takes.some((option) => words.some(({ text }) => isOption(text, option)));
}

/** The content of files, known because the same script wrote them. */
export type FileContent = (path: string) => string | undefined;

/** What `sh -c`, or a shell that reads a known text or file, runs. */
export function startedByShell(
  program: string,
  words: readonly ShellWord[],
  stdin: string | undefined,
  contentOf: FileContent,
): Started {
  if (program === "source" || program === ".") {
    const file = words[1]?.text;
    const content = file === "/dev/stdin" ? stdin : file && contentOf(file);
    return content === undefined ? NOTHING : { commands: [], scripts: [content] };
  }
  if (!SHELLS.has(program)) return NOTHING;
  const { script, file, positional } = readShellArguments(words);
  const text = script ?? (file === undefined ? stdin : contentOf(file));
  return text === undefined ? NOTHING : { commands: [], scripts: [text], positional };
}

/** Whether a shell with these arguments reads its script from standard input. */
export function readsScriptFromInput(words: readonly ShellWord[]): boolean {
  const { script, file } = readShellArguments(words);
  return script === undefined && file === undefined;
}

interface ShellArguments {
  readonly script: string | undefined;
  readonly file: string | undefined;
  /** `$0` first. */
  readonly positional: readonly string[];
}

function readShellArguments(words: readonly ShellWord[]): ShellArguments {
  const after = (from: number): readonly string[] => textsOf(words.slice(from));
  for (let at = 1; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (SHELL_VALUE_OPTIONS.has(text)) {
      at += 1;
    } else if (/^-[abd-zA-Z]*c[a-zA-Z]*$/.test(text)) {
      // Options may come between -c and its script.
      const script = words.findIndex((word, index) => index > at && !/^[-+]/.test(word.text));
      return { script: textAt(words, script), file: undefined, positional: script === -1 ? [] : after(script + 1) };
    } else if (text === "-s" || text === "-" || text === "/dev/stdin") {
      return { script: undefined, file: undefined, positional: ["", ...after(at + 1)] };
    } else if (!/^[-+]/.test(text)) {
      return { script: undefined, file: text, positional: after(at) };
    }
  }
  return { script: undefined, file: undefined, positional: [] };
}

function afterSubcommand(wrapper: Wrapper, words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (wrapper.subcommands.length === 0) return words;
  let at = 0;
  for (; words[at]?.text.startsWith("-") === true; at += 1) at += valuesAfter(wrapper, textAt(words, at));
  const subcommand = words[at];
  return subcommand !== undefined && wrapper.subcommands.includes(subcommand.text) ? words.slice(at + 1) : undefined;
}

/** Skips options, their values and assignments, and collects the scripts that options contain. */
function skipOptions(
  wrapper: Wrapper,
  words: readonly ShellWord[],
): { scripts: string[]; words: readonly ShellWord[] } {
  const scripts: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (text === "--") return { scripts, words: words.slice(at + 1) };
    if (wrapper.takesAssignments && /^[A-Za-z_]\w*=/.test(text)) continue;
    // `env -` is `env -i`, `su -` is `su -l`.
    if (text === "-" && (wrapper.takesAssignments || wrapper.readsInput === true)) continue;
    if (!text.startsWith("-") || text === "-") break;
    const scriptOption = wrapper.scriptOptions.find((option) => isOption(text, option));
    if (scriptOption !== undefined) {
      const attached = attachedValue(text, scriptOption);
      scripts.push(attached ?? textAt(words, at + 1));
      if (attached === undefined) at += 1;
    } else {
      at += valuesAfter(wrapper, text);
    }
  }
  // `su user -c script`: the script may follow the positional words.
  const rest = words.slice(at);
  const late = wrapper.positionals === 0 ? [] : wrapper.scriptOptions.flatMap((option) => scriptsOf(rest, option));
  return { scripts: [...scripts, ...late], words: late.length === 0 ? rest : [] };
}

function scriptsOf(words: readonly ShellWord[], option: string): readonly string[] {
  return words.flatMap(({ text }, index) =>
    text === option ? textAt(words, index + 1) : text.startsWith(`${option}=`) ? text.slice(option.length + 1) : [],
  );
}

function isOption(text: string, option: string): boolean {
  if (text === option || text.startsWith(`${option}=`)) return true;
  const isShort = /^-[A-Za-z]$/.test(option) && /^-[A-Za-z]/.test(text);
  return isShort && (text.startsWith(option) || new RegExp(`^-[A-Za-z]*${option.charAt(1)}$`).test(text));
}

function attachedValue(text: string, option: string): string | undefined {
  if (text.startsWith(`${option}=`)) return text.slice(option.length + 1);
  return /^-[A-Za-z]$/.test(option) && text.startsWith(option) && text.length > 2 ? text.slice(2) : undefined;
}

/** How many words an option takes: `-u root` and `-nu root` the next one; `-uroot` and `--user=root` include their value. */
function valuesAfter(wrapper: Wrapper, text: string): number {
  if (wrapper.valueOptions.includes(text)) return 1;
  if (wrapper.pairOptions.includes(text)) return 2;
  if (text.startsWith("--") || text.length < 3) return 0;
  const hasValue =
    !wrapper.valueOptions.includes(text.slice(0, 2)) && wrapper.valueOptions.includes(`-${text.slice(-1)}`);
  return hasValue ? 1 : 0;
}

/**
 * Joins words into one script. Each was one word already, yet programs that join them let the shell split them again.
 */
function joinWords(words: readonly ShellWord[]): string {
  return textsOf(words).join(" ");
}

/** Quotes words so that a shell reads them literally. */
export function quoteWords(words: readonly ShellWord[]): string {
  return words.map((word) => `'${word.text.replaceAll("'", String.raw`'\''`)}'`).join(" ");
}

export const ANY_WORD: ShellWord = { text: UNSEEN, hasGlob: false };
