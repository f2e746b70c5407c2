import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { storeProposals, type ExtractedMemories, type Window } from "./extracted-memories.ts";
import type { ExtractionModel, ExtractionQuestion } from "./extraction-model.ts";
import { extractionMessages, readProposals } from "./extraction-prompt.ts";
import { findMentioned } from "./known-memories.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import { selectExtractedWindows } from "./memory-extraction.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import type { NewWindow } from "./pending-extractions.ts";

export interface WindowExtractionDeps extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly redactor: Redactor;
  readonly model: ExtractionModel;
  readonly publish: MemoryPublisher;
}

/** Has a model read parts of transcripts, and stores the memories that it proposes. */
export function createWindowExtraction({ db, clock, ids, logger, redactor, model, publish }: WindowExtractionDeps) {
  /** Those of which no memories have been extracted yet. */
  async function withoutExtracted(windows: readonly NewWindow[]): Promise<readonly NewWindow[]> {
    const hashes = windows.map((window) => window.hash);
    const extracted = await selectExtractedWindows(db.pool, hashes);
    return windows.filter(({ hash }) => !extracted.has(hash));
  }

  /** Throws as {@link ExtractionModel} does; the memories of the windows before the failure are stored. */
  async function extract(windows: readonly NewWindow[], signal: AbortSignal): Promise<MemoryChunk[]> {
    const usageId = ids();
    const memories: MemoryChunk[] = [];
    for (const window of await withoutExtracted(windows))
      memories.push(...(await extractWindow(window, usageId, signal)));
    return memories;
  }

  /** Stored as soon as it is answered: what was paid for stays when a later window fails, and is not paid for again. */
  async function extractWindow(newWindow: NewWindow, usageId: string, signal: AbortSignal): Promise<MemoryChunk[]> {
    let extracted: ExtractedMemories = { memories: [], superseded: [] };
    // Also what was stored of the windows before.
    const mentioned = await findMentioned(db.pool, newWindow.projectPath, newWindow.text);
    const window = { ...newWindow, known: mentioned.known };
    const question: ExtractionQuestion = {
      purpose: "extraction",
      messages: extractionMessages(window.text, mentioned),
      expectsJson: true,
      signal,
      usage: {
        id: usageId,
        source: "memory_extraction",
        sourceId: window.sessionId ?? usageId,
        sourceName: window.projectPath ?? "Transcript",
      },
    };
    await model.ask(question, async (client, text) => {
      extracted = await storeAnswer(client, window, text);
    });
    for (const memory of extracted.memories) publish("create", memory);
    for (const memory of extracted.superseded) publish("edit", memory);
    return extracted.memories;
  }

  async function storeAnswer(client: PoolClient, window: Window, answer: string): Promise<ExtractedMemories> {
    const proposals = readProposals(answer);
    if (proposals === null) {
      logger.warn(
        { sessionId: window.sessionId },
        "the model's answer holds no list of memories; the part is left for later",
      );
      return { memories: [], superseded: [] };
    }
    return storeProposals({ clock, ids, redactor }, client, window, proposals);
  }

  return { withoutExtracted, extract };
}
