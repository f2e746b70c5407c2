import { takePeriod, yearPeriod, type Period } from "./query-dates.ts";
import { CHOICES, fieldNames, findField, type Field, type QuerySource } from "./query-fields.ts";
import { QueryError, type Token, type TokenReader } from "./query-tokens.ts";

export type QueryValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  | { readonly kind: "period"; readonly period: Period };

/** `has` and `begins` look for a part of a text. */
export type Operator = "=" | "<" | "<=" | ">" | ">=" | "has" | "begins";

export type Condition =
  | { readonly kind: "all" | "any"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | { readonly kind: "empty"; readonly field: Field }
  /** That the field is set, and not to `false`. */
  | { readonly kind: "set"; readonly field: Field }
  | { readonly kind: "compare"; readonly field: Field; readonly operator: Operator; readonly value: QueryValue };

const MAX_CONDITIONS = 50;
const MAX_DEPTH = 20;
const ORDERING: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const EXAMPLES: Readonly<Record<QuerySource, string>> = {
  notes: "#book and rating >= 4",
  tasks: "due <= today and status != done",
};

/** Reads what follows `where`: comparisons joined by `and`, `or`, `not` and parentheses. Throws {@link QueryError}. */
export function readCondition(reader: TokenReader, source: QuerySource, today: string): Condition {
  let count = 0;

  function readAny(depth: number): Condition {
    if (depth > MAX_DEPTH) throw new QueryError(reader.peek(), `Parentheses are at most ${MAX_DEPTH} deep.`);
    const parts = [readAll(depth)];
    while (reader.take("or")) parts.push(readAll(depth));
    return joined("any", parts);
  }

  function readAll(depth: number): Condition {
    const parts = [readOne(depth)];
    while (reader.take("and")) parts.push(readOne(depth));
    return joined("all", parts);
  }

  function readOne(depth: number): Condition {
    if (reader.take("not")) {
      if (depth > MAX_DEPTH) throw new QueryError(reader.peek(), `Conditions are at most ${MAX_DEPTH} deep.`);
      return { kind: "not", part: readOne(depth + 1) };
    }
    if (reader.take("(")) {
      const condition = readAny(depth + 1);
      if (reader.take(")")) return condition;
      throw new QueryError(reader.peek(), "A closing parenthesis is missing.");
    }
    count += 1;
    if (count > MAX_CONDITIONS)
      throw new QueryError(reader.peek(), `A query has at most ${MAX_CONDITIONS} conditions.`);
    return readComparison(reader, source, today);
  }

  return readAny(0);
}

function joined(kind: "all" | "any", parts: readonly Condition[]): Condition {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { kind, parts };
}

function readComparison(reader: TokenReader, source: QuerySource, today: string): Condition {
  const token = reader.next();
  if (token.kind === "tag") return tagged(token.text);
  if (token.kind !== "word" && token.kind !== "text") {
    const what = token.kind === "end" ? "A condition is missing." : `“${token.text}” is not expected here.`;
    throw new QueryError(token, what, `For example: where ${EXAMPLES[source]}`);
  }
  const field = findField(source, token.text);
  if (field === null) {
    const hint = `They have ${fieldNames(source).join(", ")}.`;
    throw new QueryError(token, `Tasks have no field “${token.text}”.`, hint);
  }
  const isNot = reader.take("not");
  const condition = readOperator(reader, field, today);
  if (condition !== null) return isNot ? { kind: "not", part: condition } : condition;
  if (isNot || token.kind === "text") {
    throw new QueryError(reader.peek(), "An operator is missing.", "Write =, !=, <, >, contains, in or is empty.");
  }
  return { kind: "set", field };
}

/** The comparison that follows a field; null if none does. */
function readOperator(reader: TokenReader, field: Field, today: string): Condition | null {
  const at = reader.peek();
  if (reader.take("is")) {
    const isNot = reader.take("not");
    const condition: Condition = reader.take("empty")
      ? { kind: "empty", field }
      : compare(at, { field, operator: "=", value: readValue(reader, field, today) });
    return isNot ? { kind: "not", part: condition } : condition;
  }
  if (reader.take("in")) return readChoice(reader, field, today);
  if (reader.take("!=")) {
    return { kind: "not", part: compare(at, { field, operator: "=", value: readValue(reader, field, today) }) };
  }
  const operator = takeOperator(reader);
  if (operator === null) return null;
  const isPart = operator === "has" || operator === "begins";
  return compare(at, { field, operator, value: isPart ? readText(reader) : readValue(reader, field, today) });
}

function takeOperator(reader: TokenReader): Operator | null {
  if (reader.take("contains") || reader.take("has")) return "has";
  if (reader.take("starts", "with") || reader.take("begins", "with")) return "begins";
  if (reader.take("=") || reader.take("==") || reader.take(":")) return "=";
  for (const operator of ["<=", ">=", "<", ">"] as const) if (reader.take(operator)) return operator;
  return null;
}

function readChoice(reader: TokenReader, field: Field, today: string): Condition {
  const at = reader.peek();
  const read = (): Condition => compare(at, { field, operator: "=", value: readValue(reader, field, today) });
  if (!reader.take("(")) return read();
  const parts = reader.list(read);
  if (!reader.take(")")) throw new QueryError(reader.peek(), "A closing parenthesis is missing.");
  if (parts.length > MAX_CONDITIONS) throw new QueryError(at, `A list has at most ${MAX_CONDITIONS} values.`);
  return joined("any", parts);
}

/** Throws if the operator does not suit the field. */
function compare(
  at: Token,
  comparison: Omit<Extract<Condition, { kind: "compare" }>, "kind">,
): Extract<Condition, { kind: "compare" }> {
  const { field, operator } = comparison;
  const isOrdering = ORDERING.has(operator);
  const isPart = operator === "has" || operator === "begins";
  const { kind } = field;
  const hasOrder = kind === "date" || kind === "number" || kind === "property" || field.name === "priority";
  const hasParts = kind === "text" || kind === "folder" || kind === "tag" || kind === "property";
  if ((isOrdering && !hasOrder) || (isPart && !hasParts) || (field.name === "text" && !isPart)) {
    const hint = hasParts ? "Use = or contains." : "Use =, <, <=, > or >=.";
    throw new QueryError(at, `${field.label} cannot be compared with “${at.text}”.`, hint);
  }
  return { kind: "compare", ...comparison };
}

function tagged(text: string): Condition {
  const field: Field = { name: "tags", kind: "tag", label: "tags" };
  return { kind: "compare", field, operator: "=", value: { kind: "text", text } };
}

function readValue(reader: TokenReader, field: Field, today: string): QueryValue {
  if (field.kind === "date") return { kind: "period", period: readPeriod(reader, field, today) };
  if (field.kind === "number") return { kind: "number", number: readNumber(reader, field) };
  if (field.kind === "choice") return readChosen(reader, field);
  if (field.kind === "boolean") return { kind: "boolean", boolean: readBoolean(reader, field) };
  if (field.kind === "property" && reader.peek().kind !== "text") {
    const period = takePeriod(reader, today);
    if (period !== null) return { kind: "period", period };
    const { kind, text } = reader.peek();
    const number = kind === "word" ? toNumber(text) : null;
    const boolean = kind === "word" ? toBoolean(text) : null;
    if (number !== null || boolean !== null) reader.next();
    if (number !== null) return { kind: "number", number };
    if (boolean !== null) return { kind: "boolean", boolean };
  }
  return readText(reader);
}

/** A text in quotation marks, a tag, or words up to the next operator or `and`. */
function readText(reader: TokenReader): QueryValue {
  const first = reader.peek();
  if (first.kind === "text" || first.kind === "tag") {
    reader.next();
    return { kind: "text", text: first.text };
  }
  const words: string[] = [];
  while (reader.peek().kind === "word" && !/^(?:and|or)$/i.test(reader.peek().text)) words.push(reader.next().text);
  if (words.length > 0) return { kind: "text", text: words.join(" ") };
  throw new QueryError(first, "A value is missing.", "Write a word, a number, a date or a text in quotation marks.");
}

function readPeriod(reader: TokenReader, { label }: Field, today: string): Period {
  const token = reader.peek();
  const period = takePeriod(reader, today);
  if (period !== null) return period;
  const year = /^\d{4}$/.test(token.text) ? yearPeriod(Number(token.text)) : null;
  if (year === null) {
    const hint = "Write a date (2026-03-01), or today, tomorrow, today + 7d, next 7 days, this week, 3 days ago.";
    throw new QueryError(token, `${label} is compared with a date.`, hint);
  }
  reader.next();
  return year;
}

function readNumber(reader: TokenReader, { label }: Field): number {
  const token = reader.next();
  const number = toNumber(token.text);
  if (number === null) throw new QueryError(token, `${label} is compared with a number.`);
  return number;
}

function readBoolean(reader: TokenReader, { label }: Field): boolean {
  const token = reader.next();
  const boolean = toBoolean(token.text);
  if (boolean === null) throw new QueryError(token, `${label} is true or false.`);
  return boolean;
}

function readChosen(reader: TokenReader, { name, label }: Field): QueryValue {
  const token = reader.peek();
  const text = readText(reader);
  const choices = CHOICES[name] ?? {};
  const written = text.kind === "text" ? text.text.toLowerCase() : "";
  const chosen = Object.hasOwn(choices, written) ? choices[written] : undefined;
  if (chosen === undefined) {
    const hint = `Write ${Object.keys(choices)
      .filter((choice) => !/[ \d-]/.test(choice))
      .join(", ")}.`;
    throw new QueryError(token, `“${token.text}” is no ${label}.`, hint);
  }
  return typeof chosen === "number" ? { kind: "number", number: chosen } : { kind: "text", text: chosen };
}

function toNumber(text: string): number | null {
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : null;
}

function toBoolean(text: string): boolean | null {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "yes" ? true : lower === "false" || lower === "no" ? false : null;
}
