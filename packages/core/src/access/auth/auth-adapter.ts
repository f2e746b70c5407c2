import { transaction, type Pool, type Queryable } from "@workspace/db";
import type { BetterAuthOptions } from "better-auth";
import {
  createAdapterFactory,
  type AdapterFactoryCustomizeAdapterCreator,
  type CleanedWhere,
  type CustomAdapter,
} from "better-auth/adapters";

type Library = Parameters<AdapterFactoryCustomizeAdapterCreator>[0];

/** The pool returns times as ISO strings, which the library converts. */
const CONFIG = { adapterId: "workspace", supportsDates: false, supportsUUIDs: true };

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ["eq", "="],
  ["ne", "<>"],
  ["lt", "<"],
  ["lte", "<="],
  ["gt", ">"],
  ["gte", ">="],
]);

/** Stores what the sign-in library stores. The library composes its queries itself, so they cannot be declared. */
export function createAuthAdapter(pool: Pool) {
  return (options: BetterAuthOptions) => {
    const createFor = (db: Queryable, config: Parameters<typeof createAdapterFactory>[0]["config"]) =>
      createAdapterFactory({ config, adapter: (library) => createQueries(db, library) })(options);
    return createFor(pool, {
      ...CONFIG,
      transaction: (work) => transaction(pool, (client) => work(createFor(client, CONFIG))),
    });
  };
}

function createQueries(db: Queryable, { schema, getDefaultModelName }: Library): CustomAdapter {
  /** All columns, by the names of the library's fields. */
  const columnsOf = (model: string): string =>
    ["id", ...Object.keys(schema[getDefaultModelName(model)]?.fields ?? {})]
      .map((field) => `${columnOf(field)} AS "${field}"`)
      .join(", ");
  const change = async (text: string, values: readonly unknown[]): Promise<number> =>
    (await db.query(text, [...values])).rowCount ?? 0;
  return {
    async create({ model, data }) {
      const fields = Object.keys(data);
      const { rows } = await db.query(
        `INSERT INTO ${tableOf(model)} (${fields.map(columnOf).join(", ")})
         VALUES (${fields.map((_field, index) => `$${index + 1}`).join(", ")}) RETURNING ${columnsOf(model)}`,
        Object.values(data),
      );
      return rows[0];
    },
    async findOne({ model, where }) {
      const values: unknown[] = [];
      const text = `SELECT ${columnsOf(model)} FROM ${tableOf(model)} ${conditions(where, values)} LIMIT 1`;
      return (await db.query(text, values)).rows[0] ?? null;
    },
    async findMany({ model, where, limit, offset = 0, sortBy }) {
      const values: unknown[] = [limit, offset];
      const order = sortBy && `ORDER BY ${columnOf(sortBy.field)} ${sortBy.direction === "desc" ? "DESC" : "ASC"}`;
      const found = `FROM ${tableOf(model)} ${conditions(where, values)} ${order ?? ""}`;
      return (await db.query(`SELECT ${columnsOf(model)} ${found} LIMIT $1 OFFSET $2`, values)).rows;
    },
    async count({ model, where }) {
      const values: unknown[] = [];
      const text = `SELECT count(*)::int AS count FROM ${tableOf(model)} ${conditions(where, values)}`;
      return (await db.query(text, values)).rows[0].count;
    },
    async update({ model, where, update }) {
      const values: unknown[] = [];
      const text = `UPDATE ${tableOf(model)} SET ${assignments(update, values)} ${conditions(where, values)}`;
      return (await db.query(`${text} RETURNING ${columnsOf(model)}`, values)).rows[0] ?? null;
    },
    updateMany({ model, where, update }) {
      const values: unknown[] = [];
      const set = assignments(update, values);
      return change(`UPDATE ${tableOf(model)} SET ${set} ${conditions(where, values)}`, values);
    },
    async delete({ model, where }) {
      const values: unknown[] = [];
      await change(`DELETE FROM ${tableOf(model)} ${conditions(where, values)}`, values);
    },
    deleteMany({ model, where }) {
      const values: unknown[] = [];
      return change(`DELETE FROM ${tableOf(model)} ${conditions(where, values)}`, values);
    },
    // Of several callers at the same time, one gets the row.
    async consumeOne({ model, where }) {
      const values: unknown[] = [];
      const found = `SELECT id FROM ${tableOf(model)} ${conditions(where, values)} LIMIT 1`;
      const text = `DELETE FROM ${tableOf(model)} WHERE id = (${found}) RETURNING ${columnsOf(model)}`;
      return (await db.query(text, values)).rows[0] ?? null;
    },
    async incrementOne({ model, where, increment, set }) {
      const values: unknown[] = [];
      const changes = [
        ...Object.entries(increment).map(([field, by]) => {
          return `${columnOf(field)} = COALESCE(${columnOf(field)}, 0) + $${values.push(by)}`;
        }),
        ...(set === undefined ? [] : [assignments(set, values)]),
      ].filter((change) => change !== "");
      const text = `UPDATE ${tableOf(model)} SET ${changes.join(", ")} ${conditions(where, values)}`;
      return (await db.query(`${text} RETURNING ${columnsOf(model)}`, values)).rows[0] ?? null;
    },
  };
}

/** `userId` is stored in `user_id`, `credentialID` in `credential_id`, and a `twoFactor` in `two_factors`. */
const columnOf = (field: string): string => `"${toSnakeCase(field)}"`;
const tableOf = (model: string): string => `"${toSnakeCase(model)}s"`;
const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);

function assignments(update: unknown, values: unknown[]): string {
  return Object.entries(update ?? {})
    .map(([field, value]) => `${columnOf(field)} = $${values.push(value)}`)
    .join(", ");
}

/** The WHERE clause; its values are appended to `values`. */
function conditions(where: readonly CleanedWhere[] | undefined, values: unknown[]): string {
  const all = where?.filter(({ connector }) => connector !== "OR").map((each) => condition(each, values)) ?? [];
  const any = where?.filter(({ connector }) => connector === "OR").map((each) => condition(each, values)) ?? [];
  if (any.length > 0) all.push(`(${any.join(" OR ")})`);
  return all.length === 0 ? "" : `WHERE ${all.join(" AND ")}`;
}

function condition({ field, operator = "eq", value, mode = "sensitive" }: CleanedWhere, values: unknown[]): string {
  const column = columnOf(field);
  if (mode === "sensitive") {
    if (value === null && operator === "eq") return `${column} IS NULL`;
    if (value === null && operator === "ne") return `${column} IS NOT NULL`;
    if (operator === "in") return `${column} = ANY($${values.push(value)})`;
    if (operator === "not_in") return `${column} <> ALL($${values.push(value)})`;
    const comparison = COMPARISONS.get(operator);
    if (comparison !== undefined) return `${column} ${comparison} $${values.push(value)}`;
  }
  throw new Error(`The sign-in library made an unexpected query: ${field} ${operator}, ${mode}.`);
}
