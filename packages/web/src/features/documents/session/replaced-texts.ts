import { compute } from "../../../browser/compute-in-slices.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLetters } from "../merge/letter-merge.ts";
import { mergeLines } from "../merge/line-merge.ts";
import { lastTexts } from "./last-texts.ts";
import type { SavedText } from "./session-state.ts";
import type { TextVersion } from "./text-version.ts";

/** A text that was replaced by others' changes, with what edits of it are based on. */
export interface Replaced {
  readonly text: LazyText;
  readonly base: SavedText;
  readonly baseVersion: TextVersion;
  readonly version: TextVersion;
  /** Whether what replaced it was written in another page of the same browser. */
  readonly isByPage: boolean;
}

/** Texts that others' changes have replaced. Edits may still be of them: of what was shown, however often it has been replaced since. */
export class ReplacedTexts {
  #texts: readonly Replaced[] = [];

  record(replaced: Replaced): void {
    this.#texts = lastTexts([...this.#texts, replaced]);
  }

  /** The edit of a replaced text, made in the present one; `text` is null if that would leave open what the text should be. */
  rebase(
    edited: LazyText,
    from: LazyText,
    present: LazyText,
  ): { readonly text: string | null; readonly replaced: Replaced | undefined } {
    const replaced = this.#texts.findLast(({ text }) => text === from);
    const texts = [from.toString(), edited.toString(), present.toString()] as const;
    const text = compute(replaced?.isByPage === false ? mergeLines(...texts) : mergeLetters(...texts));
    if (text !== null && replaced !== undefined) this.record({ ...replaced, text: edited });
    return { text, replaced };
  }
}
