import { newLocalId } from "../../../api/local-id.ts";
import { computeInSlices } from "../../../browser/compute-in-slices.ts";
import type { DocumentDraft, AbandonedDraft, DraftInUse } from "./draft-store.ts";
import { EditBase } from "./edit-base.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLines } from "../merge/line-merge.ts";
import { ReplacedTexts } from "./replaced-texts.ts";
import { SaveDelays } from "./save-delays.ts";
import { isBasedOn, type SavedText, type SavingState, type SessionDeps, type SessionState } from "./session-state.ts";
import { includesVersion, TextExchange } from "./text-exchange.ts";

/** How often it is checked whether the page that has written a text is still there to save it. */
const AUTHOR_CHECK_MS = 3_000;
/** How long another page may take to say what it has saved. */
const OTHERS_HEARD_MS = 1_000;
/** Drafts of texts longer than this are stored after a short delay instead of on every keystroke. */
const LONG_TEXT = 50_000;
const LONG_DRAFT_DELAY_MS = 300;

/**
 * A text being edited. Every change is first stored as a draft in this browser; it is saved when typing pauses, but only on
 * top of the text it was based on. A failed save is reported and retried. If somebody else has changed other lines of the text,
 * their changes are taken over; if they have changed the same ones, both versions are kept until the user has merged them.
 *
 * What is written in one of several pages that show the text is shown in the others, and saved by the page in which it was written as
 * long as that is open.
 *
 * Drafts left by other pages are adopted one after the other, each once the one before it is saved. A left draft is deleted
 * when this session has saved its text, or has stored a draft of its own that includes it.
 */
export class DocumentSession {
  readonly #base: EditBase;
  #state: SessionState;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #saving: Promise<void> | null = null;
  readonly #delays = new SaveDelays();
  readonly #replaced = new ReplacedTexts();
  /** The adopted draft, until a draft of this page includes its text. */
  #adopted: AbandonedDraft | null = null;
  readonly #abandoned: AbandonedDraft[];
  readonly #exchange: TextExchange;
  /** The page that saves the text, since this one has nothing to add to it. */
  #author: string | null = null;
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();

  constructor(saved: SavedText, abandoned: readonly AbandonedDraft[], deps: SessionDeps) {
    this.#deps = deps;
    this.#exchange = new TextExchange(newLocalId());
    this.#base = new EditBase(saved);
    this.#abandoned = [...abandoned];
    this.#state = { text: saved.text, saving: { kind: "saved" } };
    this.#adoptNext();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): SessionState => this.#state;

  /** Whether another page saves the text. */
  get isSavedElsewhere(): boolean {
    return this.#author !== null;
  }

  /** Whether everything written here is on the server. */
  get isSaved(): boolean {
    return this.#state.saving.kind === "saved";
  }

  /** `from` is the text that was edited. If others' changes have replaced it by now, the edit is made in the text with their changes. */
  edit(edited: LazyText, from: LazyText = this.#state.text): void {
    if (edited === this.#state.text) return;
    const text = from === this.#state.text ? edited : this.#rebaseEdit(edited, from);
    this.#exchange.edited(text);
    this.#write(text);
  }

  /** Saves unsaved text now, for example when the user leaves. Does nothing during a conflict, and with a text that another page saves. */
  async flush(isUnloading = false): Promise<void> {
    if (this.#saving !== null) await this.#saving;
    if (this.#state.saving.kind === "conflict" || this.#author !== null) return;
    clearTimeout(this.#pauseTimer);
    this.#saving ??= this.#save(isUnloading).finally(() => (this.#saving = null));
    await this.#saving;
  }

  /** Saves unsaved text now, also if another page was to save it. */
  async saveNow(): Promise<void> {
    if (this.#author !== null) {
      this.#author = null;
      this.#storeDraft();
    }
    await this.flush();
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
    const isOwn = this.#state.saving.kind === "saving" && this.#author === null;
    if (isOwn && !this.#base.wasSent(text)) {
      this.#base.recordSent(text);
      void this.#deps.save(text, this.#base.hash, true);
    }
  }

  /** Accepts a text read from the server, unless that would undo unsaved edits. */
  receive(saved: SavedText): void {
    if (saved.hash === this.#base.hash || this.#saving !== null) return;
    if (saved.text === this.#base.text) {
      // Only the frontmatter has changed, such as the tags: the edits are rebased onto it. If it has just been created, it can be saved now.
      this.#base.set(saved);
      if (this.isSaved) return;
      this.#storeDraft();
      if (this.#state.saving.kind === "failed") this.#scheduleSave();
    } else if (saved.text === this.#text()) {
      this.#base.set(saved, this.#exchange.version);
      this.#settle();
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

  /** Gives up what is not saved. */
  async discard(): Promise<void> {
    if (this.#saving !== null) await this.#saving;
    const { saved } = this.#base;
    this.#replace(saved.text, saved, { kind: "waiting" });
    this.#settle();
  }

  /** Takes over a text that was written elsewhere, as if an earlier visit had left it. */
  adopt(abandoned: AbandonedDraft): void {
    this.#abandoned.push(abandoned);
    if (this.isSaved && this.#saving === null) this.#adoptNext();
  }

  /**
   * Takes over what another open page of this browser has written, with what was written here. What cannot be merged is kept apart until it
   * is saved.
   */
  take({ page, draft }: DraftInUse): void {
    const { version } = draft;
    const isConflict = this.#state.saving.kind === "conflict";
    if (version === undefined || (isConflict && !includesVersion(version, this.#exchange.version))) return;
    const replaced = {
      text: this.#state.text,
      base: this.#base.saved,
      version: this.#exchange.version,
      isByPage: true,
    };
    const exchanged = this.#exchange.exchange(
      { ...this.#draft(), page: this.#author ?? this.#deps.page },
      { ...draft, page, version },
    );
    if (exchanged.kind === "apart") return;
    if (draft.sentText !== undefined) this.#base.recordSent(draft.sentText);
    if (exchanged.kind === "mine") return this.#takeBase(draft);
    this.#replaced.record(replaced);
    if (exchanged.kind === "merged") this.#write(exchanged.text);
    else this.#follow(draft, page);
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
    const base = this.#base.saved;
    if (text === base.text) return this.#settle();
    this.#setSaving({ kind: "saving" });
    this.#base.recordSent(text);
    const { version } = this.#exchange;
    const result = await this.#deps.save(text, base.hash, isUnloading);
    switch (result.kind) {
      case "saved":
        // An edit of an older text may be based on another one by now.
        if (this.#base.saved === base) this.#base.set({ text, hash: result.hash }, version);
        return this.#settle();
      case "changed":
        return this.#mergeOrConflict(result.theirs);
      case "failed":
        return this.#fail(result.message);
    }
  }

  /** What was sent is saved; what was written since then is not. */
  #settle(): void {
    this.#delays.reset();
    if (this.#text() === this.#base.text) {
      this.#clearDraftTimer();
      this.#author = null;
      this.#deps.removeDraft(this.#draft());
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
  async #mergeOrConflict(theirs: SavedText, hasWaited = false): Promise<void> {
    const text = this.#text();
    const { text: base } = this.#base;
    if (theirs.text === text || theirs.text === base || this.#isIncluded(theirs.text)) {
      const isSaved = theirs.text === text;
      this.#base.set(theirs, isSaved ? this.#exchange.version : undefined);
      if (isSaved) return this.#settle();
      this.#setSaving({ kind: "waiting" });
      this.#scheduleSave();
      return;
    }
    const merged = await computeInSlices(mergeLines(base, text, theirs.text));
    // What has been written in the meantime is merged, too.
    if (this.#text() !== text) return this.#mergeOrConflict(theirs, hasWaited);
    if (merged === null && !hasWaited && this.#exchange.hasOthers) {
      // It may be what another page has saved and this one is still to hear of.
      await this.#untilKnown(theirs.text);
      return this.#mergeOrConflict(theirs, true);
    }
    if (merged === null) {
      this.#setSaving({ kind: "conflict", base, theirs });
      return;
    }
    this.#replace(merged, theirs, { kind: "waiting" });
    this.#storeDraft();
    this.#scheduleSave();
  }

  /** Whether a text of the server is one that the text here builds on. */
  #isIncluded(text: string): boolean {
    return this.#base.wasSent(text) || this.#exchange.wasRecently(text);
  }

  /** Resolves once other pages have said that a text of the server is theirs, or have had the time to. */
  async #untilKnown(text: string): Promise<void> {
    const until = Date.now() + OTHERS_HEARD_MS;
    while (!this.#isIncluded(text) && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, OTHERS_HEARD_MS / 10));
  }

  #fail(message: string): void {
    this.#setSaving({ kind: "failed", message });
    this.#startTimer(this.#delays.afterFailure());
  }

  /** Adopts the next left draft; one whose text is already saved is deleted. */
  #adoptNext(): void {
    const abandoned = this.#abandoned.shift();
    if (abandoned === undefined) return;
    const { text, baseText, baseHash, version } = abandoned.draft;
    const { saved } = this.#base;
    const isIncluded = version !== undefined && includesVersion(this.#exchange.version, version);
    if (text === saved.text || isIncluded) {
      if (text === saved.text && version !== undefined) {
        this.#exchange.restart(text, version);
        this.#base.set(saved, version);
        this.#deps.removeDraft(this.#draft());
      }
      abandoned.forget();
      this.#adoptNext();
      return;
    }
    this.#adopted = abandoned;
    this.#exchange.restart(text, version);
    if (abandoned.draft.sentText !== undefined) this.#base.recordSent(abandoned.draft.sentText);
    if (isBasedOn(abandoned.draft, saved)) {
      this.#set({ text, saving: { kind: "waiting" } });
      this.#scheduleSave();
    } else {
      // As if it had just been sent.
      this.#base.set({ text: baseText, hash: baseHash });
      this.#set({ text, saving: { kind: "saving" } });
      this.#saving = this.#mergeOrConflict(saved).finally(() => (this.#saving = null));
    }
  }

  /** Shows a text that was written here, and has it saved. */
  #write(text: LazyText): void {
    const { saving } = this.#state;
    this.#author = null;
    // In a conflict, the edit of an older text is to be merged from what that text was based on.
    if (saving.kind === "conflict") this.#set({ text, saving: { ...saving, base: this.#base.text } });
    else this.#set({ text, saving: saving.kind === "saving" ? saving : { kind: "waiting" } });
    if (text.length <= LONG_TEXT) this.#storeDraft();
    else this.#draftTimer ??= setTimeout(() => this.#storeDraft(), LONG_DRAFT_DELAY_MS);
    if (saving.kind !== "conflict") this.#scheduleSave();
  }

  /** The edit of a text that others' changes have replaced, made in the present text; what cannot be made there is kept apart. */
  #rebaseEdit(edited: LazyText, from: LazyText): LazyText {
    const rebased = this.#replaced.rebase(edited, from, this.#state.text);
    if (rebased === "unknown") return edited;
    if (rebased.text !== null) return rebased.text;
    this.#base.set(rebased.replaced.base);
    this.#exchange.restart(from, rebased.replaced.version);
    return edited;
  }

  /** Shows a text that contains others' changes, up to those in `base`. */
  #replace(text: string, base: SavedText, saving: SavingState): void {
    const { version } = this.#exchange;
    this.#replaced.record({ text: this.#state.text, base: this.#base.saved, version, isByPage: false });
    this.#exchange.takesIn();
    if (saving.kind !== "saved") this.#exchange.edited(text);
    this.#author = null;
    this.#base.set(base);
    this.#set({ text, saving });
  }

  #scheduleSave(): void {
    this.#startTimer(this.#delays.afterEdit());
  }

  #startTimer(delayMs: number): void {
    clearTimeout(this.#pauseTimer);
    if (this.#isClosed) return;
    const author = this.#author;
    if (author === null) this.#pauseTimer = setTimeout(() => void this.flush(), delayMs);
    else this.#pauseTimer = setTimeout(() => void this.#checkAuthor(author), AUTHOR_CHECK_MS);
  }

  /** Saves the text of a page that was closed before it could, or that has not saved it for long. */
  async #checkAuthor(author: string): Promise<void> {
    const isOpen = await this.#deps.isOpen(author);
    if (this.#author !== author || this.isSaved || this.#isClosed) return;
    if (!isOpen || this.#state.saving.kind === "failed") return this.saveNow();
    this.#setSaving({ kind: "failed", message: "It was written in another tab, which has not saved it yet." });
    this.#startTimer(AUTHOR_CHECK_MS);
  }

  #clearDraftTimer(): void {
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
  }

  /** Shows a text that another page has written, and saves. */
  #follow({ text, baseText, baseHash, baseVersion = {}, sentText }: DocumentDraft, page: string): void {
    const { saving } = this.#state;
    this.#author = page;
    this.#set({ text, saving: saving.kind === "saved" || saving.kind === "conflict" ? { kind: "waiting" } : saving });
    if (this.#saving !== null) return;
    this.#base.set({ text: baseText, hash: baseHash }, baseVersion);
    if (sentText !== undefined) this.#base.recordSent(sentText);
    if (text === baseText) this.#settle();
    else this.#startTimer(AUTHOR_CHECK_MS);
  }

  /** Another page has saved a text that this one builds on. */
  #takeBase({ baseText, baseHash, baseVersion }: DocumentDraft): void {
    const isKnown = baseVersion === undefined || includesVersion(this.#base.version, baseVersion);
    const isSaved = this.#text() === baseText;
    if (isKnown || this.#saving !== null || (this.#state.saving.kind === "conflict" && !isSaved)) return;
    this.#base.set({ text: baseText, hash: baseHash }, baseVersion);
    if (isSaved) this.#settle();
  }

  #draft(): DocumentDraft {
    return this.#base.draftOf(this.#text(), this.#exchange.version);
  }

  #storeDraft(): void {
    this.#clearDraftTimer();
    if (this.#author !== null) return;
    const adopted = this.#adopted;
    const forgetAdopted = () => {
      adopted?.forget();
      if (this.#adopted === adopted) this.#adopted = null;
    };
    // If there is no room for the draft, the text is still in memory and will be saved.
    this.#deps.storeDraft(this.#draft()).then(forgetAdopted, () => undefined);
  }

  #setSaving(saving: SavingState): void {
    this.#set({ text: this.#state.text, saving });
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }
}
