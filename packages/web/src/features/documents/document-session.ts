import type { DocumentDraft, LeftDraft } from "./draft-store.ts";

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
  /** `isParting`: the page may be about to go, so nothing is waited for. */
  save(text: string, expectedHash: string, isParting: boolean): Promise<SaveResult>;
  /** Keeps this page's draft; fulfilled once it is kept. */
  keepDraft(draft: DocumentDraft): Promise<void>;
  /** Drops this page's draft, and no other's. */
  dropDraft(): void;
}

const PAUSE_MS = 900;
const LONGEST_WAIT_MS = 10_000;
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 30_000];
const MAX_SENT_TEXTS = 4;

/** Whether a draft goes on top of a text as it is: nobody else has changed that since the draft was begun. */
export function isBasedOn({ text, baseText, baseHash, sentText }: DocumentDraft, saved: SavedText): boolean {
  return saved.hash === baseHash || [text, baseText, sentText].includes(saved.text);
}

/**
 * A text while it is written. Every change is a draft in this browser before anything else; it is saved in a pause, on top
 * of what it began from and of nothing else. A failed save is told and tried again. When somebody else has changed the text,
 * both sides are kept until the user has merged them.
 *
 * Drafts that others have left are taken up one after the other, each when the one before it is saved. One is forgotten
 * when this session has saved what it says, or has put a draft of its own in its place.
 */
export class DocumentSession {
  #base: SavedText;
  #state: SessionState;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSinceMs: number | null = null;
  #failures = 0;
  #saving: Promise<void> | null = null;
  /** What was sent last on top of the base, and may have arrived even where no answer said so. */
  #sentTexts: readonly string[] = [];
  /** The draft that was taken up, until there is one of this page that holds what it says. */
  #takenUp: LeftDraft | null = null;
  readonly #left: LeftDraft[];
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();

  constructor(saved: SavedText, left: readonly LeftDraft[], deps: SessionDeps) {
    this.#deps = deps;
    this.#base = saved;
    this.#left = [...left];
    this.#state = { text: saved.text, saving: { kind: "saved" } };
    this.#takeUpNext();
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
  async flush(isParting = false): Promise<void> {
    clearTimeout(this.#pauseTimer);
    if (this.#saving !== null) await this.#saving;
    if (this.#state.saving.kind === "conflict") return;
    this.#saving ??= this.#save(isParting).finally(() => (this.#saving = null));
    await this.#saving;
  }

  /** Saves while the page may be about to go. A save that is under way then never ends, so what was written since goes too. */
  part(): void {
    const { text, saving } = this.#state;
    if (this.#saving === null) {
      void this.flush(true);
    } else if (saving.kind === "saving" && !this.#sentTexts.includes(text)) {
      this.#noteSent(text);
      void this.#deps.save(text, this.#base.hash, true);
    }
  }

  /** Takes over what was read from the server, unless something is written here that it would undo. */
  receive(saved: SavedText): void {
    if (saved.hash === this.#base.hash || this.#saving !== null) return;
    if (saved.text === this.#base.text) {
      // Only what stands before the text has changed, such as the tags: what is written here goes on top of that.
      this.#rest(saved);
      if (!this.isSaved) this.#keepDraft();
    } else if (this.isSaved) {
      this.#rest(saved);
      this.#set({ text: saved.text, saving: { kind: "saved" } });
    }
  }

  /** Ends a conflict with a text that the user has made of both sides. */
  async resolve(text: string): Promise<void> {
    const { saving } = this.#state;
    if (saving.kind !== "conflict") return;
    this.#rest(saving.theirs);
    this.#set({ text, saving: { kind: "waiting" } });
    this.#keepDraft();
    await this.flush();
  }

  /** Saves no more by itself; the draft stays. */
  close(): void {
    clearTimeout(this.#pauseTimer);
  }

  async #save(isParting: boolean): Promise<void> {
    const { text } = this.#state;
    const { hash } = this.#base;
    if (text === this.#base.text) return this.#settle();
    this.#set({ text, saving: { kind: "saving" } });
    this.#noteSent(text);
    const result = await this.#deps.save(text, hash, isParting);
    switch (result.kind) {
      case "saved":
        this.#rest({ text, hash: result.hash });
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
      this.#takenUp?.forget();
      this.#takenUp = null;
      this.#setSaving({ kind: "saved" });
      this.#takeUpNext();
    } else {
      this.#keepDraft();
      this.#setSaving({ kind: "waiting" });
      this.#saveInPause();
    }
  }

  /** The server has another text than this one began from. */
  #meet(theirs: SavedText): void {
    const { text } = this.#state;
    if (theirs.text === text || theirs.text === this.#base.text || this.#sentTexts.includes(theirs.text)) {
      this.#rest(theirs);
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

  /** Goes on with the next draft that was left; one that says what is saved already is forgotten. */
  #takeUpNext(): void {
    const left = this.#left.shift();
    if (left === undefined) return;
    const { text, baseText, baseHash } = left.draft;
    const saved = this.#base;
    if (text === saved.text) {
      left.forget();
      this.#takeUpNext();
      return;
    }
    this.#takenUp = left;
    if (left.draft.sentText !== undefined) this.#noteSent(left.draft.sentText);
    if (isBasedOn(left.draft, saved)) {
      this.#set({ text, saving: { kind: "waiting" } });
      this.#saveInPause();
    } else {
      this.#rest({ text: baseText, hash: baseHash });
      this.#set({ text, saving: { kind: "conflict", base: baseText, theirs: saved } });
    }
  }

  /** What is written goes on top of this text from now on. */
  #rest(base: SavedText): void {
    this.#base = base;
    this.#sentTexts = [];
  }

  #noteSent(text: string): void {
    this.#sentTexts = [...this.#sentTexts, text].slice(-MAX_SENT_TEXTS);
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
    const takenUp = this.#takenUp;
    const draft = { text: this.#state.text, baseText: this.#base.text, baseHash: this.#base.hash };
    const sentText = this.#sentTexts.at(-1);
    const forgetTakenUp = () => {
      takenUp?.forget();
      if (this.#takenUp === takenUp) this.#takenUp = null;
    };
    // Where there is no room for the draft, the text is still here and tried to be saved.
    this.#deps.keepDraft(sentText === undefined ? draft : { ...draft, sentText }).then(forgetTakenUp, () => undefined);
  }

  #setSaving(saving: SavingState): void {
    this.#set({ text: this.#state.text, saving });
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }
}
