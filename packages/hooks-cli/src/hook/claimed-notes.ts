import { type Injection, claimMemories } from "../memory/given-memories.ts";
import type { Memory } from "../memory/memory.ts";
import { toNotes } from "../memory/memory-notes.ts";
import type { HookCall } from "./hook-session.ts";

/** What is to be given, of memories that the session was not given when they were chosen. */
export interface ChosenMemories {
  readonly heading: string;
  readonly memories: readonly Memory[];
  readonly maxTokens: number;
  /** The prompt or the path of the file for which they were chosen. */
  readonly subject: string;
}

/** Memories for a session, without those that another of its hooks has claimed meanwhile. Undefined if none are left. */
export function claimedNotes(
  { home, now }: HookCall,
  sessionId: string,
  { heading, memories, maxTokens, subject }: ChosenMemories,
): Injection | undefined {
  const notes = toNotes(heading, memories, maxTokens, now());
  if (notes === undefined) return undefined;
  const claimed = claimMemories(home, sessionId, { ...notes, subject });
  const isWhole = notes.memoryIds.every((id) => claimed.has(id));
  const own = memories.filter(({ id }) => claimed.has(id));
  const given = isWhole ? notes : toNotes(heading, own, maxTokens, now());
  return given && { ...given, subject };
}
