/** Drafts of texts longer than this are stored after a short delay instead of on every keystroke. */
const LONG_TEXT = 50_000;
const LONG_DRAFT_DELAY_MS = 300;

/** When the draft of a text that is being edited is stored. */
export class DraftTimer {
  readonly #store: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: () => void) {
    this.#store = store;
  }

  /** Stores the draft of a text of this length: at once, unless it is long. */
  edited(length: number): void {
    if (length <= LONG_TEXT) this.now();
    else this.#timer ??= setTimeout(() => this.now(), LONG_DRAFT_DELAY_MS);
  }

  now(): void {
    this.clear();
    this.#store();
  }

  /** Stores the draft now if it was to be stored later. */
  flush(): void {
    if (this.#timer !== undefined) this.now();
  }

  /** Gives up storing what was to be stored later. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
