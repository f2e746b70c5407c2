import { parseQuery } from "./query-language.ts";

/**
 * The expressions in the filters of `.base` files, as conditions of queries: comparisons with texts, numbers, `true`, `false` and days,
 * methods that look for parts of a value, `&&`, `||`, `!` and parentheses.
 */

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{M}\p{N}_]*)|(&&|\|\||==|!=|<=|>=|[-+!<>().,[\]]))/uy;
const MAX_TOKENS = 400;
const MAX_DEPTH = 20;

/** The fields of files, as queries name them. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  name: "name",
  basename: "name",
  file: "title",
  path: "path",
  folder: "folder",
  ctime: "created",
  mtime: "modified",
  size: "size",
  tags: "tags",
  links: "links",
};
const PROPERTY_NAME = /^[^\s"'“”„#,()=!<>+:]+$/u;

interface Token {
  readonly kind: "text" | "number" | "name" | "sign";
  readonly text: string;
}

class UnknownExpression extends Error {
  override readonly name = "UnknownExpression";
}

/** A condition in the language of queries; empty if every note fulfils it, and null if it cannot be asked for. */
export function baseCondition(expression: string): string | null {
  const tokens = tokensOf(expression);
  if (tokens === null) return null;
  const reader = new ExpressionReader(tokens);
  try {
    const condition = reader.readAll();
    // Queries do not compare everything: a name, for example, is not less than a text.
    return condition === "" || "query" in parseQuery(`where ${condition}`) ? condition : null;
  } catch (error) {
    if (error instanceof UnknownExpression) return null;
    throw error;
  }
}

/** The name of a field of a base, such as `file.name` or `note.rating`, in a query; null if queries have none. */
export function queryName(written: string): string | null {
  if (written.startsWith("file.")) {
    const field = written.slice("file.".length);
    return Object.hasOwn(FILE_FIELDS, field) && field !== "links" ? (FILE_FIELDS[field] ?? null) : null;
  }
  if (written.startsWith("formula.") || written.startsWith("this.")) return null;
  return propertyName(written.replace(/^note\./, ""));
}

function propertyName(name: string): string | null {
  if (name === "" || name.includes('"') || /\s{2}|\n/.test(name)) return null;
  return PROPERTY_NAME.test(name) ? `property.${name}` : `"property.${name}"`;
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (const end = text.trimEnd().length; TOKEN.lastIndex < end;) {
    const [all, double, single, number, name, sign] = TOKEN.exec(text) ?? [];
    if (all === undefined || tokens.length > MAX_TOKENS) return null;
    const quoted = double ?? single;
    if (quoted !== undefined) tokens.push({ kind: "text", text: quoted.replaceAll(/\\(.)/g, "$1") });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign ?? "" });
  }
  return tokens;
}

class ExpressionReader {
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readAll(): string {
    const condition = this.#readAny(0);
    if (this.#index < this.#tokens.length) throw new UnknownExpression();
    return condition;
  }

  #readAny(depth: number): string {
    const parts = [this.#readEvery(depth)];
    while (this.#takes("||")) parts.push(this.#readEvery(depth));
    if (parts.includes("")) return "";
    return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" or ")})`;
  }

  #readEvery(depth: number): string {
    const parts = [this.#readOne(depth)];
    while (this.#takes("&&")) parts.push(this.#readOne(depth));
    return parts.filter((part) => part !== "").join(" and ");
  }

  #readOne(depth: number): string {
    if (depth > MAX_DEPTH) throw new UnknownExpression();
    if (this.#takes("!")) {
      const inner = this.#readOne(depth + 1);
      if (inner === "") throw new UnknownExpression();
      return `not (${inner})`;
    }
    if (this.#takes("(")) {
      const inner = this.#readAny(depth + 1);
      this.#expect(")");
      return inner === "" ? "" : `(${inner})`;
    }
    return this.#readComparison();
  }

  #readComparison(): string {
    const path = this.#readPath();
    const method = path.at(-1) ?? "";
    if (this.#takes("(")) return callOf(path.slice(0, -1), method, this.#readArguments());
    const operator = ["==", "!=", "<=", ">=", "<", ">"].find((sign) => this.#takes(sign));
    if (path.join(".") === "file.ext") return this.#readExtension(operator);
    const name = this.#nameOf(path);
    // Here a folder stands for everything below it.
    if (name === "folder" && operator !== undefined) throw new UnknownExpression();
    if (operator === undefined)
      return name === "links" ? "links is not empty" : `${name} is not empty and not ${name} = false`;
    return `${name} ${operator === "==" ? "=" : operator} ${this.#readValue()}`;
  }

  /** Only Markdown files are notes. */
  #readExtension(operator: string | undefined): string {
    const value = this.#next();
    if (operator !== "==" || value.kind !== "text" || value.text !== "md") throw new UnknownExpression();
    return "";
  }

  /** `file.name`, `note.rating`, `note["due date"]`. */
  #readPath(): string[] {
    const first = this.#next();
    if (first.kind !== "name") throw new UnknownExpression();
    const path = [first.text];
    for (;;) {
      if (this.#takes(".")) {
        const name = this.#next();
        if (name.kind !== "name") throw new UnknownExpression();
        path.push(name.text);
      } else if (this.#takes("[")) {
        const name = this.#next();
        if (name.kind !== "text") throw new UnknownExpression();
        path.push(name.text);
        this.#expect("]");
      } else return path;
    }
  }

  #nameOf(path: readonly string[]): string {
    const name = path.join(".") === "file.links" ? "links" : queryName(path.join("."));
    if (name === null) throw new UnknownExpression();
    return name;
  }

  #readArguments(): string[] {
    const values: string[] = [];
    while (!this.#takes(")")) {
      if (values.length > 0) this.#expect(",");
      values.push(this.#readValue());
    }
    return values;
  }

  /** A text, a number, `true`, a link, or a day such as `today() - "1 week"`. */
  #readValue(): string {
    const token = this.#next();
    if (token.kind === "text") return quoted(token.text);
    if (token.kind === "number") return token.text;
    if (token.kind === "sign" && token.text === "-" && this.#peek()?.kind === "number") return `-${this.#next().text}`;
    if (token.text === "true" || token.text === "false") return token.text;
    if (token.kind !== "name" || !this.#takes("(")) throw new UnknownExpression();
    if (token.text === "link" || token.text === "date") {
      const value = this.#next();
      if (value.kind !== "text") throw new UnknownExpression();
      this.#expect(")");
      if (token.text === "link") return quoted(value.text);
      if (!/^\d{4}-\d{2}-\d{2}$/.test(value.text)) throw new UnknownExpression();
      return value.text;
    }
    if (token.text !== "today" && token.text !== "now") throw new UnknownExpression();
    this.#expect(")");
    const sign = ["+", "-"].find((one) => this.#takes(one));
    return sign === undefined ? "today" : `today ${sign} ${durationOf(this.#next())}`;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#index];
  }

  #next(): Token {
    const token = this.#peek();
    if (token === undefined) throw new UnknownExpression();
    this.#index += 1;
    return token;
  }

  #takes(sign: string): boolean {
    const token = this.#peek();
    const isNext = token?.kind === "sign" && token.text === sign;
    if (isNext) this.#index += 1;
    return isNext;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw new UnknownExpression();
  }
}

/** A call such as `file.hasTag("book")`. */
function callOf(subject: readonly string[], method: string, values: readonly string[]): string {
  if (subject.join(".") === "file") {
    const field = { hasTag: "tags", inFolder: "folder", hasLink: "links" }[method];
    if (field !== undefined && values.length > 0) return anyOf(values.map((value) => `${field} = ${value}`));
    const [property = ""] = values;
    const name = method === "hasProperty" && property.startsWith('"') ? propertyName(property.slice(1, -1)) : null;
    if (name !== null) return `${name} is not empty`;
    throw new UnknownExpression();
  }
  const name = queryName(subject.join("."));
  if (name === null) throw new UnknownExpression();
  if (method === "isEmpty" && values.length === 0) return `${name} is empty`;
  const operator = {
    contains: "contains",
    containsAny: "contains",
    containsAll: "contains",
    startsWith: "begins with",
  }[method];
  if (operator === undefined || values.length === 0 || !values.every((value) => value.startsWith('"')))
    throw new UnknownExpression();
  const parts = values.map((value) => (name === "tags" ? `tags = ${value}` : `${name} ${operator} ${value}`));
  return method === "containsAll" ? parts.join(" and ") : anyOf(parts);
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" or ")})`;
}

/** A text in a query has no escapes. */
function quoted(text: string): string {
  if (text.includes('"') || text.includes("\n")) throw new UnknownExpression();
  return `"${text}"`;
}

function durationOf({ kind, text }: Token): string {
  const [, count, unit] = /^(\d{1,4})\s*(d|days?|w|weeks?|M|months?|y|years?)$/.exec(text) ?? [];
  if (kind !== "text" || count === undefined || unit === undefined) throw new UnknownExpression();
  return `${count}${unit === "M" ? "m" : unit.charAt(0)}`;
}
