import type { PoolClient } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { contentKey } from "./content-key.ts";
import { occursIn } from "./excerpt.ts";
import { isForgotten } from "./forgotten-memories.ts";
import type { ProposedMemory } from "./extraction-prompt.ts";
import {
  insertExtraction,
  isKnownMemory,
  lockExtractedMemories,
  type ExtractionRecord,
} from "./memory-extraction.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { hasReview } from "./memory-review.ts";
import { storeMemory, type MemoryDraft } from "./new-memory.ts";

/** A part of a transcript, and where it comes from. */
export interface Window {
  readonly hash: string;
  /** With secrets redacted; what the model sees and what excerpts are compared with. */
  readonly text: string;
  /** The turns that it consists of: their positions in the session's transcript, if kept, and their text. */
  readonly turns: readonly { readonly position: number | null; readonly text: string }[];
  readonly sessionId: string | null;
  readonly projectPath: string | null;
}

/** Where a memory comes from. */
interface Origin extends ExtractionRecord, Pick<MemoryDraft, "awaitsReview" | "sourceTurn"> {}

/**
 * Records the extraction of a window and stores those proposals whose excerpt occurs in it and that are not known yet, in the
 * caller's transaction. Stores nothing if the window was already extracted.
 */
export async function storeProposals(
  { clock, ids }: { readonly clock: Clock; readonly ids: IdGenerator },
  client: PoolClient,
  window: Window,
  proposals: readonly ProposedMemory[],
): Promise<MemoryChunk[]> {
  await lockExtractedMemories(client);
  const { hash: windowHash, sessionId, projectPath } = window;
  const extraction = { id: ids(), windowHash, sessionId, projectPath, createdAt: clock.now() };
  const isFirst = await insertExtraction(client, extraction);
  const proven = isFirst ? proposals.filter((proposal) => occursIn(window.text, proposal.excerpt)) : [];
  const stored: MemoryChunk[] = [];
  const awaitsReview = await hasReview(client);
  for (const proposal of proven) {
    const origin = { ...extraction, awaitsReview, sourceTurn: sourceTurnOf(window, proposal) };
    const memory = await storeUnlessKnown(client, ids, origin, proposal);
    if (memory !== null) stored.push(memory);
  }
  return stored;
}

async function storeUnlessKnown(
  client: PoolClient,
  ids: IdGenerator,
  { id: extractionId, sessionId, projectPath, createdAt, awaitsReview, sourceTurn }: Origin,
  { type: chunkType, content, excerpt: sourceExcerpt, relevance: relevanceScore }: ProposedMemory,
): Promise<MemoryChunk | null> {
  const check = { contentKey: contentKey(content), projectPath, sessionId, chunkType, sourceExcerpt };
  if ((await isKnownMemory(client, check)) || (await isForgotten(client, { content, projectPath }))) return null;
  const { memory } = await storeMemory(client, {
    id: ids(),
    sessionId,
    projectPath,
    chunkType,
    content,
    sourceExcerpt,
    sourceTurn,
    relevanceScore,
    extractionId,
    awaitsReview,
    createdAt,
  });
  return memory;
}

/** The turn that has the excerpt; the first one of the window if the excerpt spans several. */
function sourceTurnOf({ turns }: Window, { excerpt }: ProposedMemory): number | null {
  return (turns.find(({ text }) => occursIn(text, excerpt)) ?? turns[0])?.position ?? null;
}
