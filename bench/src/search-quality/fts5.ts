import type { Ranker } from "@workspace/core/testing";
import sqlite from "node-sqlite3-wasm";

/** Ranks texts as SQLite's full-text search does: BM25 over stems by Porter's algorithm, of any word of the query. */
export function createFts5(texts: readonly string[]): { rank: Ranker; close(): void } {
  const database = new sqlite.Database();
  database.exec("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize = 'porter unicode61')");
  for (const [index, text] of texts.entries()) {
    database.run("INSERT INTO passages (rowid, text) VALUES (?, ?)", [index, text]);
  }
  return {
    rank: ({ text: query }) => {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      const anyWord = words.map((word) => `"${word}"`).join(" OR ");
      const rows = database.all("SELECT rowid AS position FROM passages WHERE passages MATCH ? ORDER BY rank", [
        anyWord,
      ]);
      return rows.map(({ position }) => Number(position));
    },
    close: () => database.close(),
  };
}
