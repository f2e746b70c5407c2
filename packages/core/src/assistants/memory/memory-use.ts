import { foldText } from "../../platform/fold-text.ts";
import { inSlices } from "../../platform/in-slices.ts";
import type { Turn } from "../transcripts/transcript-turns.ts";
import { queryWords } from "../../platform/search/search-words.ts";

/** Use of a long memory shows in its first marks. */
const MAX_MARKS = 12;
const MIN_MARK_LENGTH = 4;
/** What follows in a step is mostly the content of files. */
const MAX_STEP_CHARACTERS = 4000;

const HYPHENATED_WORDS = /^\p{L}+(?:-\p{L}+)+$/u;
const NUMBER = /^\d{3,}$/;
const YEAR = /^(?:19|20)\d\d$/;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;

/** A memory that a session was given, and the words by which its use is recognised. */
export interface WatchedMemory {
  readonly memoryId: string;
  readonly givenAt: string;
  readonly marks: readonly string[];
}

/** Something that happened in a session, in its order. */
export interface SessionStep {
  /** Whether the assistant did or said it; else the assistant was shown it. */
  readonly isOwn: boolean;
  readonly text: string;
  /** Null if unknown: it then counts as later than what was given. */
  readonly occurredAt: string | null;
}

/**
 * The words of a memory that nobody uses by chance: identifiers, paths and numbers, but not years. Folded. Without those of what it
 * was given for, such as the path of a file that the session opened.
 */
export function marksOf(content: string, subject = ""): string[] {
  const folded = foldText(subject);
  const marks = queryWords(content)
    .filter(({ text, parts }) => {
      if (parts.length === 0) return NUMBER.test(text) && !YEAR.test(text);
      return text.length >= MIN_MARK_LENGTH && !HYPHENATED_WORDS.test(text);
    })
    .map(({ text }) => text);
  return [...new Set(marks)].filter((mark) => !occursAsWord(folded, mark)).slice(0, MAX_MARKS);
}

/**
 * The ids of the memories that a session used: one of the memory's marks, which the session had not been shown otherwise,
 * occurs in what the assistant did or said after it was given the memory.
 */
export async function findUsedMemories(
  watched: readonly WatchedMemory[],
  steps: Iterable<SessionStep>,
): Promise<Set<string>> {
  const used = new Set<string>();
  const open = watched.map(({ marks, ...memory }) => ({ ...memory, marks: new Set(marks) }));
  await inSlices(steps, ({ isOwn, text, occurredAt }) => {
    const folded = foldText(text.slice(0, MAX_STEP_CHARACTERS));
    for (const { memoryId, givenAt, marks } of open) {
      const isLater = occurredAt === null || occurredAt > givenAt;
      for (const mark of used.has(memoryId) ? [] : marks) {
        if (!occursAsWord(folded, mark)) continue;
        if (isOwn && isLater) used.add(memoryId);
        else marks.delete(mark);
      }
    }
  });
  return used;
}

/** The steps of a transcript. */
export function* toSteps(turns: Iterable<Turn>): Generator<SessionStep> {
  for (const { kind, text, occurredAt } of turns) {
    yield { isOwn: kind === "assistant" || kind === "tool_call", text, occurredAt: occurredAt ?? null };
  }
}

function occursAsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? " ", text[at + word.length] ?? " "];
    if (!WORD_CHARACTER.test(before) && !WORD_CHARACTER.test(after)) return true;
  }
  return false;
}
