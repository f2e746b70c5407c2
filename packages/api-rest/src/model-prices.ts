import { readFile } from "node:fs/promises";
import { createPriceTable, parsePriceTable, type PriceTable } from "@workspace/core";
import { ConfigError } from "./env.ts";

/** The built-in prices, with those of the file over them. Throws {@link ConfigError} where the file is no price table. */
export async function loadPrices(path: string | null): Promise<PriceTable> {
  if (path === null) return createPriceTable();
  try {
    return createPriceTable(parsePriceTable(JSON.parse(await readFile(path, "utf8"))));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const form = '{"<model>": {"input": 1.0, "cachedInput": 0.1, "output": 5.0}}, in US dollars per million tokens';
    throw new ConfigError([`MODEL_PRICES: ${path} cannot be read as ${form}: ${reason}`]);
  }
}
