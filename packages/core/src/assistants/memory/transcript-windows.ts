import { cutMiddle } from "../transcripts/cut-middle.ts";
import type { Turn } from "../transcripts/transcript-turns.ts";

/** What a model of any size reads with care, its instructions and answer beside it: some 6,000 to 8,000 tokens. */
const WINDOW_CHARS = 24_000;
/** What two parts of one long turn share, so that nothing is cut in half in both. */
const OVERLAP_CHARS = 400;
/** Of a tool's input and output the beginning and the end say what happened; the middle is mostly files and logs. */
const TOOL_CALL_CHARS = 1000;
const TOOL_RESULT_CHARS = 3000;

const SEPARATOR = "\n\n";

const LABELS: Record<Turn["kind"], string> = {
  user: "[user]",
  assistant: "[assistant]",
  tool_call: "[assistant uses]",
  tool_result: "[result]",
};

/** A part of a session as text. */
export interface TranscriptWindow {
  readonly text: string;
  /** What it consists of: turns, or parts of long ones, each with the number of the turn, from 0. */
  readonly pieces: readonly { readonly turn: number; readonly text: string }[];
}

/**
 * A session as text, in parts that fit a model. Nothing that was said is left out. The parts depend only on what comes before
 * their end, so a session that has grown has the same parts as before but for the last. The time for each depends only on its
 * length.
 */
export function* toWindows(turns: readonly Turn[], windowChars = WINDOW_CHARS): Generator<TranscriptWindow> {
  let pieces: TranscriptWindow["pieces"][number][] = [];
  let length = -SEPARATOR.length;
  for (const [turn, own] of turns.entries()) {
    for (const text of renderTurn(own, windowChars)) {
      length += SEPARATOR.length + text.length;
      if (length > windowChars) {
        yield toWindow(pieces);
        pieces = [];
        length = text.length;
      }
      pieces.push({ turn, text });
    }
  }
  if (pieces.length > 0) yield toWindow(pieces);
}

function toWindow(pieces: TranscriptWindow["pieces"]): TranscriptWindow {
  return { text: pieces.map(({ text }) => text).join(SEPARATOR), pieces };
}

function* renderTurn({ kind, text, toolName }: Turn, windowChars: number): Generator<string> {
  const label = LABELS[kind];
  const shown = shorten(kind, toolName === undefined ? text : `${toolName} ${text}`.trimEnd());
  for (const part of splitText(shown, windowChars - label.length - 1)) yield `${label}\n${part}`;
}

function shorten(kind: Turn["kind"], text: string): string {
  switch (kind) {
    case "user":
    case "assistant":
      return text;
    case "tool_call":
      return cutMiddle(text, TOOL_CALL_CHARS);
    case "tool_result":
      return cutMiddle(text, TOOL_RESULT_CHARS);
  }
}

/** Parts of at most `limit` characters that overlap, cut at the end of a line or a word where there is one near. */
function* splitText(text: string, limit: number): Generator<string> {
  let start = 0;
  while (text.length - start > limit) {
    const end = findCut(text, start, start + limit);
    yield text.slice(start, end).toWellFormed();
    start = end - OVERLAP_CHARS;
  }
  yield text.slice(start).toWellFormed();
}

function findCut(text: string, start: number, end: number): number {
  const earliest = start + Math.floor((end - start) / 2) + 1;
  const candidates = text.slice(earliest, end);
  for (const separator of ["\n", " "]) {
    const cut = candidates.lastIndexOf(separator);
    if (cut !== -1) return earliest + cut;
  }
  return end;
}
