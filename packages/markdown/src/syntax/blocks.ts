import type { Lexer, Token } from "marked";

/** The blocks of a text within another one; what is in its lines is read later, with that of the whole text. */
export function blocksOf(lexer: Lexer, text: string): Token[] {
  const { state } = lexer;
  const { top } = state;
  // Within list items, paragraphs are mere text.
  state.top = true;
  const tokens = lexer.blockTokens(text, []);
  state.top = top;
  return tokens;
}
