import { resolve } from "node:path";
import type { ShellCommand } from "./shell-command.ts";
import type { ShellScope } from "./shell-scope.ts";
import type { WordToken } from "./shell-token.ts";
import { UNKNOWN, UNSEEN } from "./unknown.ts";
import { type ShellWord, expandToText, expandWord, textAt, textsOf } from "./word-fields.ts";

const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=/;
/** Variables whose value is started by other programs. */
const NAMES_A_PROGRAM =
  /(?:_COMMAND|PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|BASH_ENV|_SSH|LESSOPEN|LESSCLOSE|EXTERNAL_DIFF)$/;

/** How many leading words of a command are assignments. */
export function countAssignments(words: readonly WordToken[]): number {
  const first = words.findIndex((word) => !ASSIGNMENT.test(leadingText(word)));
  return first === -1 ? words.length : first;
}

function leadingText(word: WordToken): string {
  const first = word.parts[0];
  return first?.kind === "text" && !first.isQuoted ? first.text : "";
}

/**
 * Sets a variable. Assignments before a command apply to that command only: they are expanded, and have no effect here.
 * Returns a script that other programs will take from the variable.
 */
export function assign(word: WordToken, scope: ShellScope, isLasting: boolean): string | undefined {
  const match = ASSIGNMENT.exec(leadingText(word));
  const name = match?.[1];
  if (match === null || name === undefined) return undefined;
  const [first, ...rest] = word.parts;
  const value = expandToText(
    first?.kind === "text" ? [{ ...first, text: first.text.slice(match[0].length) }, ...rest] : rest,
    scope,
  );
  const home = value === "~" || value.startsWith("~/") ? (scope.home ?? UNKNOWN) + value.slice(1) : value;
  const elements = word.elements?.flatMap((element) => expandWord(element, scope).map((field) => field.text));
  const script = NAMES_A_PROGRAM.test(name) ? value : undefined;
  // A shell that the command starts has it.
  if (!isLasting && !scope.hasSet(name)) scope.set(name, undefined);
  if (!isLasting) return script;
  if (match[2] !== undefined) scope.set(name, undefined);
  else if (match[3] === "+") scope.append(name, elements ?? [home], elements !== undefined);
  else scope.set(name, elements ?? [home]);
  return script;
}

/** Follows `cd`, `pushd` and `popd`, as far as their targets are known. */
export function changeDirectory(command: ShellCommand, scope: ShellScope): void {
  const words = command.words.slice(command.words.findIndex(({ text }) => !/^(?:builtin|command|--)$/.test(text)));
  const program = textAt(words, 0);
  if (program === "dirs") scope.directories = [];
  if (!/^(?:cd|pushd|popd)$/.test(program)) return;
  const from = scope.cwd;
  const [last, ...others] = scope.directories;
  const target = words.slice(1).find((word) => !/^-[LPe@]+$/.test(word.text) && word.text !== "--");
  scope.cwd =
    target === undefined
      ? program === "cd"
        ? scope.home
        : program === "popd"
          ? last
          : undefined
      : reached(target, scope);
  // Those of `pushd +1` and the like are not followed.
  if (program === "pushd") scope.directories = scope.cwd === undefined ? [] : [from, ...scope.directories];
  if (program === "popd") scope.directories = target === undefined ? others : [];
}

/** The directory that `cd` reaches; undefined if that is not known. */
function reached(target: ShellWord, { cwd }: ShellScope): string | undefined {
  // What follows a known directory may be unknown: it is assumed to be below that directory.
  const isPlain =
    !target.text.startsWith(UNKNOWN) &&
    !target.text.includes(UNSEEN) &&
    !target.hasGlob &&
    !/^-n?$|^[-+]\d+$/.test(target.text);
  return isPlain && (target.text.startsWith("/") || cwd !== undefined) ? resolve(cwd ?? "/", target.text) : undefined;
}

/** Builtins that change the meaning of later words. */
export function applyBuiltin(program: string, { words, stdin, pipedFrom }: ShellCommand, scope: ShellScope): void {
  const given = textsOf(words.slice(1));
  switch (program) {
    case "alias":
      for (const text of given) {
        const [name, ...value] = text.split("=");
        if (name !== undefined && value.length > 0) scope.aliases.set(name, value.join("="));
      }
      return;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      for (const text of given) {
        const match = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text);
        // With `-n`, the value is the name of another variable.
        const isReference = given.some((option) => /^-\w*n/.test(option)) && program !== "export";
        if (match?.[1] !== undefined) scope.set(match[1], isReference ? undefined : [match[2] ?? ""]);
      }
      return;
    case "env":
    case "sudo":
    case "getopts":
      for (const text of given) if (/^\w+(?:=|$)/.test(text)) scope.set(text.replace(/=.*/s, ""), undefined);
      return;
    case "unset":
      for (const name of given) scope.unset(name);
      return;
    case "set":
      if (given.includes("--")) scope.positional = given.slice(given.indexOf("--") + 1);
      return;
    case "read":
      return readInto(given, stdin ?? (pipedFrom.length > 0 ? UNSEEN : undefined), scope);
    case "printf":
      // What is formatted is not known.
      if (given[0] === "-v" && given[1] !== undefined)
        scope.set(given[1], given[2]?.includes("%") === false ? [given[2]] : undefined);
      return;
    case "mapfile":
    case "readarray":
      for (const name of namesIn(given)) scope.set(name, stdin?.split("\n").filter(Boolean));
      return;
    default:
  }
}

/** `read a b` assigns the first word to a and the rest to b. */
function readInto(given: readonly string[], stdin: string | undefined, scope: ShellScope): void {
  const names = namesIn(given);
  const fields = stdin?.split("\n")[0]?.trim().split(/\s+/);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    scope.set(name, fields && [isLast ? fields.slice(index).join(" ") : (fields[index] ?? "")]);
  }
}

function namesIn(given: readonly string[]): readonly string[] {
  return given.filter((text) => /^[A-Za-z_]\w*$/.test(text));
}
