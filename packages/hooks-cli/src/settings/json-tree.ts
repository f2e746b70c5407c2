import { Cursor } from "../text/cursor.ts";

/** A JSON value with the place where it stands in the text. `end` is the position after its last character. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}

export interface JsonArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalarNode extends Span {
  readonly kind: "scalar";
  readonly value: unknown;
}

/** A key with its value; `start` is where the key begins. */
export interface JsonMember extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

export type JsonDialect =
  /** As JSON.parse has it. */
  | "json"
  /** With comments and commas after the last element. */
  | "jsonc";

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(what: string, text: string, at: number) {
    const lines = text.slice(0, at).split(/\r\n|\n|\r/);
    super(`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${what}`);
  }
}

const MAX_DEPTH = 500;
const BLANKS = /[ \t\r\n]*/y;
const BLANKS_AND_COMMENTS = /(?:[ \t\r\n]+|\/\/[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING_START = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*/y;

/** Parses a document; undefined where there is nothing but blanks. Throws a JsonSyntaxError with line and column. */
export function parseJsonTree(text: string, dialect: JsonDialect): JsonNode | undefined {
  const cursor = new Cursor(text);
  // A byte order mark is kept by whoever edits the text, and is no part of the document.
  cursor.take("\uFEFF");
  skip(cursor, dialect);
  if (cursor.isAtEnd) return undefined;
  const node = readValue(cursor, dialect, 0);
  skip(cursor, dialect);
  if (!cursor.isAtEnd) fail(cursor, "something after the end of the document");
  return node;
}

/** Steps over blanks, and over comments where the dialect has them. Answers the position after them. */
export function skipTrivia(text: string, from: number, dialect: JsonDialect): number {
  const trivia = dialect === "json" ? BLANKS : BLANKS_AND_COMMENTS;
  trivia.lastIndex = from;
  trivia.exec(text);
  return trivia.lastIndex;
}

function skip(cursor: Cursor, dialect: JsonDialect): void {
  cursor.at = skipTrivia(cursor.text, cursor.at, dialect);
}

function fail(cursor: Cursor, what: string): never {
  const isComment = /\/[/*]/.test(cursor.peek() + cursor.peek(1));
  const why = cursor.isAtEnd
    ? "the document ends too early"
    : isComment
      ? "a comment that is never closed, or that this file must not have"
      : what;
  throw new JsonSyntaxError(why, cursor.text, cursor.at);
}

function readValue(cursor: Cursor, dialect: JsonDialect, depth: number): JsonNode {
  const start = cursor.at;
  if (depth > MAX_DEPTH) fail(cursor, "values are nested too deeply");
  if (cursor.take("{")) {
    const members: JsonMember[] = [];
    readElements(cursor, dialect, "}", () => members.push(readMember(cursor, dialect, depth)));
    return { kind: "object", members, start, end: cursor.at };
  }
  if (cursor.take("[")) {
    const items: JsonNode[] = [];
    readElements(cursor, dialect, "]", () => items.push(readValue(cursor, dialect, depth + 1)));
    return { kind: "array", items, start, end: cursor.at };
  }
  const scalar = cursor.peek() === '"' ? readString(cursor) : cursor.match(SCALAR);
  if (scalar === undefined) fail(cursor, "expected a value");
  const value: unknown = JSON.parse(scalar);
  return { kind: "scalar", value, start, end: cursor.at };
}

/** The text with its quotes, as it stands there. */
function readString(cursor: Cursor): string {
  const start = cursor.at;
  cursor.match(STRING_START);
  if (!cursor.take('"')) fail(cursor, "a text that is never closed, or has a character in it that must be escaped");
  return cursor.text.slice(start, cursor.at);
}

function readMember(cursor: Cursor, dialect: JsonDialect, depth: number): JsonMember {
  const start = cursor.at;
  if (cursor.peek() !== '"') fail(cursor, "expected a key in double quotes");
  const key = String(JSON.parse(readString(cursor)));
  skip(cursor, dialect);
  if (!cursor.take(":")) fail(cursor, "expected a colon");
  skip(cursor, dialect);
  const value = readValue(cursor, dialect, depth + 1);
  return { key, value, start, end: value.end };
}

/** After the opening bracket: elements with commas between them, up to and with the closing one. */
function readElements(cursor: Cursor, dialect: JsonDialect, close: string, readElement: () => void): void {
  for (let isFirst = true; ; isFirst = false) {
    skip(cursor, dialect);
    const isClosed = cursor.peek() === close;
    if (isClosed && !isFirst && dialect === "json") fail(cursor, "a comma before a closing bracket");
    if (!isClosed) {
      readElement();
      skip(cursor, dialect);
    }
    if (cursor.take(close)) return;
    if (!cursor.take(",")) fail(cursor, "expected a comma");
  }
}

/** The member that counts where a key occurs more than once: the last. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}
