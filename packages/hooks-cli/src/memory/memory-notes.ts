import { cutToTokens, estimateTokens } from "@workspace/core/token-estimate";
import { frameContext } from "../transcript/injected-context.ts";
import { storable } from "../redaction/redact.ts";
import type { Injection } from "./given-memories.ts";
import type { Memory } from "./memory.ts";

const DAY_MS = 24 * 3_600_000;
/** A line that is cut to less says nothing any more. */
const MIN_LINE_TOKENS = 30;

/**
 * As many of the memories, from the first, as a number of tokens has room for, each in a line with its type, age and id.
 * Long ones are cut. `heading` says what they are. Undefined if there is none.
 */
export function toNotes(
  heading: string,
  memories: readonly Memory[],
  maxTokens: number,
  nowMs: number,
): Injection | undefined {
  const room = maxTokens - estimateTokens(frameContext(heading));
  const lines = memories.map((memory) => {
    const start = `\n- [${memory.chunkType}, ${ageOf(memory.createdAt, nowMs)}, memory ${memory.id}] `;
    const text = toLine(memory.content);
    return { id: memory.id, start, startTokens: estimateTokens(start), text, tokens: estimateTokens(text) };
  });
  for (let count = lines.length; count > 0; count -= 1) {
    const fitting = lines.slice(0, count);
    const limit = lineLimit(
      fitting.map(({ tokens }) => tokens),
      room - fitting.reduce((sum, { startTokens }) => sum + startTokens, 0),
    );
    if (limit < Math.min(MIN_LINE_TOKENS, Math.max(...fitting.map(({ tokens }) => tokens)))) continue;
    const context = frameContext(heading + fitting.map(({ start, text }) => start + cutToTokens(text, limit)).join(""));
    return { context, memoryIds: fitting.map(({ id }) => id), tokens: estimateTokens(context) };
  }
  return undefined;
}

/** The length to which texts are cut so that together they have room; what is shorter stays whole. */
function lineLimit(lengths: readonly number[], room: number): number {
  const ascending = lengths.toSorted((one, other) => one - other);
  let left = room;
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

/** How long ago something was, for instance "3 weeks ago". */
export function ageOf(createdAt: string, nowMs: number): string {
  const days = Math.max(0, Math.floor((nowMs - Date.parse(createdAt)) / DAY_MS));
  if (Number.isNaN(days)) return "undated";
  if (days < 2) return days === 0 ? "today" : "yesterday";
  if (days < 14) return `${days} days ago`;
  if (days < 60) return `${Math.floor(days / 7)} weeks ago`;
  return days < 730 ? `${Math.floor(days / 30.4)} months ago` : `${Math.floor(days / 365)} years ago`;
}

function toLine(content: string): string {
  const line = content.replaceAll(/[\s\p{Cc}]+/gu, " ");
  return storable(line.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")).trim();
}
