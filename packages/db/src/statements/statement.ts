import type { Pool, PoolClient, QueryResultRow } from "pg";
import { traced, type TracedWork } from "../tracing.ts";
import type { Columns, RowOf } from "./column.ts";

/** Runs statements: the pool, or the client of a transaction. */
export type Queryable = Pool | PoolClient;

/** A statement that returns rows. */
export interface Query<Row> {
  /** All rows, in the statement's order. */
  all(db: Queryable, values?: unknown[]): Promise<Row[]>;
  /** The first row; null if there is none. */
  first(db: Queryable, values?: unknown[]): Promise<Row | null>;
  /** The first row, for statements that always return one. Throws if there is none. */
  one(db: Queryable, values?: unknown[]): Promise<Row>;
}

/** A statement that is run for its effect, or for the number of rows. */
export interface Command {
  /** Returns how many rows were changed or found. */
  run(db: Queryable, values?: unknown[]): Promise<number>;
}

/** A query whose text depends on its input. */
export interface ComposedQuery<Row, Input> {
  all(db: Queryable, input: Input): Promise<Row[]>;
}

/** A command whose text depends on its input. */
export interface ComposedCommand<Input> {
  run(db: Queryable, input: Input): Promise<number>;
}

/** Adds a value to the statement and returns its placeholder, such as `$2`. */
export type Bind = (value: unknown) => string;

export interface CommandDeclaration {
  /** In kebab case, and unique. */
  readonly name: string;
  readonly text: string;
  /**
   * Whether each connection parses it once and plans it for any values, which is worthwhile for statements that run many times a
   * second. False if the best plan depends on the values.
   */
  readonly isPrepared?: boolean;
}

export interface QueryDeclaration<C extends Columns> extends CommandDeclaration {
  /** All columns of the result. */
  readonly row: C;
}

export interface ComposedCommandDeclaration<Input> {
  readonly name: string;
  readonly compose: (input: Input, bind: Bind) => string;
  /** Inputs that together produce every piece of the text. The first one includes all pieces. */
  readonly examples: readonly [Complete<NoInfer<Input>>, ...NoInfer<Input>[]];
}

export interface ComposedQueryDeclaration<C extends Columns, Input> extends ComposedCommandDeclaration<Input> {
  /** All columns of the result, which are the same for any input. */
  readonly row: C;
  /**
   * Whether each connection parses each text once and plans it for any values, which is worthwhile if planning takes a
   * considerable part of the time. Only for few texts, and if the best plan of each does not depend on the values.
   */
  readonly isPrepared?: boolean;
}

/** An example that uses every part. */
type Complete<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** A statement as the test that checks all of them needs it. */
export interface DeclaredStatement {
  readonly name: string;
  /** Undefined for a command. */
  readonly row: Columns | undefined;
  /** The text, or for a composed statement one per example. */
  readonly texts: () => readonly string[];
}

const declared: DeclaredStatement[] = [];

/** All statements of the loaded modules. */
export function declaredStatements(): readonly DeclaredStatement[] {
  return declared;
}

/**
 * Declares a statement that returns rows. The declared columns are the row's type in TypeScript, and a test compares them with
 * the database (see statement-check.ts).
 */
export function defineQuery<const C extends Columns>({
  name,
  row,
  text,
  isPrepared = false,
}: QueryDeclaration<C>): Query<RowOf<C>> {
  declared.push({ name, row, texts: () => [text] });
  const send = sender<RowOf<C>>(name, text, isPrepared);
  return {
    async all(db, values) {
      return (await send(db, values)).rows;
    },
    async first(db, values) {
      return (await send(db, values)).rows[0] ?? null;
    },
    async one(db, values) {
      const [first] = (await send(db, values)).rows;
      if (first === undefined) throw new Error(`The statement ${name} returned no row.`);
      return first;
    },
  };
}

/** Declares a statement that is run for its effect or for the number of rows. Its names are checked like those of a query. */
export function defineCommand({ name, text, isPrepared = false }: CommandDeclaration): Command {
  declared.push({ name, row: undefined, texts: () => [text] });
  const send = sender(name, text, isPrepared);
  return {
    async run(db, values) {
      return (await send(db, values)).rowCount ?? 0;
    },
  };
}

/**
 * Declares a query that is composed of pieces, such as filters and a cursor. Usually it is not prepared, because the best plan
 * depends on its input.
 */
export function defineComposedQuery<const C extends Columns, Input>({
  name,
  row,
  isPrepared = false,
  compose,
  examples,
}: ComposedQueryDeclaration<C, Input>): ComposedQuery<RowOf<C>, Input> {
  declared.push({ name, row, texts: () => examples.map((example) => composeOnce(compose, example).text) });
  /** Names by text. */
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text) ?? `${name}-${names.size + 1}`;
    names.set(text, known);
    return known;
  };
  return {
    async all(db, input) {
      const { text, values } = composeOnce(compose, input);
      const send = sender<RowOf<C>>(isPrepared ? nameOf(text) : name, text, isPrepared);
      return (await send(db, values)).rows;
    },
  };
}

/** Declares a command that is composed of pieces. */
export function defineComposedCommand<Input>({
  name,
  compose,
  examples,
}: ComposedCommandDeclaration<Input>): ComposedCommand<Input> {
  declared.push({ name, row: undefined, texts: () => examples.map((example) => composeOnce(compose, example).text) });
  const describe = describer(name);
  return {
    async run(db, input) {
      const { text, values } = composeOnce(compose, input);
      return (await traced(describe, () => db.query(text, values))).rowCount ?? 0;
    },
  };
}

interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** The only place where a result gets its type. */
function sender<Row extends QueryResultRow>(name: string, text: string, isPrepared: boolean) {
  const describe = describer(name);
  return isPrepared
    ? (db: Queryable, values: unknown[] = []): Promise<Result<Row>> =>
        traced(describe, () => db.query<Row>({ name, text, values }))
    : (db: Queryable, values: unknown[] = []): Promise<Result<Row>> =>
        traced(describe, () => db.query<Row>(text, values));
}

/** A statement in a trace has its name. Its text would add nothing, and its values are content. */
function describer(name: string): () => TracedWork {
  return () => ({
    name,
    kind: "client",
    beginsTrace: false,
    attributes: { "db.system.name": "postgresql", "db.query.summary": name },
  });
}

function composeOnce<Input>(
  compose: (input: Input, bind: Bind) => string,
  input: Input,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const text = compose(input, (value) => `$${values.push(value)}`);
  return { text, values };
}
