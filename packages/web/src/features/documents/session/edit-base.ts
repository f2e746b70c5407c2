import type { DocumentDraft } from "./draft-store.ts";
import type { SavedText } from "./session-state.ts";
import type { TextVersion } from "./text-version.ts";

const MAX_SENT_TEXTS = 4;

/** The saved text that edits are based on, and what has been sent to replace it. */
export class EditBase {
  #saved: SavedText;
  #version: TextVersion;
  /** The most recent ones; they may have arrived even if no response said so. */
  #sentTexts: readonly string[] = [];
  #setAt = 0;

  constructor(saved: SavedText, version: TextVersion = {}) {
    this.#saved = saved;
    this.#version = version;
  }

  get saved(): SavedText {
    return this.#saved;
  }

  get text(): string {
    return this.#saved.text;
  }

  get hash(): string {
    return this.#saved.hash;
  }

  /** Which edits of the pages the saved text includes. */
  get version(): TextVersion {
    return this.#version;
  }

  /** From now on, edits are based on this text, which includes edits of the pages up to a version. */
  set(saved: SavedText, version = this.#version): void {
    this.#setAt = Date.now();
    this.#saved = saved;
    this.#version = version;
    this.#sentTexts = [];
  }

  recordSent(text: string): void {
    this.#sentTexts = [...this.#sentTexts.filter((sent) => sent !== text), text].slice(-MAX_SENT_TEXTS);
  }

  wasSent(text: string): boolean {
    return this.#sentTexts.includes(text);
  }

  /** Whether what was asked for at a time (in milliseconds since 1970) may be older than what is known here. */
  isNewerThan(askedAt: number): boolean {
    return askedAt <= this.#setAt;
  }

  /** The draft of a text that was edited up to a version. */
  draftOf(text: string, version: TextVersion): DocumentDraft {
    const draft = { text, baseText: this.text, baseHash: this.hash, version, baseVersion: this.#version };
    const sentText = this.#sentTexts.at(-1);
    return sentText === undefined ? draft : { ...draft, sentText };
  }
}
