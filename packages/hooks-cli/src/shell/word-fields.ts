import type { ShellScope } from "./shell-scope.ts";
import type { Parameter, WordPart, WordToken } from "./shell-token.ts";
import { UNKNOWN, UNSEEN } from "./unknown.ts";

/** One argument after all expansions. */
export interface ShellWord {
  /** Contains UNKNOWN for unknown parts. */
  readonly text: string;
  /** Whether it has an unquoted `*`, `?` or `[`, so that the shell may replace it by file names. */
  readonly hasGlob: boolean;
}

/** The texts of words. */
export function textsOf(words: readonly { readonly text: string }[]): string[] {
  return words.map(({ text }) => text);
}

/** The text of the word at an index; empty if there is none. */
export function textAt(words: readonly { readonly text: string }[], index: number): string {
  return words[index]?.text ?? "";
}

export function isKnown(word: ShellWord): boolean {
  return !word.text.includes(UNKNOWN);
}

/** A character of a word, or an expansion in it. Only unquoted ones can be braces, globs or whitespace to the shell. */
type Atom =
  | { readonly kind: "character"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "part"; readonly part: Exclude<WordPart, { kind: "text" }> };

const MAX_SEQUENCE = 128;
/** A larger value, times what is looked for in it, is not changed: it might become far longer. */
const MAX_CHANGED = 100_000;

/** All arguments that a word expands to: none for an empty expansion, several if it splits or has braces. */
export function expandWord(word: WordToken, scope: ShellScope): readonly ShellWord[] {
  const [first, second] = word.parts;
  if (first?.kind === "text" && second === undefined && (first.isQuoted || !/[{~*?[]/.test(first.text)))
    return [{ text: first.text, hasGlob: false }];
  const atoms = toAtoms(word.parts);
  return expandBraces(atoms, scope).flatMap((alternative) => toFields(alternative, scope));
}

/** The value of a word where the shell does not split: in assignments, here-documents and `case`. */
export function expandToText(parts: readonly WordPart[], scope: ShellScope): string {
  return parts.map((part) => (part.kind === "text" ? part.text : valueOf(part, scope).join(" "))).join("");
}

function toAtoms(parts: readonly WordPart[]): readonly Atom[] {
  return parts.flatMap((part): readonly Atom[] => {
    if (part.kind !== "text") return [{ kind: "part", part }];
    if (part.isQuoted) return [{ kind: "character", text: part.text, isQuoted: true }];
    return Array.from(part.text, (text): Atom => ({ kind: "character", text, isQuoted: false }));
  });
}

function isBare(atom: Atom | undefined, text: string): boolean {
  return atom?.kind === "character" && !atom.isQuoted && atom.text === text;
}

/** `a{b,c}d` becomes `abd acd`, and `{1..3}` becomes `1 2 3`; anything else is left unchanged. */
function expandBraces(atoms: readonly Atom[], scope: ShellScope): readonly (readonly Atom[])[] {
  for (let open = 0; open < atoms.length; open += 1) {
    if (!isBare(atoms[open], "{")) continue;
    const group = scope.spend(4 * atoms.length) ? readBraceGroup(atoms, open) : undefined;
    if (group === undefined || !scope.spend(atoms.length * group.alternatives.length)) continue;
    const head = atoms.slice(0, open);
    const tail = atoms.slice(group.end + 1);
    return group.alternatives.flatMap((alternative) => expandBraces([...head, ...alternative, ...tail], scope));
  }
  return [atoms];
}

function readBraceGroup(
  atoms: readonly Atom[],
  open: number,
): { alternatives: readonly (readonly Atom[])[]; end: number } | undefined {
  const alternatives: Atom[][] = [[]];
  let depth = 0;
  for (let at = open + 1; at < atoms.length; at += 1) {
    const atom = atoms[at];
    if (atom === undefined) break;
    if (isBare(atom, "}") && depth === 0) {
      if (alternatives.length > 1) return { alternatives, end: at };
      const sequence = readSequence(alternatives[0] ?? []);
      return sequence && { alternatives: sequence, end: at };
    }
    if (isBare(atom, "{")) depth += 1;
    if (isBare(atom, "}")) depth -= 1;
    if (isBare(atom, ",") && depth === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(atom);
  }
  return undefined;
}

function readSequence(atoms: readonly Atom[]): readonly (readonly Atom[])[] | undefined {
  const text = atoms.map((atom) => (atom.kind === "character" ? atom.text : UNKNOWN)).join("");
  const bounds = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])$/.exec(text);
  const [first, last] = [bounds?.[1], bounds?.[2]];
  if (first === undefined || last === undefined) return undefined;
  const isNumeric = /\d/.test(first) && /\d/.test(last);
  const [from, to] = isNumeric ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const step = from <= to ? 1 : -1;
  const length = Math.min(Math.abs(to - from) + 1, MAX_SEQUENCE);
  return Array.from({ length }, (_, index) => {
    const value = from + index * step;
    return [{ kind: "character", text: isNumeric ? String(value) : String.fromCharCode(value), isQuoted: false }];
  });
}

/** The words in the value of an unquoted expansion. What splits by default still does if the script sets `IFS`. */
function splitFields(value: string, scope: ShellScope): readonly string[] {
  const [separators = ""] = scope.valuesOf("IFS", undefined) ?? [];
  const also = Array.from(separators).filter((character) => !/\s/.test(character) && value.includes(character));
  return also.reduce((text, character) => text.replaceAll(character, " "), value).split(/[ \t\n]+/);
}

/** Inserts the values of expansions, and splits where unquoted ones contain whitespace. */
function toFields(atoms: readonly Atom[], scope: ShellScope): readonly ShellWord[] {
  const fields: ShellWord[] = [];
  let text = "";
  let hasGlob = false;
  let isWord = false;
  const finish = (): void => {
    // A lone bracket is a command, or a plain character.
    if (isWord) fields.push({ text, hasGlob: hasGlob && /[*?]|\[[^\]]/.test(text) });
    [text, hasGlob, isWord] = ["", false, false];
  };
  const addUnquoted = (value: string): void => {
    const pieces = splitFields(value, scope);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) finish();
      if (piece === "") continue;
      text += piece;
      isWord = true;
      hasGlob ||= /[*?[]/.test(piece);
    }
  };
  const start = atoms[0];
  const home = tildeOf(atoms, scope);
  for (const [index, atom] of (home === undefined ? atoms : atoms.slice(home.length)).entries()) {
    if (atom.kind === "character") {
      text += atom.text;
      isWord = true;
      hasGlob ||= !atom.isQuoted && /[*?[]/.test(atom.text);
      continue;
    }
    const { part } = atom;
    const values = isTemporaryFolder(part, atoms.slice(index + 1), text, scope)
      ? [`/tmp/${UNKNOWN}`]
      : valueOf(part, scope);
    const isQuoted = (part.kind === "command" || part.kind === "parameter") && part.isQuoted;
    if (!isQuoted) {
      for (const [index, value] of values.entries()) {
        if (index > 0) finish();
        addUnquoted(part.kind === "command" && value === UNKNOWN ? UNSEEN : value);
      }
      continue;
    }
    for (const [index, value] of values.entries()) {
      if (index > 0) finish();
      text += value;
      isWord = true;
    }
  }
  if (home !== undefined) [text, isWord] = [home.text + text, true];
  finish();
  return start === undefined ? [] : fields;
}

/**
 * Whether a variable that is not set here is a folder for temporary files by its name. If it is empty instead, nothing is meant,
 * or a path in the root, which must not be that of anything.
 */
function isTemporaryFolder(
  part: Exclude<WordPart, { kind: "text" }>,
  following: readonly Atom[],
  before: string,
  scope: ShellScope,
): boolean {
  if (part.kind !== "parameter" || before !== "" || !/^(?::?\?)?$/.test(part.parameter.operator)) return false;
  const { name } = part.parameter;
  if (!TEMPORARY.test(name) || scope.valuesOf(name, undefined) !== undefined || scope.hasSet(name)) return false;
  const rest = following.slice(0, 8).map((atom) => (atom.kind === "character" ? atom.text : UNKNOWN));
  return /^(?:$|\/(?!(?:etc|usr|bin|var|home|root|opt|lib))[\w.-]*\w)/.test(rest.join(""));
}

const TEMPORARY = /^(?:te?mp|\w*_te?mp|te?mp(?:_\w+|dir)|\w*_te?mp_?dir|\w*_TE?MP(?:_?DIR)?|TE?MP_\w+)$/;

/** The directory that a leading `~` stands for, and how many characters of the word it consists of. */
function tildeOf(atoms: readonly Atom[], scope: ShellScope): { text: string; length: number } | undefined {
  if (!isBare(atoms[0], "~")) return undefined;
  let user = "";
  let length = 1;
  for (; length < atoms.length && !isBare(atoms[length], "/"); length += 1) {
    const atom = atoms[length];
    if (atom?.kind !== "character" || atom.isQuoted) return undefined;
    user += atom.text;
  }
  if (user === "") return { text: scope.home ?? UNKNOWN, length };
  if (user === "+") return { text: scope.cwd ?? UNKNOWN, length };
  return { text: user === "root" ? "/root" : `/home/${user}`, length };
}

function valueOf(part: Exclude<WordPart, { kind: "text" }>, scope: ShellScope): readonly string[] {
  switch (part.kind) {
    case "parameter": {
      const values = valueOfParameter(part.parameter, scope);
      return scope.spend(values.reduce((length, value) => length + value.length, 0)) ? values : [UNKNOWN];
    }
    case "command":
      return [scope.outputOf(part.script)];
    case "process":
      return [scope.fileFor(part.script)];
    case "arithmetic":
      expandToText(part.parts, scope);
      return [UNKNOWN];
  }
}

function valueOfParameter(parameter: Parameter, scope: ShellScope): readonly string[] {
  const { name, operator, subscript } = parameter;
  const argument = (): string => expandToText(parameter.argument, scope);
  const values = scope.valuesOf(name, subscript);
  switch (operator) {
    case "":
      return values ?? [UNKNOWN];
    case ":-":
    case "-":
    case ":=":
    case "=": {
      // A name that is not set here may still be set in the shell's startup files.
      if (values !== undefined && values.some((value) => value !== "")) return values;
      const value = [argument()];
      if (operator.endsWith("=")) scope.set(name, value);
      return value;
    }
    case ":+":
    case "+":
      return values === undefined || values.some((value) => value !== "") ? [argument()] : [];
    case "indirect":
      return scope.valuesOf(values?.join(" ") ?? "", undefined) ?? [UNKNOWN];
    case "length":
      return [UNKNOWN];
    case ":?":
    case "?":
      return values ?? unknownAfter(argument);
    default:
      return values === undefined ? unknownAfter(argument) : [transform(values.join(" "), operator, argument())];
  }
}

/** The argument is expanded nevertheless, since a substitution in it runs. */
function unknownAfter(argument: () => string): readonly string[] {
  argument();
  return [UNKNOWN];
}

function transform(value: string, operator: string, argument: string): string {
  if (value.includes(UNKNOWN) || argument.includes(UNKNOWN) || value.length * argument.length > MAX_CHANGED)
    return UNKNOWN;
  if (operator === ":") {
    const range = /^\s*(-?\d+)(?::\s*(-?\d+))?$/.exec(argument);
    if (range === null) return UNKNOWN;
    const start = Number(range[1]);
    const length = range[2] === undefined ? undefined : Number(range[2]);
    const from = start < 0 ? Math.max(0, value.length + start) : start;
    return length === undefined ? value.slice(from) : value.slice(from, length < 0 ? length : from + length);
  }
  if (operator === "^^") return value.toUpperCase();
  if (operator === ",,") return value.toLowerCase();
  if (operator === "/" || operator === "//") return replaceLiteral(value, operator, argument);
  if (/[*?[\]]/.test(argument)) return UNKNOWN;
  if (operator.startsWith("#")) return value.startsWith(argument) ? value.slice(argument.length) : value;
  if (operator.startsWith("%"))
    return value.endsWith(argument) ? value.slice(0, value.length - argument.length) : value;
  return UNKNOWN;
}

function replaceLiteral(value: string, operator: string, argument: string): string {
  const slash = argument.indexOf("/");
  const [pattern, replacement] = slash === -1 ? [argument, ""] : [argument.slice(0, slash), argument.slice(slash + 1)];
  if (pattern === "" || /[*?[\]]/.test(pattern)) return UNKNOWN;
  return operator === "//" ? value.replaceAll(pattern, () => replacement) : value.replace(pattern, () => replacement);
}
