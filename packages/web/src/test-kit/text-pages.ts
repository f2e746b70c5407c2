import { vi } from "vitest";
import { DocumentSession } from "../features/documents/session/document-session.ts";
import type { AbandonedDraft, DocumentDraft, DraftInUse } from "../features/documents/session/draft-store.ts";
import type { TextVersion } from "../features/documents/session/text-version.ts";
import { TextServer } from "./text-server.ts";
import type { SavedText } from "../features/documents/session/session-state.ts";

/** What has not reached a page yet, in the order in which it will. */
class Delayed {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Lets a page wait, from now on, until it catches up. */
  hold(page: string): void {
    if (!this.#waiting.has(page)) this.#waiting.set(page, []);
  }

  catchUp(page: string): void {
    const missed = this.#waiting.get(page) ?? [];
    this.#waiting.delete(page);
    for (const act of missed) act();
  }

  /** Acts once the page does not wait. */
  tell(page: string, act: () => void): void {
    const waiting = this.#waiting.get(page);
    if (waiting === undefined) act();
    else waiting.push(act);
  }
}

/** A server with one text, and pages of a browser that hear of each other and of the server at once, unless they are delayed. */
export class TextPages extends TextServer {
  override stored: SavedText = { text: "first\nmiddle\nlast", hash: "h1" };
  #opened = 0;
  changes = 0;
  readonly closed = new Set<string>();
  /** What other pages say. */
  readonly messages = new Delayed();
  /** What the server says to a save. */
  readonly responses = new Delayed();
  readonly #sessions = new Map<string, DocumentSession>();
  readonly #drafts = new Map<string, DocumentDraft>();
  readonly #versions = new Map<string, TextVersion>();
  readonly #reads = new Map<string, { saved: SavedText; askedAt: number }[]>();

  open(page: string, abandoned: readonly AbandonedDraft[] = []): DocumentSession {
    const session = new DocumentSession(
      this.stored,
      abandoned,
      {
        page,
        writer: `${page}.${(this.#opened += 1)}`,
        isOpen: (other) => Promise.resolve(!this.closed.has(other)),
        save: (text, expectedHash, isUnloading) => {
          const result = this.save(text, expectedHash);
          // A page that is closed does not hear whether it could save.
          return new Promise((resolve) => {
            if (!isUnloading) this.responses.tell(page, () => resolve(result));
          });
        },
        read: () => Promise.resolve(this.readable),
        // The code of a page that is closed does not go on.
        storeDraft: (draft) => {
          if (this.closed.has(page)) return new Promise(() => undefined);
          this.#record(draft);
          this.#drafts.delete(page);
          this.#drafts.set(page, draft);
          return Promise.resolve(this.#announce({ page, draft }));
        },
        removeDraft: (draft) => {
          if (this.closed.has(page)) return;
          this.#record(draft);
          this.#drafts.delete(page);
          this.#announce({ page, draft });
        },
      },
      this.#versions.get(this.stored.hash),
    );
    this.#sessions.set(page, session);
    for (const [other, draft] of this.#drafts) if (this.#sessions.has(other)) session.take({ page: other, draft });
    return session;
  }

  close(page: string): void {
    this.#sessions.get(page)?.flushOnUnload();
    this.#sessions.get(page)?.close();
    this.#sessions.delete(page);
    this.closed.add(page);
  }

  /** Closes a page, and opens another one with the drafts that closed pages have left. */
  reload(page: string, next: string): DocumentSession {
    this.close(page);
    const left = [...this.#drafts].filter(([other]) => this.closed.has(other)).toReversed();
    return this.open(
      next,
      left.map(([other, draft]) => ({ draft, forget: () => this.#drafts.delete(other) })),
    );
  }

  /** The texts that are kept in the browser. */
  get kept(): string[] {
    return [...this.#drafts.values()].map(({ text }) => text);
  }

  /** Somebody else writes a letter in the last line. */
  changeElsewhere(): void {
    this.changes += 1;
    this.stored = { text: `${this.stored.text}x`, hash: `changed ${this.changes}` };
    if (this.failure === null) this.readAnew();
  }

  /** All pages read the text of the server. */
  readAnew(): void {
    for (const page of this.#sessions.keys()) {
      this.startRead(page);
      this.endReads(page);
    }
  }

  /** The server answers a page, which the answer reaches later. */
  startRead(page: string): void {
    if (this.failure === null)
      this.#reads.set(page, [...(this.#reads.get(page) ?? []), { saved: this.stored, askedAt: Date.now() }]);
  }

  endReads(page: string): void {
    const read = this.#reads.get(page) ?? [];
    this.#reads.delete(page);
    for (const { saved, askedAt } of read) this.#sessions.get(page)?.receive(saved, askedAt);
  }

  #record({ baseHash, baseVersion = {} }: DocumentDraft): void {
    if (Object.keys(baseVersion).length > 0) this.#versions.set(baseHash, baseVersion);
  }

  #announce(draft: DraftInUse): void {
    for (const [page, session] of this.#sessions)
      if (page !== draft.page) this.messages.tell(page, () => session.take(draft));
  }
}

/** The editor of a page, which shows what the session has a moment later. */
class ShownText {
  readonly #session: DocumentSession;
  #text: string;
  /** During a question, there is no editor. */
  #isEditable = true;

  constructor(session: DocumentSession) {
    this.#session = session;
    this.#text = shown(session);
  }

  render(): void {
    const { text, saving } = this.#session.getSnapshot();
    this.#isEditable = saving.kind !== "conflict";
    if (this.#isEditable) this.#text = text.toString();
  }

  /** Types letters after the last of the words that is there; not during a question. */
  typeAfter(words: readonly string[], letters: string): boolean {
    if (!this.#isEditable) return false;
    const before = this.#text;
    const word = words.findLast((own) => before.includes(own)) ?? "first";
    this.#text = inserted(before, word, letters);
    this.#session.edit(this.#text, before);
    return true;
  }
}

export type Act =
  | "type"
  | "render"
  | "hold messages"
  | "get messages"
  | "hold responses"
  | "get responses"
  | "start read"
  | "end reads"
  | "wait"
  | "leave"
  | "return"
  | "reload"
  | "change";

export interface Step {
  readonly page: "a" | "b" | "c";
  readonly act: Act;
}

/** Three pages, one of which is opened later, write in the first line, each after what it has written before. Ends once all is saved. */
export async function writeInThree(pages: TextPages, steps: readonly Step[]) {
  const sessions: { a: DocumentSession; b: DocumentSession; c?: DocumentSession } = {
    a: pages.open("a"),
    b: pages.open("b"),
  };
  const editors: Partial<Record<Step["page"], ShownText>> = {};
  const names = { a: "a", b: "b", c: "c" };
  const typed: Record<Step["page"], string[]> = { a: [], b: [], c: [] };
  const act: Record<Act, (page: Step["page"]) => unknown> = {
    "hold messages": (page) => pages.messages.hold(names[page]),
    "get messages": (page) => pages.messages.catchUp(names[page]),
    "hold responses": (page) => pages.responses.hold(names[page]),
    "get responses": (page) => pages.responses.catchUp(names[page]),
    "start read": (page) => pages.startRead(names[page]),
    "end reads": (page) => pages.endReads(names[page]),
    leave: () => (pages.failure = "away"),
    return: () => (pages.failure = null),
    change: () => pages.changeElsewhere(),
    reload: (page) => {
      pages.messages.catchUp(names[page]);
      if (sessions[page] === undefined) return;
      sessions[page] = pages.reload(names[page], (names[page] += "'"));
      editors[page] = new ShownText(sessions[page]);
    },
    wait: () => vi.advanceTimersByTimeAsync(700),
    render: (page) => editors[page]?.render(),
    type: (page) => {
      const letters = `${page}${typed[page].length},`;
      const session = (sessions[page] ??= pages.open(names[page]));
      const editor = (editors[page] ??= new ShownText(session));
      if (editor.typeAfter(typed[page], letters)) typed[page].push(letters);
    },
  };
  for (const { page, act: name } of steps) await act[name](page);
  pages.failure = null;
  for (const page of Object.values(names)) {
    pages.messages.catchUp(page);
    pages.responses.catchUp(page);
    pages.endReads(page);
  }
  pages.readAnew();
  await vi.advanceTimersByTimeAsync(120_000);
  const all = [sessions.a, sessions.b, sessions.c ?? sessions.b];
  return { texts: all.map(shown), typed, saving: all.map((session) => session.getSnapshot().saving.kind) };
}

/** The letters of a page, in the order in which they are in a text. */
export function lettersOf(page: string, text: string): string[] {
  return text.match(new RegExp(`${page}\\d+,`, "gu")) ?? [];
}

export function shown(session: DocumentSession): string {
  return session.getSnapshot().text.toString();
}

/** A text with letters after the last occurrence of a word. */
export function inserted(text: string, word: string, letters: string): string {
  const place = text.lastIndexOf(word) + word.length;
  return `${text.slice(0, place)}${letters}${text.slice(place)}`;
}
