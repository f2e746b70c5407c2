import type { DocumentDraft } from "./draft-store.ts";
import type { LazyText } from "./lazy-text.ts";

/** A document's text as the server has it. Lines end with "\n". */
export interface SavedText {
  readonly text: string;
  readonly hash: string;
}

export type SavingState =
  | { readonly kind: "saved" }
  /** Edited, and about to be saved. */
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  /** Not saved; kept as a draft, and retried after a while. */
  | { readonly kind: "failed"; readonly message: string }
  /** Somebody else has changed the text in the meantime; nothing is saved until the user has resolved the conflict. */
  | { readonly kind: "conflict"; readonly base: string; readonly theirs: SavedText };

export interface SessionState {
  readonly text: LazyText;
  readonly saving: SavingState;
}

/** The outcome of a save: `changed` if the server's text is no longer the one that the save was based on. */
export type SaveResult =
  | { readonly kind: "saved"; readonly hash: string }
  | { readonly kind: "changed"; readonly theirs: SavedText }
  | { readonly kind: "failed"; readonly message: string };

export interface SessionDeps {
  /** The id of this page. */
  readonly page: string;
  /** The id of this opening of the text, by which its edits are counted. */
  readonly writer: string;
  /** Whether another page is still open. */
  isOpen(page: string): Promise<boolean>;
  /** `isUnloading`: the page may be about to unload, so the save must not wait for anything. */
  save(text: string, expectedHash: string, isUnloading: boolean): Promise<SaveResult>;
  /** Reads the text from the server; null if that is not possible at present. */
  read(): Promise<SavedText | null>;
  /** Stores this page's draft; resolves once it is stored. */
  storeDraft(draft: DocumentDraft): Promise<void>;
  /** Removes this page's draft, and those that closed pages have left of earlier versions, because this text is saved. */
  removeDraft(saved: DocumentDraft): void;
}

/** Whether a draft applies to a text directly: nobody else has changed the text since the draft was started. */
export function isBasedOn({ text, baseText, baseHash, sentText }: DocumentDraft, saved: SavedText): boolean {
  return saved.hash === baseHash || [text, baseText, sentText].includes(saved.text);
}
