/** What SQL would lose: the name of the rule; undefined if nothing. Literals and comments are not statements. */
export function effectOfSql(text: string): "drop-data" | "delete-all-rows" | "drop-column" | "rights" | undefined {
  const statements = text.replaceAll(/--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'(?:[^']|'')*'?/g, " ").split(";");
  if (statements.some((statement) => DROPS.test(statement))) return "drop-data";
  if (
    statements.some((statement) => CHANGES_ROWS.test(statement) && !/\b(?:where|limit|join|using)\b/i.test(statement))
  )
    return "delete-all-rows";
  if (statements.some((statement) => /\bgrant\s+all\b/i.test(statement))) return "rights";
  const dropsPart = (statement: string): boolean =>
    /\balter\s+table\b/i.test(statement) && /\bdrop\s+(?!constraint\b|default\b|not\b)/i.test(statement);
  return statements.some(dropsPart) ? "drop-column" : undefined;
}

const DROPS =
  /\bdrop\s+(?:database|schema|table|tablespace|keyspace|collection|user|role|owned|materialized\s+view)\b|\btruncate\s+(?:table\s+)?[\w"`[]/i;
const CHANGES_ROWS = /\bdelete\s+from\s+\S|\bupdate\s+[\w."`[\]]+\s+set\s/i;
