import { DocumentSession } from "../features/documents/session/document-session.ts";
import type { AbandonedDraft, DocumentDraft } from "../features/documents/session/draft-store.ts";
import type { SavedText } from "../features/documents/session/session-state.ts";
import { TextServer } from "./text-server.ts";

export const START: SavedText = { text: "one", hash: "h1" };

/** A server with one text, and a browser with this page's draft and the drafts left by other pages. */
export class TextWorld extends TextServer {
  override stored = START;
  draft: DocumentDraft | null = null;
  left: DocumentDraft[] = [];
  /** The server saves but its responses are lost. */
  isSilent = false;
  sent: { text: string; isUnloading: boolean }[] = [];

  open(): DocumentSession {
    return new DocumentSession(this.stored, this.left.map(this.#offer), {
      page: "this page",
      writer: "this page.1",
      isOpen: () => Promise.resolve(true),
      save: (text, expectedHash, isUnloading) => {
        this.sent.push({ text, isUnloading });
        const result = this.save(text, expectedHash);
        return this.isSilent ? new Promise(() => undefined) : Promise.resolve(result);
      },
      read: () => Promise.resolve(this.readable),
      storeDraft: (draft) => {
        this.draft = draft;
        return Promise.resolve();
      },
      removeDraft: () => (this.draft = null),
    });
  }

  readonly #offer = (draft: DocumentDraft): AbandonedDraft => ({
    draft,
    forget: () => (this.left = this.left.filter((other) => other !== draft)),
  });
}
