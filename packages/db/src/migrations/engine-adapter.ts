import { type Client, type CustomTypesConfig, DatabaseError, types } from "pg";
import { errorMessage } from "../system-error.ts";
import { parseTimestamptz } from "../type-parsers.ts";

/*
 * Prisma's schema engine accesses the database through a "driver adapter". This one uses a single connection and was written for
 * the engine, because @prisma/adapter-pg cannot serve it: it splits a script at every semicolon, which breaks functions
 * and triggers, and refuses results with a "char" column, which the engine's introspection queries have.
 */

/** The engine expects results instead of exceptions. */
type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: EngineError };

interface EngineError {
  readonly kind: string;
  readonly [detail: string]: unknown;
}

interface EngineQuery {
  readonly sql: string;
  readonly args: unknown[];
}

interface EngineResultSet {
  readonly columnNames: string[];
  readonly columnTypes: number[];
  readonly rows: unknown[][];
}

interface EngineAdapter {
  readonly provider: "postgres";
  readonly adapterName: string;
  queryRaw(query: EngineQuery): Promise<Result<EngineResultSet>>;
  executeRaw(query: EngineQuery): Promise<Result<number>>;
  executeScript(script: string): Promise<Result<undefined>>;
  startTransaction(): Promise<Result<never>>;
  getConnectionInfo(): Result<{ supportsRelationJoins: boolean }>;
  dispose(): Promise<Result<undefined>>;
}

/** The object that the engine is given; which of its two functions it calls depends on the operation. */
export interface EngineAdapterFactory {
  readonly provider: "postgres";
  readonly adapterName: string;
  connect(): Promise<Result<EngineAdapter>>;
  connectToShadowDb(): Promise<Result<EngineAdapter>>;
}

const NAME = "@workspace/db";

/** Creates an adapter for a connection that the caller opens and closes. */
export function createEngineAdapterFactory(client: Client): EngineAdapterFactory {
  const connect = () => Promise.resolve(ok(createEngineAdapter(client)));
  return { provider: "postgres", adapterName: NAME, connect, connectToShadowDb: connect };
}

function createEngineAdapter(client: Client): EngineAdapter {
  const query = ({ sql, args }: EngineQuery) =>
    client.query<unknown[]>({ text: sql, values: args, rowMode: "array", types: ENGINE_TYPES });
  return {
    provider: "postgres",
    adapterName: NAME,
    queryRaw: (request) =>
      attempt(async () => {
        const { fields, rows } = await query(request);
        return {
          columnNames: fields.map(({ name }) => name),
          columnTypes: fields.map(({ dataTypeID }) => COLUMN_TYPES.get(dataTypeID) ?? ColumnType.text),
          rows,
        };
      }),
    executeRaw: (request) => attempt(async () => (await query(request)).rowCount ?? 0),
    // The whole script is sent in one message, which PostgreSQL splits by its own rules.
    executeScript: (script) =>
      attempt(async () => {
        await client.query(script);
        return undefined;
      }),
    startTransaction: () => Promise.resolve(failed(new Error("The transaction belongs to the caller."))),
    getConnectionInfo: () => ok({ supportsRelationJoins: true }),
    dispose: () => Promise.resolve(ok(undefined)),
  };
}

async function attempt<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await run());
  } catch (error) {
    return failed(error);
  }
}

const ok = <T>(value: T): Result<T> => ({ ok: true, value });

const UNDEFINED_TABLE = "42P01";

/** The engine queries its own table before that exists, so it must recognise this error. */
function failed(error: unknown): Result<never> {
  if (!(error instanceof DatabaseError)) {
    const message = errorMessage(error);
    return { ok: false, error: { kind: "postgres", code: "08006", severity: "ERROR", message } };
  }
  const { code = "XX000", severity = "ERROR", message, detail, column, hint } = error;
  const original = { originalCode: code, originalMessage: message };
  if (code === UNDEFINED_TABLE) return { ok: false, error: { kind: "TableDoesNotExist", ...original } };
  return { ok: false, error: { kind: "postgres", code, severity, message, detail, column, hint, ...original } };
}

/** The engine's numbers for column types. */
const ColumnType = {
  int32: 0,
  int64: 1,
  boolean: 5,
  character: 6,
  text: 7,
  dateTime: 10,
  int32Array: 64,
  characterArray: 70,
  textArray: 71,
} as const;

/** The types that the engine's own queries return, by OID. */
const COLUMN_TYPES: ReadonlyMap<number, number> = new Map([
  [16, ColumnType.boolean],
  [18, ColumnType.character],
  [20, ColumnType.int64],
  [21, ColumnType.int32],
  [23, ColumnType.int32],
  [26, ColumnType.int64],
  [1184, ColumnType.dateTime],
  [1002, ColumnType.characterArray],
  [1003, ColumnType.textArray],
  [1005, ColumnType.int32Array],
  [1007, ColumnType.int32Array],
  [1009, ColumnType.textArray],
  [1015, ColumnType.textArray],
]);

const ENGINE_TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    return oid === types.builtins.TIMESTAMPTZ ? parseTimestamptz : types.getTypeParser(oid, format);
  },
};
