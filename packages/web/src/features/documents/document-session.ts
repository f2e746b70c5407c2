import { compute, computeInSlices } from "../../browser/compute-in-slices.ts";
import type { DocumentDraft, AbandonedDraft } from "./draft-store.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLines } from "./line-merge.ts";

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
  /** `isUnloading`: the page may be about to unload, so the save must not wait for anything. */
  save(text: string, expectedHash: string, isUnloading: boolean): Promise<SaveResult>;
  /** Stores this page's draft; resolves once it is stored. */
  storeDraft(draft: DocumentDraft): Promise<void>;
  /** Removes this page's draft, and no other's. */
  removeDraft(): void;
}

const PAUSE_MS = 900;
const MAX_WAIT_MS = 10_000;
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 30_000];
const MAX_SENT_TEXTS = 4;
/** An edit is of the text that was shown, which may have been replaced so many times in the meantime. */
const MAX_REPLACED_TEXTS = 8;
/** Drafts of texts longer than this are stored after a short delay instead of on every keystroke. */
const LONG_TEXT = 50_000;
const LONG_DRAFT_DELAY_MS = 300;

/** Whether a draft applies to a text directly: nobody else has changed the text since the draft was started. */
export function isBasedOn({ text, baseText, baseHash, sentText }: DocumentDraft, saved: SavedText): boolean {
  return saved.hash === baseHash || [text, baseText, sentText].includes(saved.text);
}

/**
 * A text being edited. Every change is first stored as a draft in this browser; it is saved when typing pauses, but only on
 * top of the text it was based on. A failed save is reported and retried. If somebody else has changed other lines of the text,
 * their changes are taken over; if they have changed the same ones, both versions are kept until the user has merged them.
 *
 * Drafts left by other pages are adopted one after the other, each once the one before it is saved. A left draft is deleted
 * when this session has saved its text, or has stored a draft of its own that includes it.
 */
export class DocumentSession {
  #base: SavedText;
  #state: SessionState;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSinceMs: number | null = null;
  #failures = 0;
  #isClosed = false;
  #saving: Promise<void> | null = null;
  /** The texts sent most recently on top of the base; they may have arrived even if no response said so. */
  #sentTexts: readonly string[] = [];
  /** Texts that were replaced by others' changes, and what edits of them are based on. */
  #replaced: readonly { readonly text: LazyText; readonly base: SavedText }[] = [];
  /** The adopted draft, until a draft of this page includes its text. */
  #adopted: AbandonedDraft | null = null;
  readonly #abandoned: AbandonedDraft[];
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();

  constructor(saved: SavedText, abandoned: readonly AbandonedDraft[], deps: SessionDeps) {
    this.#deps = deps;
    this.#base = saved;
    this.#abandoned = [...abandoned];
    this.#state = { text: saved.text, saving: { kind: "saved" } };
    this.#adoptNext();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): SessionState => this.#state;

  /** Whether everything written here is on the server. */
  get isSaved(): boolean {
    return this.#state.saving.kind === "saved";
  }

  /** `from` is the text that was edited. If others' changes have replaced it by now, the edit is made in the text with their changes. */
  edit(edited: LazyText, from: LazyText = this.#state.text): void {
    if (edited === this.#state.text) return;
    const text = from === this.#state.text ? edited : this.#rebaseEdit(edited, from);
    const { saving } = this.#state;
    // In a conflict, the edit of an older text is to be merged from what that text was based on.
    if (saving.kind === "conflict") this.#set({ text, saving: { ...saving, base: this.#base.text } });
    else this.#set({ text, saving: saving.kind === "saving" ? saving : { kind: "waiting" } });
    if (text.length <= LONG_TEXT) this.#storeDraft();
    else this.#draftTimer ??= setTimeout(() => this.#storeDraft(), LONG_DRAFT_DELAY_MS);
    if (saving.kind !== "conflict") this.#scheduleSave();
  }

  /** Saves unsaved text now, for example when the user leaves. Does nothing during a conflict. */
  async flush(isUnloading = false): Promise<void> {
    clearTimeout(this.#pauseTimer);
    if (this.#saving !== null) await this.#saving;
    if (this.#state.saving.kind === "conflict") return;
    this.#saving ??= this.#save(isUnloading).finally(() => (this.#saving = null));
    await this.#saving;
  }

  /**
   * Saves while the page may be about to unload. A save in flight may never finish then, so newer text is sent as well.
   */
  flushOnUnload(): void {
    if (this.#draftTimer !== undefined) this.#storeDraft();
    if (this.#saving === null) {
      void this.flush(true);
      return;
    }
    const text = this.#text();
    if (this.#state.saving.kind === "saving" && !this.#sentTexts.includes(text)) {
      this.#recordSent(text);
      void this.#deps.save(text, this.#base.hash, true);
    }
  }

  /** Accepts a text read from the server, unless that would undo unsaved edits. */
  receive(saved: SavedText): void {
    if (saved.hash === this.#base.hash || this.#saving !== null) return;
    if (saved.text === this.#base.text) {
      // Only the frontmatter has changed, such as the tags: the edits are rebased onto it.
      this.#rebase(saved);
      if (!this.isSaved) this.#storeDraft();
    } else if (this.isSaved) {
      this.#replace(saved.text, saved, { kind: "saved" });
    }
  }

  /** Ends a conflict with the text into which the user has merged both sides. */
  async resolve(text: string): Promise<void> {
    const { saving } = this.#state;
    if (saving.kind !== "conflict") return;
    this.#replace(text, saving.theirs, { kind: "waiting" });
    this.#storeDraft();
    await this.flush();
  }

  /** Takes over a text that was written elsewhere, as if an earlier visit had left it. */
  adopt(abandoned: AbandonedDraft): void {
    this.#abandoned.push(abandoned);
    if (this.isSaved && this.#saving === null) this.#adoptNext();
  }

  /** Stops saving automatically; the draft stays. */
  close(): void {
    this.#isClosed = true;
    if (this.#draftTimer !== undefined) this.#storeDraft();
    clearTimeout(this.#pauseTimer);
  }

  #text(): string {
    return this.#state.text.toString();
  }

  async #save(isUnloading: boolean): Promise<void> {
    const text = this.#text();
    const base = this.#base;
    if (text === base.text) return this.#settle();
    this.#setSaving({ kind: "saving" });
    this.#recordSent(text);
    const result = await this.#deps.save(text, base.hash, isUnloading);
    switch (result.kind) {
      case "saved":
        // An edit of an older text may be based on another one by now.
        if (this.#base === base) this.#rebase({ text, hash: result.hash });
        return this.#settle();
      case "changed":
        return this.#mergeOrConflict(result.theirs);
      case "failed":
        return this.#fail(result.message);
    }
  }

  /** What was sent is saved; what was written since then is not. */
  #settle(): void {
    this.#failures = 0;
    this.#unsavedSinceMs = null;
    if (this.#text() === this.#base.text) {
      this.#clearDraftTimer();
      this.#deps.removeDraft();
      this.#adopted?.forget();
      this.#adopted = null;
      this.#setSaving({ kind: "saved" });
      this.#adoptNext();
    } else {
      this.#storeDraft();
      this.#setSaving({ kind: "waiting" });
      this.#scheduleSave();
    }
  }

  /** The server's text is not the one that this session's edits are based on. */
  async #mergeOrConflict(theirs: SavedText): Promise<void> {
    const text = this.#text();
    const { text: base } = this.#base;
    if (theirs.text === text || theirs.text === base || this.#sentTexts.includes(theirs.text)) {
      this.#rebase(theirs);
      if (theirs.text === text) return this.#settle();
      this.#setSaving({ kind: "waiting" });
      this.#scheduleSave();
      return;
    }
    const merged = await computeInSlices(mergeLines(base, text, theirs.text));
    // What has been written in the meantime is merged, too.
    if (this.#text() !== text) return this.#mergeOrConflict(theirs);
    if (merged === null) {
      this.#setSaving({ kind: "conflict", base, theirs });
      return;
    }
    this.#replace(merged, theirs, { kind: "waiting" });
    this.#storeDraft();
    this.#scheduleSave();
  }

  #fail(message: string): void {
    this.#setSaving({ kind: "failed", message });
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? PAUSE_MS;
    this.#failures += 1;
    this.#startTimer(delayMs);
  }

  /** Adopts the next left draft; one whose text is already saved is deleted. */
  #adoptNext(): void {
    const abandoned = this.#abandoned.shift();
    if (abandoned === undefined) return;
    const { text, baseText, baseHash } = abandoned.draft;
    const saved = this.#base;
    if (text === saved.text) {
      abandoned.forget();
      this.#adoptNext();
      return;
    }
    this.#adopted = abandoned;
    if (abandoned.draft.sentText !== undefined) this.#recordSent(abandoned.draft.sentText);
    if (isBasedOn(abandoned.draft, saved)) {
      this.#set({ text, saving: { kind: "waiting" } });
      this.#scheduleSave();
    } else {
      // As if it had just been sent.
      this.#rebase({ text: baseText, hash: baseHash });
      this.#set({ text, saving: { kind: "saving" } });
      this.#saving = this.#mergeOrConflict(saved).finally(() => (this.#saving = null));
    }
  }

  /** The edit of a text that others' changes have replaced, made in the present text. In a line that they changed, both are kept apart. */
  #rebaseEdit(edited: LazyText, from: LazyText): LazyText {
    const replaced = this.#replaced.findLast(({ text }) => text === from);
    if (replaced === undefined) return edited;
    const merged = compute(mergeLines(from.toString(), edited.toString(), this.#text()));
    if (merged === null) {
      this.#rebase(replaced.base);
      return edited;
    }
    this.#recordReplaced(edited, replaced.base);
    return merged;
  }

  #recordReplaced(text: LazyText, base: SavedText): void {
    this.#replaced = [...this.#replaced, { text, base }].slice(-MAX_REPLACED_TEXTS);
  }

  /** Shows a text that contains others' changes, up to those in `base`. */
  #replace(text: string, base: SavedText, saving: SavingState): void {
    this.#recordReplaced(this.#state.text, this.#base);
    this.#rebase(base);
    this.#set({ text, saving });
  }

  /** From now on, edits are based on this text. */
  #rebase(base: SavedText): void {
    this.#base = base;
    this.#sentTexts = [];
  }

  #recordSent(text: string): void {
    this.#sentTexts = [...this.#sentTexts, text].slice(-MAX_SENT_TEXTS);
  }

  #scheduleSave(): void {
    this.#unsavedSinceMs ??= Date.now();
    const remainingMs = this.#unsavedSinceMs + MAX_WAIT_MS - Date.now();
    this.#startTimer(Math.max(Math.min(PAUSE_MS, remainingMs), 0));
  }

  #startTimer(delayMs: number): void {
    clearTimeout(this.#pauseTimer);
    if (this.#isClosed) return;
    this.#pauseTimer = setTimeout(() => void this.flush(), delayMs);
  }

  #clearDraftTimer(): void {
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
  }

  #storeDraft(): void {
    this.#clearDraftTimer();
    const adopted = this.#adopted;
    const draft = { text: this.#text(), baseText: this.#base.text, baseHash: this.#base.hash };
    const sentText = this.#sentTexts.at(-1);
    const forgetAdopted = () => {
      adopted?.forget();
      if (this.#adopted === adopted) this.#adopted = null;
    };
    // If there is no room for the draft, the text is still in memory and will be saved.
    this.#deps.storeDraft(sentText === undefined ? draft : { ...draft, sentText }).then(forgetAdopted, () => undefined);
  }

  #setSaving(saving: SavingState): void {
    this.#set({ text: this.#state.text, saving });
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }
}
