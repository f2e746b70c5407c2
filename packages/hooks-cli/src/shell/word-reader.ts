import { readAnsiQuoted } from "./ansi-quote.ts";
import type { ScriptCursor } from "./script-cursor.ts";
import type { Parameter, WordPart } from "./shell-token.ts";

const WORD_END = new Set([" ", "\t", "\n", "\r", ";", "&", "|", "<", ">", "(", ")"]);
const NAME = /[A-Za-z_][0-9A-Za-z_]*/y;
const PLAIN = /[^\s;&|<>()'"`$\\]+/y;
const PLAIN_IN_QUOTES = /[^"`$\\]+/y;
const PLAIN_IN_BRACES = /[^'"`$\\}]+/y;
const OPERATOR = /:?[-=+?]|##?|%%?|\/[/#%]?|\^\^?|,,?|@|:/y;

/** `${#name}` is a length, `${!name}` the value of the variable that it names. */
const PREFIX_OPERATORS: Readonly<Record<string, string>> = { "#": "length", "!": "indirect" };
const NO_PARAMETER: Parameter = { name: "", operator: "", argument: [], subscript: undefined };
/**
 * A longer text is not read as an arithmetic expression; without a limit, a text full of openings would take forever.
 */
const MAX_BALANCED_LENGTH = 4_000;

/** Reads one unquoted word, up to whitespace or an operator. Returns no parts if there is no word. */
export function readWordParts(cursor: ScriptCursor): readonly WordPart[] {
  const parts: WordPart[] = [];
  while (!cursor.isAtEnd) {
    const plain = cursor.match(PLAIN);
    if (plain !== undefined) {
      parts.push({ kind: "text", text: plain, isQuoted: false });
      continue;
    }
    const character = cursor.peek();
    if ((character === "<" || character === ">") && cursor.peek(1) === "(") {
      cursor.at += 2;
      parts.push({ kind: "process", script: readScript(cursor) });
      continue;
    }
    if (WORD_END.has(character)) break;
    if (cursor.take("\\\n")) continue;
    readSpecial(cursor, parts);
  }
  return parts;
}

/** The parts of a text in which only `$`, backticks and backslashes are special: in double quotes and here-documents. */
export function readQuotedParts(cursor: ScriptCursor, end: '"' | ""): readonly WordPart[] {
  const parts: WordPart[] = [];
  while (!cursor.isAtEnd) {
    const plain = cursor.match(end === "" ? /[^`$\\]+/y : PLAIN_IN_QUOTES);
    if (plain !== undefined) {
      parts.push({ kind: "text", text: plain, isQuoted: true });
    } else if (end !== "" && cursor.take(end)) {
      return parts;
    } else if (cursor.peek() === "\\") {
      parts.push({ kind: "text", text: readQuotedEscape(cursor), isQuoted: true });
    } else {
      readExpansion(cursor, parts, true);
    }
  }
  if (end !== "") cursor.fail("unclosed double quote");
  return parts;
}

function readSpecial(cursor: ScriptCursor, parts: WordPart[]): void {
  switch (cursor.peek()) {
    case "'":
      parts.push({ kind: "text", text: readSingleQuoted(cursor), isQuoted: true });
      return;
    case '"':
      cursor.at += 1;
      pushQuoted(parts, readQuotedParts(cursor, '"'));
      return;
    case "\\":
      cursor.at += 1;
      parts.push({ kind: "text", text: cursor.next(), isQuoted: true });
      return;
    default:
      readExpansion(cursor, parts, false);
  }
}

/** Empty quotes are a word too: `""` is an empty argument. */
function pushQuoted(parts: WordPart[], quoted: readonly WordPart[]): void {
  if (quoted.length === 0) parts.push({ kind: "text", text: "", isQuoted: true });
  parts.push(...quoted);
}

function readSingleQuoted(cursor: ScriptCursor): string {
  const start = cursor.at + 1;
  const end = cursor.text.indexOf("'", start);
  if (end === -1) cursor.fail("unclosed single quote");
  cursor.at = end === -1 ? cursor.text.length : end + 1;
  return cursor.text.slice(start, end === -1 ? undefined : end);
}

function readQuotedEscape(cursor: ScriptCursor): string {
  const escaped = cursor.peek(1);
  cursor.at += 2;
  if (escaped === "\n") return "";
  return '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
}

/** At `$` or a backtick. Anything that is not an expansion is text. */
function readExpansion(cursor: ScriptCursor, parts: WordPart[], isQuoted: boolean): void {
  if (!cursor.takeToken()) return;
  if (cursor.take("`")) {
    parts.push({ kind: "command", script: readBackticks(cursor), isQuoted });
    return;
  }
  if (!cursor.take("$")) {
    parts.push({ kind: "text", text: cursor.next(), isQuoted });
    return;
  }
  if (cursor.startsWith("((")) return readArithmetic(cursor, parts, isQuoted);
  if (cursor.take("(")) {
    parts.push({ kind: "command", script: readScript(cursor), isQuoted });
    return;
  }
  if (cursor.take("{")) {
    parts.push({
      kind: "parameter",
      parameter: cursor.nested(() => readBracedParameter(cursor), NO_PARAMETER),
      isQuoted,
    });
    return;
  }
  if (!isQuoted && cursor.take("'")) {
    parts.push({ kind: "text", text: readAnsiQuoted(cursor), isQuoted: true });
    return;
  }
  if (!isQuoted && cursor.take('"')) return pushQuoted(parts, readQuotedParts(cursor, '"'));
  const name = cursor.match(NAME) ?? cursor.match(/[0-9@*#?$!_-]/y);
  parts.push(
    name === undefined
      ? { kind: "text", text: "$", isQuoted }
      : { kind: "parameter", parameter: { name, operator: "", argument: [], subscript: undefined }, isQuoted },
  );
}

function readBackticks(cursor: ScriptCursor): string {
  let script = "";
  while (!cursor.isAtEnd) {
    const character = cursor.next();
    if (character === "`") return script;
    const isEscape = character === "\\" && /[`\\$]/.test(cursor.peek());
    script += isEscape ? cursor.next() : character;
  }
  cursor.fail("unclosed backtick");
  return script;
}

/** After an opening parenthesis: the source of the script up to the matching closing one. */
export function readScript(cursor: ScriptCursor): string {
  const start = cursor.at;
  cursor.nested(() => cursor.skipScript(cursor), undefined);
  const script = cursor.text.slice(start, cursor.at);
  if (!cursor.take(")")) cursor.fail("unclosed parenthesis");
  return script;
}

function readArithmetic(cursor: ScriptCursor, parts: WordPart[], isQuoted: boolean): void {
  const start = cursor.at;
  const inner = readBalanced(cursor);
  if (inner?.startsWith("(") === true && inner.endsWith(")")) {
    parts.push({ kind: "arithmetic", parts: readQuotedParts(cursor.within(inner.slice(1, -1)), "") });
    return;
  }
  // `$((a); b)` is a command substitution that starts with a subshell.
  cursor.at = start + 1;
  parts.push({ kind: "command", script: readScript(cursor), isQuoted });
}

/** At an opening parenthesis: the text up to its matching one, found by counting only. */
export function readBalanced(cursor: ScriptCursor): string | undefined {
  const start = cursor.at + 1;
  const end = Math.min(cursor.text.length, start + MAX_BALANCED_LENGTH);
  let depth = 0;
  for (let at = cursor.at; at < end; at += 1) {
    const character = cursor.text.charAt(at);
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) {
      cursor.at = at + 1;
      return cursor.text.slice(start, at);
    }
  }
  return undefined;
}

/** After `${`, up to and including the closing brace. */
function readBracedParameter(cursor: ScriptCursor): Parameter {
  const prefix = cursor.match(/[!#](?=[A-Za-z_0-9@*])/y) ?? "";
  const name = cursor.match(NAME) ?? cursor.match(/[0-9]+|[@*#?$!-]/y) ?? "";
  const subscript = cursor.peek() === "[" ? readSubscript(cursor) : undefined;
  const operator = PREFIX_OPERATORS[prefix] ?? cursor.match(OPERATOR) ?? "";
  const argument: WordPart[] = [];
  while (!cursor.isAtEnd && cursor.peek() !== "}") {
    const plain = cursor.match(PLAIN_IN_BRACES);
    if (plain === undefined) readSpecial(cursor, argument);
    else argument.push({ kind: "text", text: plain, isQuoted: false });
  }
  if (!cursor.take("}")) cursor.fail("unclosed brace");
  return { name, operator, argument, subscript };
}

function readSubscript(cursor: ScriptCursor): string {
  const end = cursor.text.indexOf("]", cursor.at);
  const subscript = cursor.text.slice(cursor.at + 1, end === -1 ? undefined : end);
  cursor.at = end === -1 ? cursor.text.length : end + 1;
  return subscript;
}
