import { TokenReader, tokensOf, type FilterStyle, type Token } from "./filter-tokens.ts";
import { assertSuits, conditionOf, emptyCondition, filterFromJson, propertyValue } from "./filter-values.ts";
import {
  assertBounded,
  FilterError,
  joinFilters,
  MAX_CONDITIONS,
  MAX_FILTER_CHARACTERS,
  MAX_FILTER_DEPTH,
  NONE,
  type Condition,
  type Filter,
  type FilterFields,
  type FilterOp,
} from "./filter.ts";
import { daysWrittenAt } from "./written-days.ts";

/** What a filter is about, and how it is written. */
export interface FilterGrammar<Field extends string> {
  readonly fields: FilterFields<Field>;
  readonly style: FilterStyle;
  /** The fields of words that are looked for, and of `#tags`. */
  readonly search: Field;
  readonly tag: Field;
}

const EXAMPLES = { tasks: "status:todo", notes: "#book and rating >= 4" };

/**
 * Reads a terse filter such as `status:todo,blocked and (priority:high or due:overdue) and not tag:waiting`, or its JSON form. Words
 * that name no field are looked for in the text; "and" may be omitted. `title:water` is a part of a title, `title="Water"` all of it. Null if it is empty. Throws {@link FilterError}.
 */
export function parseFilterOf<Field extends string>(grammar: FilterGrammar<Field>, text: string): Filter<Field> | null {
  if (text.length > MAX_FILTER_CHARACTERS)
    throw new FilterError(`a filter has at most ${MAX_FILTER_CHARACTERS} characters`);
  if (text.trim() === "") return null;
  if (text.trimStart().startsWith("{")) return filterFromJson(grammar.fields, parseJson(text));
  const reader = new TokenReader(text, tokensOf(text, grammar.style), text.length);
  const filter = readFilter(grammar, reader);
  reader.expectEnd();
  return filter;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FilterError("the JSON is not valid");
  }
}

/** Reads conditions joined by `and`, `or`, `not` and parentheses, as far as they go. Throws {@link FilterError}. */
export function readFilter<Field extends string>(grammar: FilterGrammar<Field>, reader: TokenReader): Filter<Field> {
  return assertBounded(new FilterReader(grammar, reader).readAny(0));
}

class FilterReader<Field extends string> {
  readonly #grammar: FilterGrammar<Field>;
  readonly #reader: TokenReader;

  constructor(grammar: FilterGrammar<Field>, reader: TokenReader) {
    this.#grammar = grammar;
    this.#reader = reader;
  }

  readAny(depth: number): Filter<Field> {
    const parts = [this.#readAll(depth)];
    while (this.#takesJoin("or")) parts.push(this.#readAll(depth));
    return joinFilters("or", parts);
  }

  #readAll(depth: number): Filter<Field> {
    const parts = [this.#readOne(depth)];
    while (this.#takesJoin("and") || (this.#isTerse && !this.#isPartEnd())) {
      parts.push(this.#readOne(depth));
      if (parts.length > MAX_CONDITIONS) throw new FilterError(`more than ${MAX_CONDITIONS} conditions`);
    }
    return joinFilters("and", parts);
  }

  get #isTerse(): boolean {
    return this.#grammar.style === "terse";
  }

  #isPartEnd(): boolean {
    const { kind } = this.#reader.peek();
    return kind === "end" || this.#reader.isNext(")") || this.#isJoin("or");
  }

  /** In terse filters, `or:` is a mistake in the name of a field. */
  #isJoin(word: string): boolean {
    const next = this.#reader.peek(1);
    const isField = this.#isTerse && next.kind === "operator" && next.text !== "(" && next.text !== ")";
    return this.#reader.isNext(word) && !isField;
  }

  #takesJoin(word: string): boolean {
    return this.#isJoin(word) && this.#reader.take(word);
  }

  #readOne(depth: number): Filter<Field> {
    const token = this.#reader.peek();
    if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`, token.at);
    if (token.kind === "minus" || this.#isJoin("not")) {
      this.#reader.next();
      return { not: this.#readOne(depth + 1) };
    }
    if (!this.#reader.take("(")) return this.#readCondition();
    const inner = this.readAny(depth + 1);
    if (!this.#reader.take(")")) throw new FilterError("a parenthesis is not closed", token.at);
    return inner;
  }

  #readCondition(): Filter<Field> {
    const { fields, tag, search } = this.#grammar;
    const token = this.#reader.peek();
    if (token.kind === "tag") {
      this.#reader.next();
      return conditionOf(fields, { field: tag, op: "within", values: [token.text] }, token.at);
    }
    if (token.kind !== "word" && token.kind !== "text")
      throw new FilterError(`a condition is missing, such as ${EXAMPLES[fields.source]}`, token.at);
    this.#reader.next();
    const field = fields.find(token.text);
    const isNot = this.#reader.isNext("not") && this.#isOperator(1) && this.#reader.take("not");
    if (field !== undefined && (this.#isOperator() || isNot) && !(this.#isTerse && token.kind === "text")) {
      const condition = this.#readOperator(field);
      return isNot ? { not: condition } : condition;
    }
    const { kind, text } = this.#reader.peek();
    const isCompared = kind === "operator" && text !== "(" && text !== ")" && text !== ",";
    if (isCompared || (!this.#isTerse && field === undefined))
      throw new FilterError(`“${token.text}” is no field`, token.at, `there are ${fields.names.join(", ")}`);
    if (this.#isTerse) return this.#searched(token, search);
    if (field === undefined || token.kind === "text") throw new FilterError("an operator is missing", token.end);
    if (fields.kindOf(field) === "property") return { field, op: "set", values: [] };
    return { not: emptyCondition(fields, field) };
  }

  #searched(token: Token, search: Field): Filter<Field> {
    if (token.kind === "word" && /^(?:and|or|not)$/i.test(token.text))
      throw new FilterError(`a condition is missing after “${token.text}”`, token.at);
    return conditionOf(this.#grammar.fields, { field: search, op: "is", values: [token.text] }, token.at);
  }

  /** Whether a field is compared by what comes next. */
  #isOperator(ahead = 0): boolean {
    const { kind, text } = this.#reader.peek(ahead);
    if (kind === "operator") return text !== "(" && text !== ")" && text !== ",";
    if (kind !== "word") return false;
    const word = text.toLowerCase();
    if (word === "starts" || word === "begins") return this.#reader.isNext("with", ahead + 1);
    return ["contains", "has", "is", "in", "within"].includes(word);
  }

  #readOperator(field: Field): Filter<Field> {
    const reader = this.#reader;
    const { at } = reader.peek();
    if (reader.take("is")) {
      const isNot = reader.take("not");
      const condition = reader.take("empty")
        ? emptyCondition(this.#grammar.fields, field)
        : this.#compared(field, "is", at);
      return isNot ? { not: condition } : condition;
    }
    if (reader.take("!=")) return { not: this.#compared(field, "is", at) };
    if (reader.take("in")) {
      if (!reader.take("(")) return this.#compared(field, "is", at);
      const condition = this.#compared(field, "is", at);
      if (!reader.take(")")) throw new FilterError("a parenthesis is not closed", at);
      return condition;
    }
    // Of a title people know a word, and write "=" for all of it.
    const isText = this.#grammar.fields.kindOf(field) === "text";
    if (isText && reader.take(":")) return this.#compared(field, "has", at);
    return this.#compared(field, this.#takeOperator(), at);
  }

  #takeOperator(): FilterOp {
    const reader = this.#reader;
    if (reader.take("contains") || reader.take("has")) return "has";
    if (reader.take("starts", "with") || reader.take("begins", "with")) return "begins";
    if (reader.take("within")) return "within";
    for (const op of ["<=", ">=", "<", ">"] as const) if (reader.take(op)) return op;
    reader.next();
    return "is";
  }

  /** The values of a condition, and the condition. */
  #compared(field: Field, written: FilterOp, at: number): Condition<Field> {
    const { fields } = this.#grammar;
    const kind = fields.kindOf(field);
    if (kind !== "search" || written !== "has") assertSuits(fields, { field, op: written }, at);
    const { at: valueAt } = this.#reader.peek();
    const values = this.#reader.list(() => this.#readValue(field, written));
    const isProse = !this.#isTerse;
    // In prose a part of the text must be asked for, since “text = a” would look like more.
    if (isProse && kind === "search" && written === "is") throw new FilterError("use contains", at);
    const op = kind === "search" ? "is" : isProse && kind === "tag" && written === "is" ? "within" : written;
    if (op === "within" && values.some((value) => value.toLowerCase() === NONE))
      return conditionOf(fields, { field, op: "is", values }, valueAt);
    return conditionOf(fields, { field, op, values }, valueAt);
  }

  #readValue(field: Field, op: FilterOp): string {
    const reader = this.#reader;
    const kind = this.#grammar.fields.kindOf(field);
    const token = reader.peek();
    const isText = op === "has" || op === "begins";
    if (!isText && token.kind === "word" && (kind === "date" || kind === "property")) {
      const days = daysWrittenAt(reader.source, token.at);
      if (days !== null) {
        reader.skipTo(days.end);
        return days.name;
      }
    }
    const text = this.#isTerse ? this.#readWord() : this.#readWords();
    if (kind !== "property" || isText) return text;
    return token.kind === "word" ? propertyValue(text) : JSON.stringify(text);
  }

  #readWord(): string {
    const token = this.#reader.next();
    if (token.kind === "word" || token.kind === "text") return token.text;
    throw new FilterError("a value is missing", token.at);
  }

  /** A text in quotation marks, a tag, or words up to the next operator, `and` or `or`. */
  #readWords(): string {
    const reader = this.#reader;
    const first = reader.peek();
    if (first.kind === "text" || first.kind === "tag") return reader.next().text;
    const words: string[] = [];
    while (reader.peek().kind === "word" && !reader.isNext("and") && !reader.isNext("or"))
      words.push(reader.next().text);
    if (words.length === 0)
      throw new FilterError(
        "a value is missing",
        first.at,
        "write a word, a number, a date or a text in quotation marks",
      );
    return words.join(" ");
  }
}
