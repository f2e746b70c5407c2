import { readCondition, type Condition } from "./query-conditions.ts";
import { fieldNames, findField, isShowable, type Field, type QuerySource } from "./query-fields.ts";
import { QueryError, readClauses, TokenReader, type Clause, type QueryProblem } from "./query-tokens.ts";

export type { Condition, QueryValue } from "./query-conditions.ts";
export type { Period } from "./query-dates.ts";
export type { Field, FieldKind, QuerySource } from "./query-fields.ts";
export type { QueryProblem } from "./query-tokens.ts";

export const MAX_QUERY_CHARACTERS = 4_000;
export const MAX_QUERY_ROWS = 500;
const DEFAULT_ROWS = 100;
const MAX_COLUMNS = 12;
const MAX_SORTS = 5;

export type QueryView = "list" | "table" | "tasks";

export interface Sort {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** A query as it is carried out. */
export interface Query {
  readonly source: QuerySource;
  /** Null for everything. */
  readonly where: Condition | null;
  readonly sorts: readonly Sort[];
  readonly group: Sort | null;
  readonly columns: readonly Field[];
  readonly limit: number;
  readonly view: QueryView;
}

export type ParsedQuery = { readonly query: Query } | { readonly problem: QueryProblem };

const KEYWORDS = ["from", "where", "sort", "group", "columns", "limit", "show"] as const;
type Keyword = (typeof KEYWORDS)[number];
const VIEWS: readonly QueryView[] = ["list", "table", "tasks"];

/**
 * Reads a query as people write it into a note. Dates such as `today` count from `today`, a `YYYY-MM-DD`.
 *
 *     from tasks
 *     where project = Garden and (due <= today or priority = high)
 *     sort due, priority desc
 *     group status
 *     limit 20
 */
export function parseQuery(text: string, today: string): ParsedQuery {
  try {
    return { query: readQuery(text, today) };
  } catch (error) {
    if (error instanceof QueryError) return { problem: error.problem };
    throw error;
  }
}

function readQuery(text: string, today: string): Query {
  if (text.length > MAX_QUERY_CHARACTERS) {
    throw new QueryError({ line: 1, column: 1 }, `A query has at most ${MAX_QUERY_CHARACTERS} characters.`);
  }
  const clauses = readClauses(text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()).map(withKeyword);
  assertOnce(clauses);
  const of = (keyword: Keyword) => clauses.find((clause) => clause.name === keyword);
  const source = readSource(of("from"));
  const conditions = clauses
    .filter(({ name }) => name === "where")
    .map((clause) => readWhole(clause, (reader) => readCondition(reader, source, today)));
  const columns = readList(of("columns"), MAX_COLUMNS, (reader) => readField(reader, source));
  const sorts = readList(of("sort"), MAX_SORTS, (reader) => readSort(reader, source));
  const group = of("group");
  return {
    source,
    where: conditions.length > 1 ? { kind: "all", parts: conditions } : (conditions[0] ?? null),
    sorts,
    group: group === undefined ? null : readWhole(group, (reader) => readGroup(reader, source)),
    columns,
    limit: readLimit(of("limit")),
    view: readView(of("show"), source) ?? (columns.length > 0 ? "table" : source === "tasks" ? "tasks" : "list"),
  };
}

interface NamedClause extends Clause {
  readonly name: Keyword;
}

function withKeyword(clause: Clause): NamedClause {
  const written = clause.keyword.text.toLowerCase();
  const name = KEYWORDS.find((keyword) => keyword === written);
  if (name !== undefined && clause.keyword.kind === "word") return { ...clause, name };
  const hint = `Begin a line with ${KEYWORDS.join(", ")}, or with spaces to go on with the line before it.`;
  throw new QueryError(clause.keyword, `“${clause.keyword.text}” does not begin a line of a query.`, hint);
}

function assertOnce(clauses: readonly NamedClause[]): void {
  const seen = new Set<Keyword>();
  for (const { name, keyword } of clauses) {
    if (name !== "where" && seen.has(name))
      throw new QueryError(keyword, `There are two lines that begin with ${name}.`);
    seen.add(name);
  }
}

function readWhole<Result>({ tokens }: Clause, read: (reader: TokenReader) => Result): Result {
  const reader = new TokenReader(tokens);
  const result = read(reader);
  reader.expectEnd();
  return result;
}

function readList<Item>(clause: Clause | undefined, max: number, read: (reader: TokenReader) => Item): Item[] {
  if (clause === undefined) return [];
  const items = readWhole(clause, (reader) => reader.list(() => read(reader)));
  if (items.length > max) throw new QueryError(clause.keyword, `There are at most ${max} of these.`);
  return items;
}

function readSource(clause: NamedClause | undefined): QuerySource {
  if (clause === undefined) return "notes";
  return readWhole(clause, (reader) => {
    if (reader.take("notes")) return "notes";
    if (reader.take("tasks")) return "tasks";
    throw new QueryError(reader.peek(), "A query is about notes or tasks.", "Write “from notes” or “from tasks”.");
  });
}

function readField(reader: TokenReader, source: QuerySource): Field {
  const token = reader.next();
  if (token.kind !== "word" && token.kind !== "text") throw new QueryError(token, "The name of a field is missing.");
  const field = findField(source, token.text);
  const names = fieldNames(source).join(", ");
  if (field === null) throw new QueryError(token, `Tasks have no field “${token.text}”.`, `They have ${names}.`);
  if (!isShowable(field)) throw new QueryError(token, `“${token.text}” is for conditions only.`);
  return field;
}

function readSort(reader: TokenReader, source: QuerySource): Sort {
  reader.take("by");
  const field = readField(reader, source);
  const isDescending = reader.take("desc") || reader.take("descending");
  if (!isDescending && !reader.take("asc")) reader.take("ascending");
  return { field, isDescending };
}

function readGroup(reader: TokenReader, source: QuerySource): Sort {
  return readSort(reader, source);
}

function readLimit(clause: NamedClause | undefined): number {
  if (clause === undefined) return DEFAULT_ROWS;
  return readWhole(clause, (reader) => {
    const token = reader.next();
    const limit = /^\d{1,6}$/.test(token.text) ? Number(token.text) : 0;
    if (limit >= 1 && limit <= MAX_QUERY_ROWS) return limit;
    throw new QueryError(token, `The limit is a number from 1 to ${MAX_QUERY_ROWS}.`);
  });
}

function readView(clause: NamedClause | undefined, source: QuerySource): QueryView | null {
  if (clause === undefined) return null;
  return readWhole(clause, (reader) => {
    reader.take("as");
    const token = reader.next();
    const view = VIEWS.find((name) => name === token.text.toLowerCase());
    if (view !== undefined && (view !== "tasks" || source === "tasks")) return view;
    const names = source === "tasks" ? "tasks, list or table" : "list or table";
    throw new QueryError(token, `“${token.text}” is no way to show ${source}.`, `Write “show” and ${names}.`);
  });
}
