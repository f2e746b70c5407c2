import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession } from "./document-session.ts";
import type { DraftInUse } from "./draft-store.ts";
import type { SavedText, SaveResult } from "./session-state.ts";

/** A server with one text, and pages of a browser that get each other's drafts at once, unless they are frozen. */
class Pages {
  stored: SavedText = { text: "first\nmiddle\nlast", hash: "h1" };
  failure: string | null = null;
  saves = 0;
  readonly closed = new Set<string>();
  readonly #sessions = new Map<string, DocumentSession>();
  readonly #frozen = new Map<string, DraftInUse[]>();

  open(page: string): DocumentSession {
    const session = new DocumentSession(this.stored, [], {
      page,
      isOpen: (other) => Promise.resolve(!this.closed.has(other)),
      save: (text, expectedHash) => Promise.resolve(this.#save(text, expectedHash)),
      storeDraft: (draft) => Promise.resolve(this.#announce({ page, draft })),
      removeDraft: (draft) => this.#announce({ page, draft }),
    });
    this.#sessions.set(page, session);
    return session;
  }

  close(page: string): void {
    this.#sessions.get(page)?.close();
    this.#sessions.delete(page);
    this.closed.add(page);
  }

  freeze(page: string): void {
    this.#frozen.set(page, []);
  }

  thaw(page: string): void {
    const missed = this.#frozen.get(page) ?? [];
    this.#frozen.delete(page);
    for (const draft of missed) this.#sessions.get(page)?.take(draft);
  }

  #save(text: string, expectedHash: string): SaveResult {
    if (this.failure !== null) return { kind: "failed", message: this.failure };
    if (expectedHash !== this.stored.hash) return { kind: "changed", theirs: this.stored };
    this.saves += 1;
    this.stored = { text, hash: `saved ${this.saves}` };
    return { kind: "saved", hash: this.stored.hash };
  }

  #announce(draft: DraftInUse): void {
    for (const [page, session] of this.#sessions) {
      if (page === draft.page) continue;
      const waiting = this.#frozen.get(page);
      if (waiting === undefined) session.take(draft);
      else waiting.push(draft);
    }
  }
}

const shown = (session: DocumentSession) => session.getSnapshot().text.toString();
let pages: Pages;
let one: DocumentSession;
let other: DocumentSession;

beforeEach(() => {
  vi.useFakeTimers();
  pages = new Pages();
  one = pages.open("one");
  other = pages.open("other");
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a text that several pages of a browser show", () => {
  it("is the same in all of them, and saved by the one in which it was written", async () => {
    one.edit("first\nmiddle\nlast, o");
    one.edit("first\nmiddle\nlast, one");
    expect(shown(other)).toBe("first\nmiddle\nlast, one");
    expect(other.getSnapshot().saving.kind).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pages.saves).toBe(1);
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
    other.edit("first\nmiddle\nlast, one and other");
    expect(shown(one)).toBe("first\nmiddle\nlast, one and other");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pages.stored.text).toBe("first\nmiddle\nlast, one and other");
    expect(pages.saves).toBe(2);
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("is edited in turn while the server is away, without a question afterwards", async () => {
    pages.failure = "away";
    one.edit("first\nmiddle\nlast, one");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(other.getSnapshot().saving.kind).toBe("failed");
    other.edit("first\nmiddle\nlast, one, other");
    one.edit("first\nmiddle\nlast, one, other, one");
    expect(shown(other)).toBe("first\nmiddle\nlast, one, other, one");
    pages.failure = null;
    await Promise.all([one.flush(), other.flush()]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first\nmiddle\nlast, one, other, one");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("is saved by another page if the one in which it was written is closed before", async () => {
    pages.failure = "away";
    one.edit("first\nmiddle\nlast, one");
    pages.close("one");
    pages.failure = null;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(pages.stored.text).toBe("first\nmiddle\nlast, one");
    expect(other.isSaved).toBe(true);
  });

  it("is merged if both have edited different lines at the same moment", async () => {
    pages.freeze("one");
    pages.freeze("other");
    one.edit("first, one\nmiddle\nlast");
    other.edit("first\nmiddle\nlast, other");
    pages.thaw("one");
    pages.thaw("other");
    expect(shown(one)).toBe("first, one\nmiddle\nlast, other");
    expect(shown(other)).toBe("first, one\nmiddle\nlast, other");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one\nmiddle\nlast, other");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("is kept apart if both have edited the same line at the same moment, and then merged by the user", async () => {
    pages.freeze("one");
    pages.freeze("other");
    one.edit("first, one\nmiddle\nlast");
    other.edit("first, other\nmiddle\nlast");
    pages.thaw("one");
    pages.thaw("other");
    expect([shown(one), shown(other)]).toEqual(["first, one\nmiddle\nlast", "first, other\nmiddle\nlast"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one\nmiddle\nlast");
    expect(other.getSnapshot().saving.kind).toBe("conflict");
    await other.resolve("first, both\nmiddle\nlast");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, both\nmiddle\nlast");
    expect([shown(one), shown(other)]).toEqual(["first, both\nmiddle\nlast", "first, both\nmiddle\nlast"]);
  });

  it("keeps an edit of a line that the other page has just replaced apart, and loses neither", async () => {
    const before = one.getSnapshot().text;
    other.edit("first, other\nmiddle\nlast");
    one.edit("first, one\nmiddle\nlast", before);
    await vi.advanceTimersByTimeAsync(60_000);
    const texts = [pages.stored.text, shown(one), shown(other)].join("\n");
    expect(texts).toContain("first, one");
    expect(texts).toContain("first, other");
    expect([one, other].map((session) => session.getSnapshot().saving.kind)).toContain("conflict");
  });

  it("includes what somebody else has changed meanwhile in other lines", async () => {
    one.edit("first\nmiddle\nlast, one");
    pages.stored = { text: "first, theirs\nmiddle\nlast", hash: "theirs" };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, theirs\nmiddle\nlast, one");
    expect([shown(one), shown(other)]).toEqual([pages.stored.text, pages.stored.text]);
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });
});
