import type { SavedText, SaveResult } from "../features/documents/session/session-state.ts";

/** A server with one text. */
export class TextServer {
  stored: SavedText = { text: "", hash: "h1" };
  /** Why it saves nothing at present; null if it does. */
  failure: string | null = null;
  saves = 0;

  /** What it answers when it is read; null while it fails. */
  get readable(): SavedText | null {
    return this.failure === null ? this.stored : null;
  }

  save(text: string, expectedHash: string): SaveResult {
    if (this.failure !== null) return { kind: "failed", message: this.failure };
    if (expectedHash !== this.stored.hash) return { kind: "changed", theirs: this.stored };
    this.saves += 1;
    this.stored = { text, hash: `saved ${this.saves}` };
    return { kind: "saved", hash: this.stored.hash };
  }
}
