import { assertBounded, conditionOf, filterFromJson } from "./filter-values.ts";
import {
  FILTER_FIELDS,
  FilterError,
  isCondition,
  isFilterField,
  joinFilters,
  MAX_CONDITIONS,
  MAX_FILTER_CHARACTERS,
  MAX_FILTER_DEPTH,
  type Condition,
  type FilterOp,
  type TaskFilter,
} from "./task-filter.ts";

type Token =
  | { readonly kind: "(" | ")" | "," | "-" | "end"; readonly at: number }
  | { readonly kind: "op"; readonly text: string; readonly at: number }
  | { readonly kind: "word" | "quoted"; readonly text: string; readonly at: number };

// A minus negates at the beginning of a word; within one, and after an operator, it is part of it.
const TOKEN = /\s*(?:([(),])|(<=|>=|!=|[:=<>])|"((?:[^"\\]|\\.)*)"|(-(?=[("a-z]))|([^\s(),:=<>!"]+|!))/giy;
const OPS: Readonly<Record<string, FilterOp>> = { "<": "<", "<=": "<=", ">": ">", ">=": ">=" };
const PLAIN_VALUE = /^[^\s(),:=<>!"-][^\s(),:=<>!"]*$/;
const KEYWORDS = new Set(["and", "or", "not"]);

/**
 * Reads a filter such as `status:todo,blocked and (priority:high or due:overdue) and not tag:waiting`, or its JSON form. Words
 * that name no field are looked for in the text of the task; "and" may be omitted. Null if it is empty. Throws
 * {@link FilterError}.
 */
export function parseFilter(text: string): TaskFilter | null {
  if (text.length > MAX_FILTER_CHARACTERS)
    throw new FilterError(`a filter has at most ${MAX_FILTER_CHARACTERS} characters`);
  if (text.trim() === "") return null;
  if (text.trimStart().startsWith("{")) return filterFromJson(parseJson(text));
  const reader = new FilterReader(tokensOf(text));
  const filter = reader.readAny(0);
  reader.expectEnd();
  return assertBounded(filter);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FilterError("the JSON is not valid");
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = text.trimEnd().length; TOKEN.lastIndex < end;) {
    const start = TOKEN.lastIndex;
    const [all, mark, op, quoted, minus, word] = TOKEN.exec(text) ?? [];
    if (all === undefined) {
      const at = start + (/\S/.exec(text.slice(start))?.index ?? 0);
      throw new FilterError(text[at] === '"' ? "a quotation mark is not closed" : "cannot be read", at);
    }
    const at = start + all.length - all.trimStart().length;
    const last = tokens.at(-1);
    if (mark === "(" || mark === ")" || mark === ",") tokens.push({ kind: mark, at });
    else if (op !== undefined) tokens.push({ kind: "op", text: op, at });
    else if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted.replaceAll(/\\(.)/g, "$1"), at });
    else if (word !== undefined) tokens.push({ kind: "word", text: word, at });
    else if (minus !== undefined && (last?.kind === "op" || last?.kind === ","))
      throw new FilterError("a value that begins with a minus needs quotation marks", at);
    else tokens.push({ kind: "-", at });
  }
  tokens.push({ kind: "end", at: text.length });
  return tokens;
}

class FilterReader {
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  #peek(): Token {
    return this.#tokens[this.#index] ?? { kind: "end", at: 0 };
  }

  expectEnd(): void {
    if (this.#peek().kind === ")")
      throw new FilterError("a parenthesis is closed that was not opened", this.#peek().at);
    if (this.#peek().kind !== "end") throw new FilterError("cannot be read", this.#peek().at);
  }

  readAny(depth: number): TaskFilter {
    const parts = [this.#readAll(depth)];
    while (this.#takesWord("or")) parts.push(this.#readAll(depth));
    return joinFilters("or", parts);
  }

  #readAll(depth: number): TaskFilter {
    const parts = [this.#readOne(depth)];
    for (;;) {
      const hasAnd = this.#takesWord("and");
      if (!hasAnd && (this.#peek().kind === "end" || this.#peek().kind === ")" || this.#isWord("or"))) break;
      parts.push(this.#readOne(depth));
      if (parts.length > MAX_CONDITIONS) throw new FilterError(`more than ${MAX_CONDITIONS} conditions`);
    }
    return joinFilters("and", parts);
  }

  #readOne(depth: number): TaskFilter {
    if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`, this.#peek().at);
    if (this.#peek().kind === "-" || this.#isWord("not")) {
      this.#index += 1;
      return { not: this.#readOne(depth + 1) };
    }
    if (this.#peek().kind === "(") {
      const { at } = this.#peek();
      this.#index += 1;
      const inner = this.readAny(depth + 1);
      if (this.#peek().kind !== ")") throw new FilterError("a parenthesis is not closed", at);
      this.#index += 1;
      return inner;
    }
    return this.#readCondition();
  }

  #readCondition(): TaskFilter {
    const token = this.#peek();
    if (token.kind !== "word" && token.kind !== "quoted")
      throw new FilterError("a condition is missing, such as status:todo", token.at);
    this.#index += 1;
    const operator = this.#peek();
    if (operator.kind !== "op") {
      if (token.kind === "word" && KEYWORDS.has(token.text.toLowerCase()))
        throw new FilterError(`a condition is missing after “${token.text}”`, token.at);
      return conditionOf("text", "is", [token.text], token.at);
    }
    const field = token.text.toLowerCase();
    if (token.kind === "quoted" || !isFilterField(field))
      throw new FilterError(`“${token.text}” is no field; there are ${FILTER_FIELDS.join(", ")}`, token.at);
    this.#index += 1;
    const values = [this.#readValue()];
    while (this.#peek().kind === ",") {
      this.#index += 1;
      values.push(this.#readValue());
    }
    const condition = conditionOf(field, OPS[operator.text] ?? "is", values, token.at);
    return operator.text === "!=" ? { not: condition } : condition;
  }

  #readValue(): string {
    const token = this.#peek();
    if (token.kind !== "word" && token.kind !== "quoted") throw new FilterError("a value is missing", token.at);
    this.#index += 1;
    return token.text;
  }

  #isWord(word: string): boolean {
    const token = this.#peek();
    return token.kind === "word" && token.text.toLowerCase() === word && this.#tokens[this.#index + 1]?.kind !== "op";
  }

  #takesWord(word: string): boolean {
    const isWord = this.#isWord(word);
    if (isWord) this.#index += 1;
    return isWord;
  }
}

/** The filter as text, which {@link parseFilter} reads as the same filter. */
export function printFilter(filter: TaskFilter | null): string {
  return filter === null ? "" : print(filter, "or");
}

/** `inside` is what the text is joined by, which decides about parentheses. */
function print(filter: TaskFilter, inside: "or" | "and" | "not"): string {
  if ("or" in filter) {
    const text = filter.or.map((part) => print(part, "and")).join(" or ");
    return inside === "or" ? text : `(${text})`;
  }
  if ("and" in filter) {
    const text = filter.and.map((part) => print(part, "not")).join(" and ");
    return inside === "not" ? `(${text})` : text;
  }
  if (!isCondition(filter)) return `not ${print(filter.not, "not")}`;
  return printCondition(filter);
}

const PRIORITY_NAMES: Readonly<Record<string, string>> = { 1: "low", 2: "medium", 3: "high" };

function printCondition({ field, op, values }: Condition): string {
  const names = field === "priority" ? values.map((value) => PRIORITY_NAMES[value] ?? value) : values;
  return `${field}${op === "is" ? ":" : ` ${op} `}${names.map(printValue).join(",")}`;
}

function printValue(value: string): string {
  return /^-\d+[dw]$/.test(value) || PLAIN_VALUE.test(value) ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
