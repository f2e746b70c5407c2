/** A memory as far as repetitions go. */
export interface PossibleRepetition {
  readonly id: string;
  readonly nearDuplicateOfId: string | null;
}

/** Words and figures that turn what a sentence says into something else while it looks nearly the same. */
const DISTINGUISHING = /\p{Nd}+|\b(?:not?|never|none|without|cannot)\b|n['’]t\b/giu;

/** Whether two texts that look alike also have the same figures and negations. */
export function saysTheSame(one: string, other: string): boolean {
  return distinguishingMarks(one) === distinguishingMarks(other);
}

/** The figures and negations of a text. */
export function distinguishingMarks(text: string): string {
  return (text.match(DISTINGUISHING) ?? [])
    .map((mark) => mark.toLowerCase())
    .toSorted()
    .join(" ");
}

/** By id, the memory at the end of the chain of those that each one may repeat, as far as they are among `memories`. */
export function originalIds(memories: readonly PossibleRepetition[]): Map<string, string> {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return new Map(memories.map((memory) => [memory.id, findOriginal(memory, byId)]));
}

function findOriginal(memory: PossibleRepetition, byId: ReadonlyMap<string, PossibleRepetition>): string {
  const seen = new Set<string>();
  let original = memory;
  while (original.nearDuplicateOfId !== null && !seen.has(original.id)) {
    const next = byId.get(original.nearDuplicateOfId);
    if (next === undefined) break;
    seen.add(original.id);
    original = next;
  }
  return original.id;
}
