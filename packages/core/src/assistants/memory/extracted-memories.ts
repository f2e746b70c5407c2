import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { contentKey } from "./content-key.ts";
import { occursIn } from "./excerpt.ts";
import { isForgotten } from "./forgotten-memories.ts";
import type { ProposedMemory } from "./extraction-prompt.ts";
import { isSameSubject } from "./known-memories.ts";
import type { MemoryLabel } from "./memory-changes.queries.ts";
import {
  insertExtraction,
  isKnownMemory,
  lockExtractedMemories,
  setLeftOut,
  type ExtractionRecord,
  type KnownMemory,
} from "./memory-extraction.queries.ts";
import type { LeftOutMemory, MemoryChunk } from "./memory.schema.ts";
import { hasReview } from "./memory-review.ts";
import { toCitations } from "./memory-citations.ts";
import { provenCitations } from "./proposed-citations.ts";
import { storeGroundedMemory, type MemoryDraft, type MemoryGrounds, type StoredMemory } from "./new-memory.ts";

interface StoringDeps extends Deps<"clock" | "ids"> {
  readonly redactor: Pick<Redactor, "redact">;
}

/** A part of a transcript, and where it comes from. */
export interface Window {
  readonly hash: string;
  /** With secrets redacted; what the model sees and what excerpts are compared with. */
  readonly text: string;
  /** The turns that it consists of: their positions in the session's transcript, if kept, and their text. */
  readonly turns: readonly { readonly position: number | null; readonly text: string }[];
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  /** The memories that the model was shown, in the order of their numbers. */
  readonly known: readonly KnownMemory[];
}

/** What was stored, and what that replaced. */
export interface ExtractedMemories {
  readonly memories: MemoryChunk[];
  readonly superseded: MemoryLabel[];
}

/** Where a memory comes from. */
interface Origin extends ExtractionRecord, Pick<MemoryDraft, "awaitsReview" | "sourceTurn"> {}

/**
 * Records the extraction of a window and stores those proposals whose excerpt occurs in it and that are not known yet, in the
 * caller's transaction. Stores nothing if the window was already extracted.
 */
export async function storeProposals(
  deps: StoringDeps,
  client: PoolClient,
  window: Window,
  proposals: readonly ProposedMemory[],
): Promise<ExtractedMemories> {
  const { clock, ids } = deps;
  await lockExtractedMemories(client);
  const { hash: windowHash, sessionId, projectPath } = window;
  const extraction = { id: ids(), windowHash, sessionId, projectPath, createdAt: clock.now() };
  const isFirst = await insertExtraction(client, extraction);
  const proven = isFirst ? proposals.filter((proposal) => occursIn(window.text, proposal.excerpt)) : [];
  const extracted: ExtractedMemories = { memories: [], superseded: [] };
  const leftOut: LeftOutMemory[] = [];
  const awaitsReview = await hasReview(client);
  for (const proposal of proven) {
    const origin = { ...extraction, awaitsReview, sourceTurn: sourceTurnOf(window, proposal) };
    const citations = toCitations(provenCitations(window.text, proposal.citations), projectPath, deps);
    const replaced = replacedBy(window, proposal);
    const supersedes = replaced === undefined ? [] : [replaced.id];
    const stored = await storeUnlessKnown(client, ids, origin, proposal, { citations, supersedes });
    if (stored === "forgotten") leftOut.push(toLeftOut(proposal));
    if (stored === null || stored === "forgotten") continue;
    extracted.memories.push(stored.memory);
    extracted.superseded.push(...stored.superseded);
  }
  if (leftOut.length > 0) await setLeftOut(client, extraction.id, leftOut);
  return extracted;
}

function toLeftOut({ type: chunkType, content, excerpt: sourceExcerpt }: ProposedMemory): LeftOutMemory {
  return { chunkType, content, sourceExcerpt };
}

/** The memory that a proposal contradicts according to the model, unless they have hardly a word in common. */
function replacedBy({ known }: Window, { content, replaces }: ProposedMemory): KnownMemory | undefined {
  const replaced = replaces === null ? undefined : known[replaces - 1];
  const isContradicted =
    replaced !== undefined &&
    contentKey(replaced.content) !== contentKey(content) &&
    isSameSubject(replaced.content, content);
  return isContradicted ? replaced : undefined;
}

async function storeUnlessKnown(
  client: PoolClient,
  ids: IdGenerator,
  { id: extractionId, sessionId, projectPath, createdAt, awaitsReview, sourceTurn }: Origin,
  { type: chunkType, content, excerpt: sourceExcerpt, relevance: relevanceScore }: ProposedMemory,
  grounds: MemoryGrounds,
): Promise<StoredMemory | "forgotten" | null> {
  const isReplacing = grounds.supersedes.length > 0;
  const check = { contentKey: contentKey(content), projectPath, sessionId, chunkType, sourceExcerpt, isReplacing };
  if (await isForgotten(client, { content, projectPath })) return "forgotten";
  if (await isKnownMemory(client, check)) return null;
  const draft = {
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
  };
  return storeGroundedMemory(client, draft, grounds);
}

/** The turn that has the excerpt; the first one of the window if the excerpt spans several. */
function sourceTurnOf({ turns }: Window, { excerpt }: ProposedMemory): number | null {
  return (turns.find(({ text }) => occursIn(text, excerpt)) ?? turns[0])?.position ?? null;
}
