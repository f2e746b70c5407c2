import type { DocumentDraft } from "./draft-store.ts";

/** A document's text as the server has it. Lines end with "\n". */
export interface SavedText {
  readonly text: string;
  readonly hash: string;
}

export type SavingState =
  | { readonly kind: "saved" }
  /** Written, and about to be saved. */
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  /** Not saved; tried again in a while, and kept as a draft. */
  | { readonly kind: "failed"; readonly message: string }
  /** Somebody else has changed the text meanwhile; nothing is saved until the user has said what it shall be. */
  | { readonly kind: "conflict"; readonly base: string; readonly theirs: SavedText };

export interface SessionState {
  readonly text: string;
  readonly saving: SavingState;
}

/** How a save ends that does not succeed: `changed` where the text is no longer the one that the save was based on. */
export type SaveResult =
  | { readonly kind: "saved"; readonly hash: string }
  | { readonly kind: "changed"; readonly theirs: SavedText }
  | { readonly kind: "failed"; readonly message: string };

export interface SessionDeps {
  save(text: string, expectedHash: string): Promise<SaveResult>;
  keepDraft(draft: DocumentDraft): void;
  dropDraft(): void;
}

const PAUSE_MS = 900;
const LONGEST_WAIT_MS = 10_000;
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 30_000];

/**
 * A text while it is written. Every change is a draft in this browser before anything else; it is saved in a pause, on top
 * of what it began from and of nothing else. A failed save is told and tried again. When somebody else has changed the text,
 * both sides are kept until the user has merged them.
 */
export class DocumentSession {
  #base: SavedText;
  #state: SessionState;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSinceMs: number | null = null;
  #failures = 0;
  #saving: Promise<void> | null = null;
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();

  constructor(saved: SavedText, draft: DocumentDraft | null, deps: SessionDeps) {
    this.#deps = deps;
    this.#base = saved;
    this.#state = { text: saved.text, saving: { kind: "saved" } };
    if (draft !== null) this.#takeUp(draft);
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

  edit(text: string): void {
    if (text === this.#state.text) return;
    const { saving } = this.#state;
    this.#set({ text, saving: saving.kind === "conflict" || saving.kind === "saving" ? saving : { kind: "waiting" } });
    this.#keepDraft();
    if (saving.kind !== "conflict") this.#saveInPause();
  }

  /** Saves what is written now, as on leaving. Does nothing in a conflict. */
  async flush(): Promise<void> {
    clearTimeout(this.#pauseTimer);
    if (this.#saving !== null) await this.#saving;
    if (this.#state.saving.kind === "conflict") return;
    this.#saving ??= this.#save().finally(() => (this.#saving = null));
    await this.#saving;
  }

  /** Takes over what was read from the server, unless something is written here that it would undo. */
  receive(saved: SavedText): void {
    if (saved.hash === this.#base.hash || this.#saving !== null) return;
    if (saved.text === this.#base.text) {
      // Only what stands before the text has changed, such as the tags: what is written here goes on top of that.
      this.#base = saved;
      if (!this.isSaved) this.#keepDraft();
    } else if (this.isSaved) {
      this.#base = saved;
      this.#set({ text: saved.text, saving: { kind: "saved" } });
    }
  }

  /** Ends a conflict with a text that the user has made of both sides. */
  async resolve(text: string): Promise<void> {
    const { saving } = this.#state;
    if (saving.kind !== "conflict") return;
    this.#base = saving.theirs;
    this.#set({ text, saving: { kind: "waiting" } });
    this.#keepDraft();
    await this.flush();
  }

  /** Saves no more by itself; the draft stays. */
  close(): void {
    clearTimeout(this.#pauseTimer);
  }

  async #save(): Promise<void> {
    const { text } = this.#state;
    const { hash } = this.#base;
    if (text === this.#base.text) return this.#settle();
    this.#set({ text, saving: { kind: "saving" } });
    const result = await this.#deps.save(text, hash);
    switch (result.kind) {
      case "saved":
        this.#base = { text, hash: result.hash };
        return this.#settle();
      case "changed":
        return this.#meet(result.theirs);
      case "failed":
        return this.#fail(result.message);
    }
  }

  /** What was sent is saved; what was written since then is not. */
  #settle(): void {
    this.#failures = 0;
    this.#unsavedSinceMs = null;
    if (this.#state.text === this.#base.text) {
      this.#deps.dropDraft();
      this.#setSaving({ kind: "saved" });
    } else {
      this.#keepDraft();
      this.#setSaving({ kind: "waiting" });
      this.#saveInPause();
    }
  }

  /** The server has another text than this one began from. */
  #meet(theirs: SavedText): void {
    const { text } = this.#state;
    if (theirs.text === text || theirs.text === this.#base.text) {
      this.#base = theirs;
      if (theirs.text === text) return this.#settle();
      this.#setSaving({ kind: "waiting" });
      this.#saveInPause();
      return;
    }
    this.#setSaving({ kind: "conflict", base: this.#base.text, theirs });
  }

  #fail(message: string): void {
    this.#setSaving({ kind: "failed", message });
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? PAUSE_MS;
    this.#failures += 1;
    this.#startTimer(delayMs);
  }

  #takeUp(draft: DocumentDraft): void {
    const { text, baseText, baseHash } = draft;
    const saved = this.#base;
    if (text === saved.text) {
      this.#deps.dropDraft();
    } else if (saved.hash === baseHash || saved.text === baseText) {
      this.#state = { text, saving: { kind: "waiting" } };
      this.#saveInPause();
    } else {
      this.#base = { text: baseText, hash: baseHash };
      this.#state = { text, saving: { kind: "conflict", base: baseText, theirs: saved } };
    }
  }

  #saveInPause(): void {
    this.#unsavedSinceMs ??= Date.now();
    const patienceMs = this.#unsavedSinceMs + LONGEST_WAIT_MS - Date.now();
    this.#startTimer(Math.max(Math.min(PAUSE_MS, patienceMs), 0));
  }

  #startTimer(delayMs: number): void {
    clearTimeout(this.#pauseTimer);
    this.#pauseTimer = setTimeout(() => void this.flush(), delayMs);
  }

  #keepDraft(): void {
    this.#deps.keepDraft({ text: this.#state.text, baseText: this.#base.text, baseHash: this.#base.hash });
  }

  #setSaving(saving: SavingState): void {
    this.#set({ text: this.#state.text, saving });
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }
}
