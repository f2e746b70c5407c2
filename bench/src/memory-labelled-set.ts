/**
 * Evaluates extraction and context on the labelled set, with a scripted model:
 *
 *   npm run bench -- memory-labelled-set
 */
import {
  createMemoryExtractionService,
  createMemoryService,
  createScriptedModel,
  createTestDeps,
  createTranscriptSource,
  loadLabelledSet,
  measureContext,
  measureExtraction,
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
    if (format === "all") await printContext(memory);
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

async function printContext(memory: ReturnType<typeof createMemoryService>): Promise<void> {
  const { projects, context, byRecency } = await measureContext(sessions, memory);
  console.log(
    `\nnDCG@5 of the context, ${projects} projects: ${context.toFixed(3)}; by recency only: ${byRecency.toFixed(3)}`,
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : (part / whole).toFixed(3);
}
