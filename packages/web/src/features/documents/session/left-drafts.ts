import type { AbandonedDraft } from "./draft-store.ts";

/**
 * The drafts of a text that closed pages have left. They are adopted one after the other, each once the one before it is saved. One is
 * deleted once a session has saved its text, or has stored a draft of its own that includes it.
 */
export class LeftDrafts {
  readonly #waiting: AbandonedDraft[];
  #adopted: AbandonedDraft | null = null;

  constructor(left: readonly AbandonedDraft[]) {
    this.#waiting = [...left];
  }

  add(left: AbandonedDraft): void {
    this.#waiting.push(left);
  }

  next(): AbandonedDraft | undefined {
    return this.#waiting.shift();
  }

  /** Keeps a draft until it is saved, or until a draft of this page includes its text. */
  adopt(left: AbandonedDraft): void {
    this.#adopted = left;
  }

  forgetAdopted(): void {
    this.#adopted?.forget();
    this.#adopted = null;
  }

  /** Returns a function that forgets the draft that is adopted now, not one that is adopted later. */
  forgetPresent(): () => void {
    const adopted = this.#adopted;
    return () => {
      adopted?.forget();
      if (this.#adopted === adopted) this.#adopted = null;
    };
  }
}
