/**
 * How well search finds the answers to questions about long conversations, by the public set LoCoMo, beside BM25 and
 * SQLite's FTS5 over the same texts, and with vectors:
 *
 *   npm run bench -- memory-locomo <locomo10.json> [first conversation=1] [last conversation=10]
 *
 * The set may not be used commercially and is not part of this repository. Parameters were chosen on its first five
 * conversations only.
 */
import { readFileSync } from "node:fs";
import { readLocomo } from "./memory-locomo/locomo.ts";
import { compareSearch } from "./search-quality/compare-search.ts";

const [file, first = "1", last = "10"] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: npm run bench -- memory-locomo <locomo10.json> [first] [last]");

const conversations = readLocomo(JSON.parse(readFileSync(file, "utf8"))).slice(Number(first) - 1, Number(last));
for (const kind of ["observations", "turns"] as const) {
  await compareSearch(
    kind,
    conversations.map((conversation) => conversation[kind]),
  );
}
