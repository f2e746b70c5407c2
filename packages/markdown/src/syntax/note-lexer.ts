import { Lexer, type MarkedOptions, type Token, type Tokens } from "marked";
import { textChunks } from "../text-chunks.ts";
import { isCallout } from "./callouts.ts";

/** Reading a paragraph takes time that grows with its square, so longer ones are read in parts. */
const MAX_WHOLE = 8_000;
const PART_CHARACTERS = 4_000;

type InlineText = Lexer["inlineQueue"][number];

/**
 * Reads the blocks of a text first, which takes linear time, and the words in them one block after the other. In a paragraph that is
 * too long to be read at once, marks that reach from one part of it into the next are shown as they were written.
 */
export class NoteLexer extends Lexer {
  readonly #isOver: () => boolean;
  #unread: ReadonlyMap<Token[], InlineText> = new Map();

  /** Once `isOver` returns true, words are taken as they were written. */
  constructor(options: MarkedOptions, isOver: () => boolean) {
    super(options);
    this.#isOver = isOver;
  }

  /** The blocks of a text without line breaks of other systems. What is in them is read by {@link readWords}. */
  readBlocks(text: string): Token[] {
    const blocks = this.blockTokens(text, this.tokens);
    this.#unread = new Map(this.inlineQueue.map((inline) => [inline.tokens, inline]));
    this.inlineQueue = [];
    return blocks;
  }

  /** Reads the words of a block, but not those of blocks in it. */
  readWords(block: Token): void {
    for (const tokens of wordsOf(block)) {
      const inline = this.#unread.get(tokens);
      if (inline === undefined) continue;
      this.state.inRawBlock = false;
      this.inlineTokens(inline.src, tokens);
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= MAX_WHOLE && !this.#isOver()) return super.inlineTokens(source, tokens);
    for (const part of textChunks(source, PART_CHARACTERS)) {
      if (this.#isOver()) tokens.push({ type: "text", raw: part, text: part, escaped: false });
      else super.inlineTokens(part, tokens);
    }
    return tokens;
  }
}

function wordsOf(block: Token): Token[][] {
  if (isTable(block)) return [block.header, ...block.rows].flatMap((row) => row.map(({ tokens }) => tokens));
  const own = "tokens" in block ? [block.tokens] : [];
  return isCallout(block) ? [block.titleTokens, ...own] : own;
}

function isTable(block: Token): block is Tokens.Table {
  return block.type === "table";
}
