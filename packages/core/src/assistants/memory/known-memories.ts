import type { Queryable } from "@workspace/db";
import { inSlices } from "../../platform/in-slices.ts";
import { isFiller } from "./list-words.ts";
import { selectForgottenContents, selectKnownMemories, type KnownMemory } from "./memory-extraction.queries.ts";
import { searchWords } from "../../platform/search/search-words.ts";

/** Of a project's memories, the newest so many are considered, with their first characters. */
const MAX_CONSIDERED = 500;
const MAX_CHARACTERS = 500;
const MAX_MENTIONED = 10;
/** Splitting so much into words takes a few milliseconds. */
const PART_CHARACTERS = 4_000;
/** What a text is about has so much of the rarity of its words in another text that mentions it. */
const MIN_SHARE = 1 / 3;
/** The letters by which a word is recognised in its other forms. */
const STEM_LENGTH = 6;
/** Two memories have so many words in common if one can contradict the other. */
const MIN_COMMON_WORDS = 2;

/** Memories that a part of a session may be about, the most likely first. */
export interface MentionedMemories {
  /** Those that the project has. */
  readonly known: readonly KnownMemory[];
  /** Those that were forgotten there, while their texts are kept. */
  readonly forgotten: readonly KnownMemory[];
}

/** The memories of a project that a part of a session may be about. */
export async function findMentioned(
  db: Queryable,
  projectPath: string | null,
  text: string,
): Promise<MentionedMemories> {
  const size = { limit: MAX_CONSIDERED, characters: MAX_CHARACTERS };
  const known = await selectKnownMemories(db, projectPath, size);
  const forgotten = await selectForgottenContents(db, projectPath, size);
  const mentioned = new Set<string>();
  const parts = known.length + forgotten.length === 0 ? [] : inParts(text);
  await inSlices(parts, (part) => stemsOf(part).forEach((word) => mentioned.add(word)));
  return { known: await mostMentioned(known, mentioned), forgotten: await mostMentioned(forgotten, mentioned) };
}

async function mostMentioned(
  candidates: readonly KnownMemory[],
  mentioned: ReadonlySet<string>,
): Promise<KnownMemory[]> {
  const memories: { readonly memory: KnownMemory; readonly words: ReadonlySet<string> }[] = [];
  const frequencies = new Map<string, number>();
  await inSlices(candidates, (memory) => {
    const words = stemsOf(memory.content);
    memories.push({ memory, words });
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  });
  const rarityOf = (word: string) => Math.log(1 + memories.length / (frequencies.get(word) ?? 1));
  const rarity = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + rarityOf(word), 0);
  return memories
    .map(({ memory, words }) => ({
      memory,
      share: rarity([...words].filter((word) => mentioned.has(word))) / Math.max(1e-9, rarity(words)),
    }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MAX_MENTIONED)
    .map(({ memory }) => memory);
}

/** Whether two texts have enough in common for one to contradict the other. */
export function isSameSubject(one: string, other: string): boolean {
  const words = stemsOf(one);
  return [...stemsOf(other)].filter((word) => words.has(word)).length >= MIN_COMMON_WORDS;
}

/** A word that is cut in two is missed. */
function inParts(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PART_CHARACTERS) }, (_, index) =>
    text.slice(index * PART_CHARACTERS, (index + 1) * PART_CHARACTERS),
  );
}

function stemsOf(text: string): Set<string> {
  const telling = searchWords(text).filter((word) => !isFiller(word.text));
  return new Set(telling.map((word) => (word.dictionary === null ? word.text : word.text.slice(0, STEM_LENGTH))));
}
