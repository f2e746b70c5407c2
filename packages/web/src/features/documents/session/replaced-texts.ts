import { compute } from "../../../browser/compute-in-slices.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLetters } from "../merge/letter-merge.ts";
import { mergeLines } from "../merge/line-merge.ts";
import type { SavedText } from "./session-state.ts";
import type { TextVersion } from "./text-exchange.ts";

/** A text that was replaced by others' changes, with what edits of it are based on. */
interface Replaced {
  readonly text: LazyText;
  readonly base: SavedText;
  readonly version: TextVersion;
  /** Whether what replaced it was written in another page of the same browser. */
  readonly isByPage: boolean;
}

/** An edit is of the text that was shown, which may have been replaced so many times in the meantime. */
const MAX_TEXTS = 8;

/** Texts that others' changes have replaced, which edits may still be of. */
export class ReplacedTexts {
  #texts: readonly Replaced[] = [];

  record(replaced: Replaced): void {
    this.#texts = [...this.#texts, replaced].slice(-MAX_TEXTS);
  }

  /**
   * The edit of a replaced text, made in the present one; `text` is null if that would leave open what the text should be.
   * `unknown` if the text was not replaced.
   */
  rebase(
    edited: LazyText,
    from: LazyText,
    present: LazyText,
  ): "unknown" | { readonly text: string | null; readonly replaced: Replaced } {
    const replaced = this.#texts.findLast(({ text }) => text === from);
    if (replaced === undefined) return "unknown";
    const texts = [from.toString(), edited.toString(), present.toString()] as const;
    const text = compute(replaced.isByPage ? mergeLetters(...texts) : mergeLines(...texts));
    if (text !== null) this.record({ ...replaced, text: edited });
    return { text, replaced };
  }
}
