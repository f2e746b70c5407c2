import type { Token, TokenReader } from "../../platform/filter/filter-tokens.ts";
import { FilterError, joinFilters, type Filter } from "../../platform/filter/filter.ts";
import { readFilter, type FilterGrammar } from "../../platform/filter/parse-filter.ts";
import { TASK_PROSE, type TaskField, type TaskFilter } from "../../work/task-filter/task-fields.ts";
import { NOTE_PROSE, type NoteField, type NoteFilter } from "./note-fields.ts";
import { readClauses, type Clause } from "./query-clauses.ts";

export const MAX_QUERY_CHARACTERS = 4_000;
export const MAX_QUERY_ROWS = 500;
const DEFAULT_ROWS = 100;
const MAX_COLUMNS = 12;
const MAX_SORTS = 5;

export type QueryView = "list" | "table" | "tasks";

/** A field with the name that it was given. */
export interface Shown<Field> {
  readonly field: Field;
  readonly label: string;
}

export interface Sort<Field> extends Shown<Field> {
  readonly isDescending: boolean;
}

interface QueryOf<Source, Where, Field> {
  readonly source: Source;
  /** Null for everything. */
  readonly where: Where | null;
  readonly sorts: readonly Sort<Field>[];
  readonly group: Sort<Field> | null;
  readonly columns: readonly Shown<Field>[];
  readonly limit: number;
  readonly view: QueryView;
}

/** Queries as they are carried out. */
export type TaskQuery = QueryOf<"tasks", TaskFilter, TaskField>;
export type NoteQuery = QueryOf<"notes", NoteFilter, NoteField>;
export type Query = TaskQuery | NoteQuery;

/** Why a query cannot be read, and what to write instead. */
export interface QueryProblem {
  readonly message: string;
  readonly hint: string | null;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export type ParsedQuery = { readonly query: Query } | { readonly problem: QueryProblem };

const KEYWORDS = ["from", "where", "sort", "group", "columns", "limit", "show"] as const;
type Keyword = (typeof KEYWORDS)[number];
const VIEWS: readonly QueryView[] = ["list", "table", "tasks"];

/** What is for conditions only, and has nothing to show or to sort by. */
const CONDITION_ONLY: ReadonlySet<string> = new Set(["links", "text", "parent", "snoozed"]);

/**
 * Reads a query as people write it into a note. Its conditions are those of filters.
 *
 *     from tasks
 *     where project = Garden and (due <= today or priority = high)
 *     sort due, priority desc
 *     group status
 *     limit 20
 */
export function parseQuery(written: string): ParsedQuery {
  const text = written.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed();
  try {
    return { query: readQuery(text) };
  } catch (error) {
    if (error instanceof FilterError) return { problem: problemOf(error, text) };
    throw error;
  }
}

function problemOf({ reason, hint, at = 0 }: FilterError, text: string): QueryProblem {
  const before = text.slice(0, at).split("\n");
  return {
    message: sentence(reason),
    hint: hint === null ? null : sentence(hint),
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function readQuery(text: string): Query {
  if (text.length > MAX_QUERY_CHARACTERS)
    throw new FilterError(`a query has at most ${MAX_QUERY_CHARACTERS} characters`, 0);
  const clauses = readClauses(text).map(withKeyword);
  assertOnce(clauses);
  return readSource(clauses.find(({ name }) => name === "from")) === "tasks"
    ? readAbout("tasks", TASK_PROSE, clauses)
    : readAbout("notes", NOTE_PROSE, clauses);
}

function readAbout<Source extends Query["source"], Field extends string>(
  source: Source,
  grammar: FilterGrammar<Field>,
  clauses: readonly NamedClause[],
): QueryOf<Source, Filter<Field>, Field> {
  const of = (keyword: Keyword) => clauses.find(({ name }) => name === keyword);
  const conditions = clauses
    .filter(({ name }) => name === "where")
    .map((clause) => readWhole(clause, (reader) => readFilter(grammar, reader)));
  const columns = readList(of("columns"), MAX_COLUMNS, (reader) => readField(reader, grammar));
  const group = of("group");
  return {
    source,
    where: conditions.length === 0 ? null : joinFilters("and", conditions),
    sorts: readList(of("sort"), MAX_SORTS, (reader) => readSort(reader, grammar)),
    group: group === undefined ? null : readWhole(group, (reader) => readSort(reader, grammar)),
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
  const hint = `begin a line with ${KEYWORDS.join(", ")}, or with spaces to go on with the line before it`;
  throw new FilterError(`“${clause.keyword.text}” does not begin a line of a query`, clause.keyword.at, hint);
}

function assertOnce(clauses: readonly NamedClause[]): void {
  const seen = new Set<Keyword>();
  for (const { name, keyword } of clauses) {
    if (name !== "where" && seen.has(name))
      throw new FilterError(`there are two lines that begin with ${name}`, keyword.at);
    seen.add(name);
  }
}

function readWhole<Result>({ reader }: Clause, read: (reader: TokenReader) => Result): Result {
  const result = read(reader);
  const { kind, text, at } = reader.peek();
  if (kind === "word" && KEYWORDS.some((keyword) => keyword === text.toLowerCase()))
    throw new FilterError(`“${text}” is not expected here`, at, "begin another line with it");
  reader.expectEnd();
  return result;
}

function readList<Item>(clause: Clause | undefined, max: number, read: (reader: TokenReader) => Item): Item[] {
  if (clause === undefined) return [];
  const items = readWhole(clause, (reader) => reader.list(() => read(reader)));
  if (items.length > max) throw new FilterError(`there are at most ${max} of these`, clause.keyword.at);
  return items;
}

function readSource(clause: NamedClause | undefined): Query["source"] {
  if (clause === undefined) return "notes";
  return readWhole(clause, (reader) => {
    if (reader.take("notes")) return "notes";
    if (reader.take("tasks")) return "tasks";
    throw new FilterError("a query is about notes or tasks", reader.peek().at, "write “from notes” or “from tasks”");
  });
}

function readField<Field extends string>(reader: TokenReader, { fields }: FilterGrammar<Field>): Shown<Field> {
  const { kind, text, at }: Token = reader.next();
  if (kind !== "word" && kind !== "text") throw new FilterError("the name of a field is missing", at);
  // Whoever claimed a task is what there is to show of the claim.
  const field = fields.find(fields.source === "tasks" && text.toLowerCase() === "claimed" ? "holder" : text);
  if (field === undefined) throw new FilterError(`“${text}” is no field`, at, `there are ${fields.names.join(", ")}`);
  if (CONDITION_ONLY.has(field)) throw new FilterError(`“${text}” is for conditions only`, at);
  return { field, label: text.replace(/^property\./i, "") };
}

function readSort<Field extends string>(reader: TokenReader, grammar: FilterGrammar<Field>): Sort<Field> {
  reader.take("by");
  const shown = readField(reader, grammar);
  const isDescending = reader.take("desc") || reader.take("descending");
  if (!isDescending && !reader.take("asc")) reader.take("ascending");
  return { ...shown, isDescending };
}

function readLimit(clause: NamedClause | undefined): number {
  if (clause === undefined) return DEFAULT_ROWS;
  return readWhole(clause, (reader) => {
    const { text, at } = reader.next();
    const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (limit >= 1 && limit <= MAX_QUERY_ROWS) return limit;
    throw new FilterError(`the limit is a number from 1 to ${MAX_QUERY_ROWS}`, at);
  });
}

function readView(clause: NamedClause | undefined, source: Query["source"]): QueryView | null {
  if (clause === undefined) return null;
  return readWhole(clause, (reader) => {
    reader.take("as");
    const { text, at } = reader.next();
    const view = VIEWS.find((name) => name === text.toLowerCase());
    if (view !== undefined && (view !== "tasks" || source === "tasks")) return view;
    const names = source === "tasks" ? "tasks, list or table" : "list or table";
    throw new FilterError(`“${text}” is no way to show ${source}`, at, `write “show” and ${names}`);
  });
}
