/**
 * Whether a column of a result can be null:
 *
 * - `never`: no, which the database can confirm: the column is NOT NULL and not subject to an outer join;
 * - `possible`: yes, so its TypeScript type includes null;
 * - `ruled out`: no, but only the author of the statement knows, for an expression such as `count(*)` or because of a condition.
 */
export type Nulls = "never" | "possible" | "ruled out";

/** A column of a result: its type in TypeScript, and in PostgreSQL, which a test compares with the database. */
export interface Column<T> {
  /** The names of the permitted types in `pg_type`, or the labels of an enum. */
  readonly type: { readonly names: readonly string[] } | { readonly labels: readonly string[] };
  readonly nulls: Nulls;
  /** Never set; carries the TypeScript type of the value, as parsed by type-parsers.ts. */
  readonly value?: T;
}

/** The columns of a result by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The TypeScript type of a row. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/** A column that is NOT NULL, and its variants. */
export interface PlainColumn<T> extends Column<T> {
  /** The column can be null. */
  readonly nullable: Column<T | null>;
  /** The column is never null although the schema does not say so. Not checked. */
  readonly neverNull: Column<T>;
}

/** A column with a more specific type than the database knows. Not checked. */
export interface RefinableColumn<Base> extends PlainColumn<Base> {
  as<T extends Base>(): PlainColumn<T>;
}

function plain<T>(type: Column<T>["type"]): PlainColumn<T> {
  return {
    type,
    nulls: "never",
    nullable: { type, nulls: "possible" },
    neverNull: { type, nulls: "ruled out" },
  };
}

function ofType<T>(...names: readonly string[]): PlainColumn<T> {
  return plain({ names });
}

function refinable<Base>(...names: readonly string[]): RefinableColumn<Base> {
  return { ...ofType<Base>(...names), as: <T extends Base>() => ofType<T>(...names) };
}

/** The types of columns. */
export const column = {
  uuid: ofType<string>("uuid"),
  text: refinable<string>("text", "varchar"),
  boolean: ofType<boolean>("bool"),
  /** `smallint` or `integer`. */
  integer: ofType<number>("int2", "int4"),
  /** A `bigint` below 2^53, such as a count or a size. */
  safeInteger: ofType<number>("int8"),
  /** A `bigint` of any size: a number if that is exact. */
  bigint: ofType<number | bigint>("int8"),
  /** `double precision`. */
  float: ofType<number>("float8"),
  /** `numeric`, as the nearest number. */
  numeric: ofType<number>("numeric"),
  /** `timestamptz`, as ISO 8601 in UTC with milliseconds. */
  timestamp: ofType<string>("timestamptz"),
  /** `json` or `jsonb`, parsed. */
  json: refinable<unknown>("json", "jsonb"),
  bytes: ofType<Buffer>("bytea"),
  uuids: ofType<string[]>("_uuid"),
  texts: refinable<string[]>("_text"),
  integers: ofType<number[]>("_int4"),
  /** An enum, given the constant that Prisma generates for it: `column.oneOf(TaskStatus)`. */
  oneOf: <T extends string>(labels: Readonly<Record<string, T>>) => plain<T>({ labels: Object.values(labels) }),
} as const;
