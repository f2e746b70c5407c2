import type { LazyText } from "./lazy-text.ts";

const MAX_TEXTS = 1_000;
const MIN_TEXTS = 8;
const MAX_CHARACTERS = 10_000_000;

/** The last thousand texts; fewer, if they are long: as many as have ten million characters together, but at least eight. */
export function lastTexts<T extends { readonly text: LazyText }>(texts: readonly T[]): readonly T[] {
  const last = texts.slice(-MAX_TEXTS);
  let characters = 0;
  const tooMany = last.findLastIndex(({ text }) => (characters += text.length) > MAX_CHARACTERS);
  return last.slice(Math.max(0, Math.min(tooMany + 1, last.length - MIN_TEXTS)));
}
