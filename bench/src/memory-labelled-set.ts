/**
 * Evaluates extraction, search and context on the labelled set, with a scripted model:
 *
 *   npx tsx bench/src/memory-labelled-set.ts
 */
import {
  createMemoryExtractionService,
  createMemoryService,
  createScriptedModel,
  createTestDeps,
  createTranscriptSource,
  loadLabelledSet,
  measureExtraction,
  measureRanking,
} from "@workspace/core/testing";
import { withBenchDatabase } from "./bench-database.ts";

const sessions = loadLabelledSet();

await withBenchDatabase(async (db) => {
  const formats = [...new Set(sessions.map((session) => session.format))].toSorted();
  console.log(
    "extraction".padEnd(12),
    "sessions  windows  labelled  proposed  stored  precision  recall  duplicates  repeats  flagged  again",
  );
  for (const format of [...formats, "all"]) {
    await db.pool.query("TRUNCATE memory_chunks, memory_extractions CASCADE");
    const { setUp, memory } = createSetUp();
    const chosen = sessions.filter((session) => format === "all" || session.format === format);
    const figures = await measureExtraction(chosen, setUp);
    const { windows, labelled, proposed, stored, right, duplicates, repeats, flagged, storedAgain } = figures;
    const columns = [
      figures.sessions,
      windows,
      labelled,
      proposed,
      stored,
      share(right, stored),
      share(right, labelled),
      share(duplicates, stored),
      repeats,
      flagged,
      storedAgain,
    ];
    const widths = [8, 7, 8, 8, 6, 9, 6, 10, 7, 7, 5];
    console.log(
      format.padEnd(12),
      columns.map((column, index) => String(column).padStart(widths[index] ?? 0)).join("  "),
    );
    if (format === "all") await printRanking(memory);
  }

  function createSetUp() {
    const deps = createTestDeps(db, "2026-06-01T12:00:00Z");
    const model = createScriptedModel(db);
    const memory = createMemoryService(deps);
    const transcripts = createTranscriptSource({ roots: [], maxBytes: 0 });
    const extraction = createMemoryExtractionService({
      ...deps,
      model,
      transcripts,
      sessionTranscripts: { add: async () => [], find: async () => null },
    });
    return { memory, setUp: { extraction, memory, model, clock: deps.clock } };
  }
});

async function printRanking(memory: ReturnType<typeof createMemoryService>): Promise<void> {
  const figures = await measureRanking(sessions, memory);
  const row = (name: string, ours: number, recency: number) =>
    console.log(name.padEnd(44), ours.toFixed(3).padStart(6), recency.toFixed(3).padStart(12));
  console.log(`\n${"nDCG@5".padEnd(44)}   ours  recency only`);
  row(`search in the project (${figures.queries} queries)`, figures.searchInProject, figures.recencyInProject);
  row(`search in everything (${figures.queries} queries)`, figures.searchInAll, figures.recencyInAll);
  row(`context (${figures.projects} projects)`, figures.context, figures.contextByRecency);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : (part / whole).toFixed(3);
}
