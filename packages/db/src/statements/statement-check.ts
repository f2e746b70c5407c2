import type { FieldDef, Pool, PoolClient } from "pg";
import type { Column, Columns } from "./column.ts";
import { describeStatement } from "./describe-statement.ts";
import { findOuterJoinedColumns } from "./outer-joins.ts";
import type { DeclaredStatement } from "./statement.ts";

/**
 * Checks statements against a database without running them: that it accepts them, and that the columns of their results have the
 * declared names, types and nullability. Returns all differences, each with the name of its statement.
 */
export async function findStatementProblems(pool: Pool, statements: readonly DeclaredStatement[]): Promise<string[]> {
  const client = await pool.connect();
  try {
    const catalog = await readCatalog(client);
    const problems = findRepeatedNames(statements);
    for (const { name, row, texts } of statements) {
      const all = texts();
      for (const text of all) {
        const found = await checkText(client, catalog, { text, row, isOnlyText: all.length === 1 });
        problems.push(...found.map((problem) => `${name}: ${problem}`));
      }
    }
    return [...new Set(problems)];
  } finally {
    client.release();
  }
}

function findRepeatedNames(statements: readonly DeclaredStatement[]): string[] {
  const names = new Set<string>();
  const repeated = statements.filter(({ name }) => names.size === names.add(name).size);
  return repeated.map(({ name }) => `${name}: the name of two statements`);
}

async function checkText(
  client: PoolClient,
  catalog: Catalog,
  { text, row, isOnlyText }: { text: string; row: Columns | undefined; isOnlyText: boolean },
): Promise<string[]> {
  let fields: readonly FieldDef[];
  try {
    fields = await describeStatement(client, text);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  if (row === undefined) return [];
  const outerJoined = await findOuterJoinedColumns(client, text);
  const undeclared = fields.filter(({ name }) => !Object.hasOwn(row, name));
  return [
    ...undeclared.map(({ name }) => `the result has a column "${name}" that is not declared`),
    ...Object.entries(row).flatMap(([name, column]) => {
      const index = fields.findIndex((field) => field.name === name);
      const field = fields[index];
      if (field === undefined) return [`the declared column "${name}" is not in the result`];
      const isNotNull = catalog.isNotNull(field) && !outerJoined.positions.has(index);
      return [
        ...checkType(catalog.typeOf(field), column),
        // What holds for one of several texts, or for a plan with outer joins, need not hold for all.
        ...checkNulls(column, { isNotNull, isCertain: isOnlyText && !outerJoined.hasOuterJoins }),
      ].map((problem) => `column "${name}" ${problem}`);
    }),
  ];
}

function checkType(actual: PostgresType, { type }: Column<unknown>): string[] {
  if ("names" in type)
    return type.names.includes(actual.name) ? [] : [`is ${actual.name}, not ${type.names.join("/")}`];
  const labels = actual.labels.join(", ");
  return labels === type.labels.join(", ")
    ? []
    : [`is ${actual.name} (${labels}), not an enum of ${type.labels.join(", ")}`];
}

function checkNulls(
  { nulls }: Column<unknown>,
  { isNotNull, isCertain }: { isNotNull: boolean; isCertain: boolean },
): string[] {
  if (nulls === "never") return isNotNull ? [] : ["can be null"];
  return isNotNull && isCertain
    ? [`is NOT NULL in the schema, yet ${nulls === "possible" ? "nullable" : "neverNull"}`]
    : [];
}

interface PostgresType {
  readonly name: string;
  /** The labels of an enum, in its order. */
  readonly labels: readonly string[];
}

interface Catalog {
  typeOf(field: FieldDef): PostgresType;
  /** Whether the field is a column of a table that is NOT NULL. */
  isNotNull(field: FieldDef): boolean;
}

async function readCatalog(client: PoolClient): Promise<Catalog> {
  const types = await client.query<PostgresType & { oid: number }>(
    `SELECT t.oid, t.typname::text AS name,
       ARRAY(SELECT enumlabel::text FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder) AS labels
     FROM pg_type t`,
  );
  const columns = await client.query<{ tableID: number; columnID: number }>(
    `SELECT attrelid AS "tableID", attnum AS "columnID" FROM pg_attribute WHERE attnotnull AND attnum > 0`,
  );
  const typesById = new Map(types.rows.map(({ oid, ...type }) => [oid, type]));
  const notNull = new Set(columns.rows.map(({ tableID, columnID }) => `${tableID}.${columnID}`));
  return {
    typeOf: ({ dataTypeID }) => typesById.get(dataTypeID) ?? { name: `type ${dataTypeID}`, labels: [] },
    isNotNull: ({ tableID, columnID }) => notNull.has(`${tableID}.${columnID}`),
  };
}
