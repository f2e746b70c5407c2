import { type Node, type ParseError, createScanner, parseTree, printParseErrorCode } from "jsonc-parser";

/** A JSON value with its position in the text. */
export type JsonNode = Node;

export interface JsonMember {
  readonly key: string;
  readonly value: JsonNode;
}

export type JsonDialect =
  /** As in JSON.parse. */
  | "json"
  /** With comments and trailing commas. */
  | "jsonc";

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(what: string, text: string, at: number) {
    const lines = text.slice(0, at).split(/\r\n|\n|\r/);
    super(`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${what}`);
  }
}

/** Parses a document; undefined if there is only whitespace. Throws a JsonSyntaxError with line and column. */
export function parseJsonTree(text: string, dialect: JsonDialect): JsonNode | undefined {
  const isStrict = dialect === "json";
  const options = { disallowComments: isStrict, allowTrailingComma: !isStrict, allowEmptyContent: true };
  const errors: ParseError[] = [];
  // A byte order mark is preserved by edits, and is not part of the document.
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, options);
  const [error] = errors;
  if (error === undefined) return root;
  // `CommaExpected` and the like.
  const what = printParseErrorCode(error.error).replaceAll(/\B[A-Z]/g, " $&");
  throw new JsonSyntaxError(what.toLowerCase(), text, error.offset);
}

/** Skips whitespace and comments. Returns the position after them. */
export function skipTrivia(text: string, from: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The position after the last character of a value or a member. */
export function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

/** The members of an object, in the order of the text; none for another value. */
export function membersOf(node: JsonNode | undefined): readonly JsonMember[] {
  if (node?.type !== "object") return [];
  return elementsOf(node).flatMap(({ children: [key, value] = [] }) =>
    value === undefined ? [] : [{ key: String(key?.value), value }],
  );
}

/** The elements of an array, or an object's members as nodes. */
export function elementsOf(node: JsonNode): readonly JsonNode[] {
  return node.children ?? [];
}

/** The value of a key; if the key occurs more than once, the last one. */
export function valueOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => member.key === key)?.value;
}
