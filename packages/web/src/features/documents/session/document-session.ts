import type { DocumentDraft, AbandonedDraft, DraftInUse } from "./draft-store.ts";
import { DraftTimer } from "./draft-timer.ts";
import { EditBase } from "./edit-base.ts";
import type { LazyText } from "./lazy-text.ts";
import { LeftDrafts } from "./left-drafts.ts";
import { ReplacedTexts, type Replaced } from "./replaced-texts.ts";
import { SaveDelays } from "./save-delays.ts";
import { ServerText, type Judgement } from "./server-text.ts";
import { isBasedOn, type SavedText, type SavingState, type SessionDeps, type SessionState } from "./session-state.ts";
import { TextExchange } from "./text-exchange.ts";
import { includesVersion, type TextVersion } from "./text-version.ts";

/** How often it is checked whether the page that has written a text is still there to save it. */
const AUTHOR_CHECK_MS = 3_000;

/**
 * A text being edited. Every change is first stored as a draft in this browser; it is saved when typing pauses, but only on
 * top of the text it was based on. A failed save is reported and retried. If somebody else has changed other lines of the text,
 * their changes are taken over; if they have changed the same ones, both versions are kept until the user has merged them.
 *
 * What is written in one of several pages that show the text is shown in the others, and saved by the page in which it was written as
 * long as that is open.
 */
export class DocumentSession {
  readonly #base: EditBase;
  #state: SessionState;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #draftTimer = new DraftTimer(() => this.#storeDraft());
  #isClosed = false;
  /** Whether the user has begun to merge both sides of a conflict, which then stay as they are. */
  #isMerging = false;
  #saving: Promise<void> | null = null;
  readonly #delays = new SaveDelays();
  readonly #replaced = new ReplacedTexts();
  readonly #left: LeftDrafts;
  readonly #exchange: TextExchange;
  readonly #serverText: ServerText;
  /** The page that saves the text, since this one has nothing to add to it. */
  #author: string | null = null;
  readonly #deps: SessionDeps;
  readonly #listeners = new Set<() => void>();

  constructor(saved: SavedText, abandoned: readonly AbandonedDraft[], deps: SessionDeps, version: TextVersion = {}) {
    this.#deps = deps;
    this.#exchange = new TextExchange(deps.writer, saved.text, version);
    this.#base = new EditBase(saved, version);
    this.#serverText = new ServerText(this.#base, this.#exchange, () => (this.#isMerging ? null : this.#text()));
    this.#left = new LeftDrafts(abandoned);
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
    this.#serverText.edited();
    const text = from === this.#state.text ? edited : this.#rebaseEdit(edited, from);
    this.#exchange.edited(text);
    this.#write(text);
  }

  /** Saves unsaved text now, for example when the user leaves. Does nothing during a conflict, and with a text that another page saves. */
  async flush(isUnloading = false): Promise<void> {
    if (this.#saving !== null) await this.#saving;
    if (this.#state.saving.kind === "conflict" || this.#author !== null) return;
    clearTimeout(this.#pauseTimer);
    if (this.#saving === null) this.#startSaving(this.#save(isUnloading));
    await this.#saving;
  }

  /** Saves unsaved text now, also if another page was to save it. */
  async saveNow(): Promise<void> {
    if (this.#author !== null) {
      this.#author = null;
      this.#draftTimer.now();
    }
    await this.flush();
  }

  /**
   * Saves while the page may be about to unload. A save in flight may never finish then, so newer text is sent as well.
   */
  flushOnUnload(): void {
    this.#draftTimer.flush();
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

  /**
   * Accepts a text read from the server, unless that would undo unsaved edits. `askedAt` is when it was asked for, in milliseconds
   * since 1970.
   */
  receive(saved: SavedText, askedAt: number): void {
    if (saved.hash === this.#base.hash || this.#saving !== null || this.#isMerging) return;
    if (this.#base.isNewerThan(askedAt)) void this.#readAnew();
    else this.#receive(saved);
  }

  /** Keeps both sides of a conflict as they are, since the user has begun to merge them. */
  startMerging(): void {
    this.#isMerging = this.#state.saving.kind === "conflict";
  }

  /** Ends a conflict with the text into which the user has merged both sides. */
  async resolve(text: string): Promise<void> {
    const { saving } = this.#state;
    if (saving.kind !== "conflict") return;
    this.#replace(text, saving.theirs, { kind: "waiting" });
    this.#draftTimer.now();
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
    this.#left.add(abandoned);
    if (this.isSaved && this.#saving === null) this.#adoptNext();
  }

  /**
   * Takes over what another open page of this browser has written, with what was written here. What cannot be merged is kept apart until it
   * is saved.
   */
  take({ page, draft }: DraftInUse): void {
    const { version } = draft;
    if (version === undefined || this.#isMerging) return;
    const replaced = this.#present(true);
    const exchanged = this.#exchange.exchange(
      { ...this.#draft(), page: this.#author ?? this.#deps.page },
      { ...draft, page, version },
    );
    if (exchanged.kind === "apart") return;
    if (draft.sentText !== undefined) this.#base.recordSent(draft.sentText);
    if (exchanged.kind === "mine") this.#takeBase(draft);
    else {
      this.#replaced.record(replaced);
      if (exchanged.kind === "merged") this.#write(exchanged.text);
      else this.#follow(draft, page);
    }
    this.#judgeAnew();
  }

  /** Stops saving automatically; the draft stays. */
  close(): void {
    this.#isClosed = true;
    this.#draftTimer.flush();
    clearTimeout(this.#pauseTimer);
  }

  #text(): string {
    return this.#state.text.toString();
  }

  /** Until this has ended, nothing else changes what the edits are based on. It may be followed by the next one before it has. */
  #startSaving(work: Promise<void>): void {
    const saving = work.finally(() => {
      if (this.#saving === saving) this.#saving = null;
    });
    this.#saving = saving;
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
      this.#draftTimer.clear();
      this.#author = null;
      this.#setSaving({ kind: "saved" });
      this.#deps.removeDraft(this.#draft());
      this.#left.forgetAdopted();
      this.#adoptNext();
    } else {
      this.#draftTimer.now();
      this.#setSaving({ kind: "waiting" });
      this.#scheduleSave();
    }
  }

  /** The server's text is not the one that this session's edits are based on. `since` is when that was heard. */
  #mergeOrConflict(theirs: SavedText, since = Date.now()): Promise<void> {
    return this.#serverText.judge(theirs.text, since, (judgement) => this.#rebaseOnto(theirs, judgement));
  }

  #rebaseOnto(theirs: SavedText, judgement: Judgement): void {
    switch (judgement.kind) {
      case "saved":
        this.#base.set(theirs, this.#exchange.version);
        return this.#settle();
      case "included":
        this.#base.set(theirs);
        this.#setSaving({ kind: "waiting" });
        return this.#scheduleSave();
      case "merged":
        this.#replace(judgement.text, theirs, { kind: "waiting" });
        this.#draftTimer.now();
        return this.#scheduleSave();
      case "conflict":
        return this.#setSaving({ kind: "conflict", base: judgement.base, theirs });
    }
  }

  /** Ends a conflict if it has turned out since that the text here includes the server's, or can be merged with it. */
  #judgeAnew(): void {
    const { saving } = this.#state;
    if (saving.kind !== "conflict" || this.#saving !== null) return;
    this.#startSaving(this.#mergeOrConflict(saving.theirs, 0));
  }

  /** What was read may be older than what is known here. */
  async #readAnew(): Promise<void> {
    const { saved } = this.#base;
    const read = await this.#deps.read();
    const isUnchanged = this.#base.saved === saved && this.#saving === null && !this.#isMerging;
    if (read !== null && read.hash !== saved.hash && isUnchanged) this.#receive(read);
  }

  #receive(saved: SavedText): void {
    if (saved.text === this.#base.text) {
      // Only the frontmatter has changed, such as the tags: the edits are rebased onto it. If it has just been created, it can be saved now.
      this.#base.set(saved);
      if (this.isSaved) return;
      this.#draftTimer.now();
      if (this.#state.saving.kind === "failed") this.#scheduleSave();
    } else if (saved.text === this.#text()) {
      this.#base.set(saved, this.#exchange.version);
      this.#settle();
    } else if (this.isSaved) {
      this.#replace(saved.text, saved, { kind: "saved" });
    }
  }

  #fail(message: string): void {
    this.#setSaving({ kind: "failed", message });
    this.#startTimer(this.#delays.afterFailure());
  }

  /** Adopts the next left draft; one whose text is already saved is deleted. */
  #adoptNext(): void {
    const abandoned = this.#left.next();
    if (abandoned === undefined) return;
    const { draft } = abandoned;
    const { text, version } = draft;
    const { saved } = this.#base;
    const isIncluded = version !== undefined && includesVersion(this.#exchange.version, version);
    if (text === saved.text || isIncluded) {
      if (text === saved.text && version !== undefined) {
        this.#exchange.includes(version);
        this.#base.set(saved, this.#exchange.version);
        this.#deps.removeDraft(this.#draft());
      }
      abandoned.forget();
      this.#adoptNext();
      return;
    }
    this.#left.adopt(abandoned);
    if (draft.writer !== undefined) this.#exchange.succeed(draft.writer);
    const before = this.#exchange.version;
    this.#replaced.record(this.#present(true));
    this.#exchange.restart(text, version);
    if (draft.sentText !== undefined) this.#base.recordSent(draft.sentText);
    if (isBasedOn(draft, saved)) {
      this.#exchange.includes(before);
      this.#set({ text, saving: { kind: "waiting" } });
      this.#scheduleSave();
    } else {
      // As if it had just been sent.
      this.#base.set({ text: draft.baseText, hash: draft.baseHash }, draft.baseVersion ?? {});
      this.#set({ text, saving: { kind: "saving" } });
      this.#startSaving(this.#mergeOrConflict(saved));
    }
  }

  /** Shows a text that was written here, and has it saved. */
  #write(text: LazyText): void {
    const { saving } = this.#state;
    this.#author = null;
    // In a conflict, the edit of an older text is to be merged from what that text was based on.
    if (saving.kind === "conflict") this.#set({ text, saving: { ...saving, base: this.#base.text } });
    else this.#set({ text, saving: saving.kind === "saving" ? saving : { kind: "waiting" } });
    this.#draftTimer.edited(text.length);
    if (saving.kind !== "conflict") this.#scheduleSave();
  }

  /** The edit of a text that others' changes have replaced, made in the present text; what cannot be made there is kept apart. */
  #rebaseEdit(edited: LazyText, from: LazyText): LazyText {
    const rebased = this.#replaced.rebase(edited, from, this.#state.text);
    if (rebased.text !== null) return rebased.text;
    if (rebased.replaced !== undefined) {
      this.#base.set(rebased.replaced.base, rebased.replaced.baseVersion);
      this.#exchange.restart(from, rebased.replaced.version);
    }
    return edited;
  }

  /** Shows a text that contains others' changes, up to those in `base`. */
  #replace(text: string, base: SavedText, saving: SavingState): void {
    this.#replaced.record(this.#present(false));
    this.#exchange.takesIn(base.text);
    if (saving.kind !== "saved") this.#exchange.edited(text);
    this.#author = null;
    this.#base.set(base);
    this.#set({ text, saving });
  }

  /** The text here, which is about to be replaced. */
  #present(isByPage: boolean): Replaced {
    const { saved, version } = this.#base;
    return { text: this.#state.text, base: saved, baseVersion: version, version: this.#exchange.version, isByPage };
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
    return { ...this.#base.draftOf(this.#text(), this.#exchange.version), writer: this.#exchange.writer };
  }

  #storeDraft(): void {
    if (this.#author !== null) return;
    const forgetAdopted = this.#left.forgetPresent();
    // If there is no room for the draft, the text is still in memory and will be saved.
    this.#deps.storeDraft(this.#draft()).then(forgetAdopted, () => undefined);
  }

  #setSaving(saving: SavingState): void {
    this.#set({ text: this.#state.text, saving });
  }

  #set(state: SessionState): void {
    this.#state = state;
    if (state.saving.kind !== "conflict") this.#isMerging = false;
    this.#listeners.forEach((listener) => listener());
  }
}
