import { Cursor } from "../text/cursor.ts";

const MAX_DEPTH = 24;

/** Skips the tokens of a nested script, up to the parenthesis that closes it. */
export type SkipScript = (cursor: ScriptCursor) => void;

/** How many tokens may still be read. */
export interface TokenBudget {
  left: number;
}

/** A position in a shell script, and the first problem found in it. */
export class ScriptCursor extends Cursor {
  problem: string | undefined;
  /** Whether something was nested too deeply to be read, here or in a text found within this one. */
  isCutOff = false;
  /** Words contain scripts and scripts words; this is how the word reader calls the script reader. */
  readonly skipScript: SkipScript;
  readonly #budget: TokenBudget;
  #depth: number;
  readonly #outer: ScriptCursor | undefined;

  constructor(text: string, skipScript: SkipScript, budget: TokenBudget, depth = 0, outer?: ScriptCursor) {
    super(text);
    this.skipScript = skipScript;
    this.#budget = budget;
    this.#depth = depth;
    this.#outer = outer;
  }

  /**
   * Reads something nested, unless the nesting is too deep: then the rest of the text is skipped, and a problem is recorded.
   */
  nested<T>(read: () => T, whenTooDeep: T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.#cutOff();
      return whenTooDeep;
    }
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** A cursor at the start of another text that was found in this one. */
  within(text: string): ScriptCursor {
    return new ScriptCursor(text, this.skipScript, this.#budget, this.#depth + 1, this);
  }

  /** Whether another token, or something of that cost, may be read; otherwise the rest of the text is skipped, and a problem is recorded. */
  takeToken(cost = 1): boolean {
    this.#budget.left -= cost;
    if (this.#budget.left < 0) this.#cutOff();
    return !this.isAtEnd;
  }

  /** Skips the rest of this text, and of those that it was found in. */
  #cutOff(): void {
    this.isCutOff = true;
    this.fail("the command is too large");
    this.at = this.text.length;
    if (this.#outer !== undefined) this.#outer.#cutOff();
  }

  fail(problem: string): void {
    this.problem ??= problem;
  }
}
