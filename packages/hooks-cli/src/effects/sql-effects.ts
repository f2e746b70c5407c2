import { resolve } from "node:path";
import type { PolicyFacts } from "../policy/policy-facts.ts";
import { optionValues } from "../shell/option-values.ts";
import { type ShellCommand, programOf } from "../shell/shell-command.ts";
import { textsOf } from "../shell/word-fields.ts";

/** What SQL would lose: the name of the rule; undefined if nothing. Literals and comments are not statements. */
export function effectOfSql(text: string): "drop-data" | "delete-all-rows" | "drop-column" | "rights" | undefined {
  const statements = text
    .replaceAll(/--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'(?:[^']|'')*'?/g, " ")
    .replaceAll(ALWAYS, " ")
    .split(";");
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
/** A condition that every row meets. */
const ALWAYS = /\bwhere\s+(?:true|1(?:\s{0,9}=\s{0,9}1)?)(?=\s{0,99}(?:;|$))/gim;
const CHANGES_ROWS = /\bdelete\s+from\s+\S|\bupdate\s+[\w."`[\]]+\s+set\s/i;

/** What a client of a database is given: its arguments, its input, and what is in the files that contain statements. */
export function givenStatements(command: ShellCommand, { contentOf }: PolicyFacts): string {
  const { words, stdin = "", redirects, pipedFrom, cwd } = command;
  const texts = textsOf(words.slice(1));
  const source = pipedFrom.at(-1);
  const files = [
    ...redirects.flatMap(({ operator, target }) => (operator === "<" && target !== undefined ? target.text : [])),
    ...textsOf(optionValues(words, ["-f", "--file", "-i"])),
    ...texts.flatMap((text) => /(?:^|[\n;] ?)(?:\\ir?|\.read|source) +(\S+)/.exec(text)?.[1] ?? []),
    ...(source !== undefined && programOf(source) === "cat" ? textsOf(source.words.slice(1)) : []),
  ];
  const contents = cwd === undefined ? [] : files.map((file) => contentOf(resolve(cwd, file)) ?? "");
  return [...texts, stdin, ...contents].join("\n");
}
