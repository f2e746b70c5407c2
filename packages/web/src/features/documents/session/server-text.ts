import { computeInSlices } from "../../../browser/compute-in-slices.ts";
import type { EditBase } from "./edit-base.ts";
import { mergeLines } from "../merge/line-merge.ts";
import type { TextExchange } from "./text-exchange.ts";

/** How long another page may take to say what it has saved, and a person who is typing to pause, before a question is asked. */
const BEFORE_QUESTION_MS = 3_000;

/**
 * What a text of the server is to the one here, which was not based on it: the same text (`saved`), one that the text here builds on
 * (`included`), one that can be merged with it, or one about which only a person can decide.
 */
export type Judgement =
  | { readonly kind: "saved" | "included" }
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "conflict"; readonly base: string };

/** Judges texts of the server that others have saved while a text was edited here. */
export class ServerText {
  readonly #base: EditBase;
  readonly #exchange: TextExchange;
  /** The text here; null once both sides are to stay as they are. */
  readonly #present: () => string | null;
  #editedAt = 0;

  constructor(base: EditBase, exchange: TextExchange, present: () => string | null) {
    this.#base = base;
    this.#exchange = exchange;
    this.#present = present;
  }

  /** Records that the user has just edited the text. */
  edited(): void {
    this.#editedAt = Date.now();
  }

  /**
   * Calls `decide` as soon as it is known what a text is that was heard of at `since` (in milliseconds since 1970), and before the text here
   * can change again; never if both sides are to stay as they are.
   */
  async judge(theirs: string, since: number, decide: (judgement: Judgement) => void): Promise<void> {
    for (;;) {
      const text = this.#present();
      if (text === null) return;
      const base = this.#base.text;
      if (theirs === text) return decide({ kind: "saved" });
      if (theirs === base || this.#isIncluded(theirs)) return decide({ kind: "included" });
      const merged = await computeInSlices(mergeLines(base, text, theirs));
      // What has been written in the meantime is merged, too.
      if (this.#present() !== text) continue;
      if ((merged === null || this.#exchange.hasOthers) && this.#isTooSoon(since)) {
        await this.#untilKnown(theirs, since);
        continue;
      }
      return decide(merged === null ? { kind: "conflict", base } : { kind: "merged", text: merged });
    }
  }

  /** Whether a text is one that the text here builds on. */
  #isIncluded(text: string): boolean {
    return this.#base.wasSent(text) || this.#exchange.wasRecently(text);
  }

  /**
   * Whether what is to become of a text may turn out by itself: it may be what another page has saved, which has yet to say so. And nobody is
   * asked while typing, because the question takes the place of the text.
   */
  #isTooSoon(since: number): boolean {
    return Date.now() - Math.max(since, this.#editedAt) < BEFORE_QUESTION_MS;
  }

  /** Resolves once it is known that a text is included in the one here, or is known not to be. */
  async #untilKnown(text: string, since: number): Promise<void> {
    while (!this.#isIncluded(text) && this.#isTooSoon(since))
      await new Promise((resolve) => setTimeout(resolve, BEFORE_QUESTION_MS / 30));
  }
}
