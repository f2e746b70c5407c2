import { decodeEscapes } from "./ansi-quote.ts";
import { foundFiles } from "./command-runners.ts";
import { type ShellCommand, argumentsOf, programOf } from "./shell-command.ts";
import { UNKNOWN, UNSEEN } from "./unknown.ts";
import { type ShellWord, isKnown, textsOf } from "./word-fields.ts";

export interface OutputFacts {
  readonly cwd: string | undefined;
  readonly projectRoot: string | undefined;
}

/** What a command prints, for the few whose output follows from their arguments. Undefined if unknown. */
export function literalOutput(command: ShellCommand, facts: OutputFacts): string | undefined {
  const words = argumentsOf(command);
  const plain = textsOf(words).filter((text) => !/^-(?:-|[A-Za-z]+)$/.test(text));
  const isAllKnown = words.every(isKnown);
  switch (programOf(command)) {
    case "echo":
      return isAllKnown ? echo(textsOf(words)) : undefined;
    case "printf":
      return isAllKnown ? printf(textsOf(words)) : undefined;
    case "tee":
      return command.stdin;
    case "grep":
    case "egrep":
    case "head":
    case "tail":
    case "sort":
    case "uniq":
      return filtered(command, plain);
    case "ls":
      // Without its options, the names that the shell has found.
      return words.length > 0 &&
        words.every(({ hasGlob, text }) => hasGlob || /^-[1dAart]+$/.test(text)) &&
        plain.length > 0
        ? plain.join("\n")
        : undefined;
    case "cat":
      return plain.length === 0 || plain[0] === "-" ? command.stdin : undefined;
    case "base64":
    case "gbase64":
      return words.some((word) => /^(?:-[a-zA-Z]*[dD]|--decode)$/.test(word.text))
        ? decode(command.stdin, "base64")
        : undefined;
    case "xxd":
      return words.some((word) => /^-.*r/.test(word.text))
        ? decode(command.stdin?.replaceAll(/\s+/g, ""), "hex")
        : undefined;
    case "rev":
      return command.stdin
        ?.split("\n")
        .map((line) => Array.from(line).toReversed().join(""))
        .join("\n");
    case "find":
      return foundFiles(command.words).join("\n");
    case "cd":
      return "";
    case "pwd":
      return facts.cwd;
    case "git":
      return outputOfGit(words, facts);
    case "which":
    case "command":
    case "type": {
      const name = plain.at(-1);
      return name === undefined || name.includes("/") ? name : `/usr/bin/${name}`;
    }
    case "brew":
    case "npm":
    case "go":
      return printsFolder(words) ? `/usr/local/lib/${UNKNOWN}` : undefined;
    case "realpath":
    case "readlink":
      return plain.at(-1);
    case "basename":
      return plain[0]
        ?.replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1);
    case "dirname":
      return dirname(plain[0] ?? "");
    case "mktemp":
      return `/tmp/${UNKNOWN}`;
    default:
      return undefined;
  }
}

/** Some of the lines that it reads, which is known to be no more than what there is. Several are not told apart. */
function filtered({ words, stdin }: ShellCommand, plain: readonly string[]): string | undefined {
  const takesLines = words.slice(1).every(({ text }) => !/^-[a-zA-Z]*[cfoqlLr]|^--/.test(text));
  const operands = plain.filter((text) => !/^-?\d+$/.test(text));
  const isPiped = operands.length === (programOf({ words }).endsWith("grep") ? 1 : 0);
  return takesLines && isPiped && stdin?.trim().includes("\n") === false ? stdin : undefined;
}

/** Whether a package manager prints a folder of its own. */
function printsFolder(words: readonly ShellWord[]): boolean {
  const given = textsOf(words).join(" ");
  return /^--(?:prefix|cellar)|^(?:root|prefix|bin) (?:-g|--global)|^(?:-g|--global) (?:root|prefix|bin)|^env GO(?:PATH|ROOT|BIN)$/.test(
    given,
  );
}

function outputOfGit(words: readonly ShellWord[], { projectRoot }: OutputFacts): string | undefined {
  const given = textsOf(words).join(" ");
  if (given === "rev-parse --show-toplevel") return projectRoot;
  if (/^rev-parse (?:--path-format=\w+ )?--(?:absolute-git|git|git-common)-dir$/.test(given))
    return projectRoot === undefined ? undefined : `${projectRoot}/.git`;
  if (/^(?:diff|diff-tree|diff-index) .*--name-only/.test(given)) return `./${UNSEEN}`;
  if (!given.startsWith("ls-files")) return undefined;
  const named = words.slice(1).filter(({ text }) => !/^[-:]/.test(text));
  const names = named.map(({ text, hasGlob }) => (hasGlob || /[*?]/.test(text) ? `./${text}` : `${text}/${UNSEEN}`));
  return names.length === 0 ? `./${UNSEEN}` : names.join("\n");
}

/** Undefined if it depends on something unknown. */
function dirname(path: string): string | undefined {
  const parent = path.replace(/(?<!\/)\/+$/, "").replace(/(?:^|\/)[^/]*$/, "");
  return parent === "" && path.includes(UNKNOWN) ? undefined : parent || ".";
}

function echo(words: readonly string[]): string {
  const options = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const flags = words.slice(0, options === -1 ? words.length : options).join("");
  const text = (options === -1 ? [] : words.slice(options)).join(" ");
  return `${flags.includes("e") ? decodeEscapes(text) : text}${flags.includes("n") ? "" : "\n"}`;
}

function printf(words: readonly string[]): string | undefined {
  const [format, ...values] = words[0] === "--" ? words.slice(1) : words;
  if (format === undefined || format.startsWith("-v")) return undefined;
  const rest = [...values];
  const once = (): string =>
    decodeEscapes(format).replaceAll(/%(?:%|[-0-9.]*([a-zA-Z]))/g, (whole, kind?: string) => {
      if (kind === undefined) return "%";
      const value = rest.shift() ?? "";
      return kind === "b" ? decodeEscapes(value) : /[sdiuq]/.test(kind) ? value : whole;
    });
  let text = once();
  // The format is reused as long as there are values and it consumes any. A longer text exceeds what is read in any case.
  for (let left = values.length; rest.length > 0 && rest.length < left && text.length < 1e6;) {
    left = rest.length;
    text += once();
  }
  return text;
}

function decode(text: string | undefined, encoding: "base64" | "hex"): string | undefined {
  if (text === undefined || text.includes(UNKNOWN)) return undefined;
  return Buffer.from(text.trim(), encoding).toString("utf8");
}
