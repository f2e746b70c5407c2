/** Parts whose semicolons and keywords do not count: comments, strings, quoted names and the bodies of functions. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

const CONTROLS_TRANSACTION =
  /^(?:BEGIN|START\s+TRANSACTION|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|PREPARE\s+TRANSACTION)\b/i;

/**
 * The first statement of a script that begins or ends a transaction; undefined if there is none. Such a statement would end the
 * transaction in which the migration is applied, so a later failure would leave half a migration. PostgreSQL itself refuses all
 * other statements that cannot run in a transaction, such as `CREATE INDEX CONCURRENTLY`.
 */
export function findTransactionControl(sql: string): string | undefined {
  const statements = sql.replaceAll(OPAQUE, " ").split(";");
  return statements.map((statement) => statement.trim()).find((statement) => CONTROLS_TRANSACTION.test(statement));
}
