import { readFileSync } from "node:fs";
import { InvalidInputError, parsePriceTable, type PriceTable } from "@workspace/core";

const EXAMPLE = '{"<model>": {"input": 1.0, "cachedInput": 0.1, "output": 5.0}}, in US dollars per million tokens';

/** The prices of the file that override others, if there is one, or the problems of the file. */
export type ReadPrices =
  | { readonly prices: PriceTable; readonly problems: readonly [] }
  | { readonly prices: undefined; readonly problems: readonly string[] };

export function readPrices(path: string | undefined): ReadPrices {
  if (path === undefined) return { prices: new Map(), problems: [] };
  try {
    return { prices: parsePriceTable(JSON.parse(readFileSync(path, "utf8"))), problems: [] };
  } catch (error) {
    return { prices: undefined, problems: describeProblems(error).map((problem) => `${path}: ${problem}`) };
  }
}

function describeProblems(error: unknown): string[] {
  if (error instanceof InvalidInputError && error.issues !== undefined) {
    return error.issues.map(({ path, message }) =>
      path === "" ? `expected JSON such as ${EXAMPLE}` : `${path}: ${message}`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof SyntaxError) return [`expected JSON such as ${EXAMPLE} (${reason})`];
  return [`cannot be read (${reason})`];
}
