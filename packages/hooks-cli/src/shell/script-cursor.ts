import { Cursor } from "../text/cursor.ts";

const MAX_DEPTH = 24;

/** Skips the tokens of a nested script, up to the parenthesis that closes it. */
export type SkipScript = (cursor: ScriptCursor) => void;

/** A position in a shell script, and the first problem found in it. */
export class ScriptCursor extends Cursor {
  problem: string | undefined;
  /** Words contain scripts and scripts words; this is how the word reader calls the script reader. */
  readonly skipScript: SkipScript;
  #depth: number;

  constructor(text: string, skipScript: SkipScript, depth = 0) {
    super(text);
    this.skipScript = skipScript;
    this.#depth = depth;
  }

  /**
   * Reads something nested, unless the nesting is too deep: then the rest of the text is skipped, and a problem is recorded.
   */
  nested<T>(read: () => T, whenTooDeep: T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.fail("scripts are nested too deeply");
      this.at = this.text.length;
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
    return new ScriptCursor(text, this.skipScript, this.#depth + 1);
  }

  fail(problem: string): void {
    this.problem ??= problem;
  }
}
