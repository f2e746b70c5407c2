import { Client, type ClientConfig, escapeIdentifier, escapeLiteral } from "pg";

interface Column {
  readonly table: string;
  readonly name: string;
  /** PostgreSQL's own name of the type, such as `_text` for an array of texts. */
  readonly type: string;
  /** In characters; null if there is no limit. */
  readonly maxLength: number | null;
  readonly isRequired: boolean;
  /** The labels of an enum; empty for other types. */
  readonly labels: readonly string[];
  /** The table that it references; null if none. */
  readonly refersTo: string | null;
}

const COLUMNS = `
  SELECT c.table_name AS "table", c.column_name AS "name", c.udt_name AS "type", c.character_maximum_length AS "maxLength",
         c.is_nullable = 'NO' AND c.column_default IS NULL AS "isRequired",
         ARRAY(SELECT e.enumlabel::text FROM pg_enum e JOIN pg_type y ON y.oid = e.enumtypid
                WHERE y.typname = c.udt_name ORDER BY e.enumsortorder) AS "labels",
         (SELECT k.confrelid::regclass::text FROM pg_constraint k
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
           WHERE k.contype = 'f' AND k.conrelid = to_regclass(quote_ident(c.table_name)) AND a.attname = c.column_name
           LIMIT 1) AS "refersTo"
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
   WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'
   ORDER BY c.table_name, c.ordinal_position`;

/**
 * Inserts two rows into each table: one with a value in every column, and one with only the required ones. Each round uses
 * different values, so that the rows of all rounds can coexist.
 */
export async function fillTables(database: ClientConfig, round: number): Promise<void> {
  const client = new Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<Column>(COLUMNS);
    for (const table of inOrderOfReference(rows)) {
      const columns = rows.filter((column) => column.table === table);
      const required = columns.filter(({ isRequired }) => isRequired);
      await client.query(insertion(table, columns, 2 * round));
      await client.query(insertion(table, required, 2 * round + 1));
    }
  } finally {
    await client.end();
  }
}

/** The names of the tables, each after those that it references. */
function inOrderOfReference(columns: readonly Column[]): string[] {
  const ordered = new Set<string>();
  const visit = (table: string): void => {
    for (const column of columns) {
      if (column.table !== table || column.refersTo === null || column.refersTo === table) continue;
      if (!ordered.has(column.refersTo)) visit(column.refersTo);
    }
    ordered.add(table);
  };
  for (const { table } of columns) visit(table);
  return [...ordered];
}

/** All values of a row are derived from the same number, so that a reference matches the row with that number. */
function insertion(table: string, columns: readonly Column[], number: number): string {
  const names = columns.map(({ name }) => escapeIdentifier(name)).join(", ");
  const values = columns.map((column) => escapeLiteral(valueOf(column, number))).join(", ");
  // A table with a single row, because of its key's default, already has it from an earlier round.
  return `INSERT INTO ${escapeIdentifier(table)} (${names}) VALUES (${values}) ON CONFLICT DO NOTHING`;
}

function valueOf({ name, type, maxLength, labels }: Column, number: number): string {
  if (labels.length > 0) return labels[number % labels.length] ?? "";
  switch (type) {
    case "uuid":
      return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
    case "text":
    case "varchar":
    case "bytea":
      return `${name} ${number}`.slice(0, maxLength ?? undefined);
    case "int2":
      return String(1000 + number);
    case "int4":
    case "int8":
    case "numeric":
    case "float8":
      // Larger than the values of any sequence, which triggers advance with each row.
      return String(100_000 + number);
    case "bool":
      return String(number % 2 === 0);
    case "timestamptz":
    case "date":
      return new Date(Date.UTC(2026, 0, 1 + number)).toISOString();
    case "time":
      return "08:30";
    case "jsonb":
      return JSON.stringify([{ type: "text", text: `Text ${number}` }]);
    case "_text":
      return `{${name}}`;
    case "_uuid":
      return "{}";
    case "_int4":
      return `{${number}}`;
    case "bit":
      return "1".repeat(maxLength ?? 1);
    case "tsvector":
      return `${name}:1`;
    default:
      throw new Error(`There is no example of a value of the type ${type} of ${name} yet.`);
  }
}
