/**
 * How many tokens a text takes in a model's context. Used by the server and, through an export of its own, by the hooks CLI. It
 * has no dependencies. Tuned with the vocabulary of OpenAI's recent models, o200k, so that a text seldom takes more.
 */

/** Letters of a word up to the next capital, digits, what is around them; a single space belongs to the word that follows. */
const PIECE = /[A-Z]?[a-z]{1,16}|[A-Z]{1,16}|[0-9]{1,3}| (?=[0-9])|\n+|[^\S\n]{2,}|[^\sA-Za-z0-9]/gu;

/** An upper bound in practice. */
export function estimateTokens(text: string): number {
  return Math.ceil(costOfStart(text, Infinity).cost);
}

/** The text, or as much of its start as with an ellipsis takes at most a number of tokens. */
export function cutToTokens(text: string, maxTokens: number): string {
  if (costOfStart(text, maxTokens).length === text.length) return text;
  // The ellipsis is a token, and next to it the last word may count as one more.
  return `${text.slice(0, costOfStart(text, maxTokens - 2).length).trimEnd()}…`;
}

/** How much of a text's start a number of tokens has room for, and what it costs. */
function costOfStart(text: string, maxTokens: number): { length: number; cost: number } {
  let cost = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const next = cost + costOf(piece, (text[index - 1] ?? "") + (text[index + piece.length] ?? ""));
    if (next > maxTokens) return { length: index, cost };
    cost = next;
  }
  return { length: text.length, cost };
}

function costOf(piece: string, neighbours: string): number {
  const { length } = piece;
  if (/[A-Za-z]/.test(piece)) {
    // Identifiers, hashes and other words that the vocabulary does not have.
    if ((length < 3 ? /[0-9A-Za-z]/ : /[0-9]/).test(neighbours)) return Math.max(1.2, length / 1.5);
    if (length > 1 && piece === piece.toUpperCase()) return Math.max(1, length / 3);
    return Math.max(1, (length + 1) / 5);
  }
  const code = piece.charCodeAt(0);
  // A sign before a word is often part of its token.
  if (code < 0x80) return /[A-Za-z]$/.test(neighbours) ? 0.7 : 1;
  if (code < 0x370) return 1.2;
  // Alphabets and syllabaries, then Chinese, Japanese, Korean and symbols, then pairs of surrogates such as emoji.
  return code < 0x1e00 ? 0.45 : length;
}
