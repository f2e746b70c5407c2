import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession } from "./document-session.ts";
import type { AbandonedDraft, DocumentDraft, DraftInUse } from "./draft-store.ts";
import type { SavedText, SaveResult } from "./session-state.ts";

/** A server with one text, and pages of a browser that get each other's drafts at once, unless they are frozen. */
class Pages {
  stored: SavedText = { text: "first\nmiddle\nlast", hash: "h1" };
  failure: string | null = null;
  saves = 0;
  changes = 0;
  readonly closed = new Set<string>();
  readonly #sessions = new Map<string, DocumentSession>();
  readonly #drafts = new Map<string, DocumentDraft>();
  readonly #frozen = new Map<string, (() => void)[]>();

  open(page: string, abandoned: readonly AbandonedDraft[] = []): DocumentSession {
    const session = new DocumentSession(this.stored, abandoned, {
      page,
      isOpen: (other) => Promise.resolve(!this.closed.has(other)),
      save: (text, expectedHash, isUnloading) => {
        const result = this.#save(text, expectedHash);
        // A page that is closed does not hear whether it could save.
        return new Promise((resolve) => {
          if (!isUnloading) this.#tell(page, () => resolve(result));
        });
      },
      // The code of a page that is closed does not go on.
      storeDraft: (draft) => {
        if (this.closed.has(page)) return new Promise(() => undefined);
        this.#drafts.delete(page);
        this.#drafts.set(page, draft);
        return Promise.resolve(this.#announce({ page, draft }));
      },
      removeDraft: (draft) => {
        if (this.closed.has(page)) return;
        this.#drafts.delete(page);
        this.#announce({ page, draft });
      },
    });
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

  /** Somebody else writes a letter in the last line. */
  changeElsewhere(): void {
    this.changes += 1;
    this.stored = { text: `${this.stored.text}x`, hash: `changed ${this.changes}` };
    if (this.failure === null) this.readAnew();
  }

  /** All pages read the text of the server, those that are frozen later. */
  readAnew(): void {
    const { stored } = this;
    for (const [page, session] of this.#sessions) this.#tell(page, () => session.receive(stored));
  }

  freeze(page: string): void {
    if (!this.#frozen.has(page)) this.#frozen.set(page, []);
  }

  thaw(page: string): void {
    const missed = this.#frozen.get(page) ?? [];
    this.#frozen.delete(page);
    for (const message of missed) message();
  }

  #save(text: string, expectedHash: string): SaveResult {
    if (this.failure !== null) return { kind: "failed", message: this.failure };
    if (expectedHash !== this.stored.hash) return { kind: "changed", theirs: this.stored };
    this.saves += 1;
    this.stored = { text, hash: `saved ${this.saves}` };
    return { kind: "saved", hash: this.stored.hash };
  }

  #announce(draft: DraftInUse): void {
    for (const [page, session] of this.#sessions) if (page !== draft.page) this.#tell(page, () => session.take(draft));
  }

  /** Lets a page hear of something, once it is not frozen. */
  #tell(page: string, message: () => void): void {
    const waiting = this.#frozen.get(page);
    if (waiting === undefined) message();
    else waiting.push(message);
  }
}

const shown = (session: DocumentSession) => session.getSnapshot().text.toString();
const anyPage = fc.constantFrom("a", "b", "c");
const step = fc.record({
  page: anyPage,
  act: fc.constantFrom("type", "type", "type", "freeze", "thaw", "wait", "leave", "return"),
});

interface Step {
  readonly page: "a" | "b" | "c";
  readonly act: "type" | "freeze" | "thaw" | "wait" | "leave" | "return" | "reload" | "change";
}

/** Three pages, one of which is opened later, write in the first line, each after what it has written before. Ends once all is saved. */
async function writeInThree(steps: readonly Step[]) {
  pages = new Pages();
  const sessions: { a: DocumentSession; b: DocumentSession; c?: DocumentSession } = {
    a: pages.open("a"),
    b: pages.open("b"),
  };
  const names = { a: "a", b: "b", c: "c" };
  const typed: Record<"a" | "b" | "c", string[]> = { a: [], b: [], c: [] };
  const act: Record<Step["act"], (page: Step["page"]) => unknown> = {
    freeze: (page) => pages.freeze(names[page]),
    thaw: (page) => pages.thaw(names[page]),
    leave: () => (pages.failure = "away"),
    return: () => (pages.failure = null),
    change: () => pages.changeElsewhere(),
    reload: (page) => {
      pages.thaw(names[page]);
      if (sessions[page] !== undefined) sessions[page] = pages.reload(names[page], (names[page] += "'"));
    },
    wait: () => vi.advanceTimersByTimeAsync(700),
    type: (page) => {
      const letters = `${page}${typed[page].length},`;
      const session = (sessions[page] ??= pages.open(names[page]));
      typeAfter(session, typed[page].findLast((own) => shown(session).includes(own)) ?? "first", letters);
      typed[page].push(letters);
    },
  };
  for (const { page, act: name } of steps) await act[name](page);
  pages.failure = null;
  for (const page of Object.values(names)) pages.thaw(page);
  pages.readAnew();
  await vi.advanceTimersByTimeAsync(120_000);
  return { texts: [sessions.a, sessions.b, sessions.c ?? sessions.b].map(shown), typed };
}

function lettersOf(page: string, text: string): string[] {
  return text.match(new RegExp(`${page}\\d+,`, "gu")) ?? [];
}

/** Types letter by letter after the words. */
function type(session: DocumentSession, after: string, letters: string): void {
  for (let typed = ""; typed !== letters; typed += letters.charAt(typed.length))
    typeAfter(session, after + typed, letters.charAt(typed.length));
}

function typeAfter(session: DocumentSession, after: string, letters: string): void {
  const text = shown(session);
  const place = text.lastIndexOf(after) + after.length;
  session.edit(`${text.slice(0, place)}${letters}${text.slice(place)}`);
}

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

  it("has what both have written in the same line at the same moment, in the same order everywhere", async () => {
    pages.freeze("one");
    pages.freeze("other");
    type(one, "first", ", one");
    type(other, "first", ", other");
    type(other, "last", "!");
    pages.thaw("one");
    pages.thaw("other");
    expect([shown(one), shown(other)]).toEqual(Array(2).fill("first, one, other\nmiddle\nlast!"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one, other\nmiddle\nlast!");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has the same letter twice if both have typed it at the same place at the same moment", async () => {
    pages.freeze("one");
    pages.freeze("other");
    type(one, "first", "!");
    type(other, "first", "!");
    pages.thaw("one");
    pages.thaw("other");
    expect([shown(one), shown(other)]).toEqual(Array(2).fill("first!!\nmiddle\nlast"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first!!\nmiddle\nlast");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has what somebody else has written once, although two pages have merged it", async () => {
    pages.failure = "away";
    one.edit("first\nmiddle\nlast, one");
    await vi.advanceTimersByTimeAsync(10_000);
    pages.failure = null;
    pages.stored = { text: "first\nadded\nmiddle\nlast", hash: "theirs" };
    pages.freeze("one");
    pages.freeze("other");
    const saves = [one.flush(), other.saveNow()];
    pages.thaw("one");
    pages.thaw("other");
    await Promise.all(saves);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first\nadded\nmiddle\nlast, one");
    expect([shown(one), shown(other)]).toEqual([pages.stored.text, pages.stored.text]);
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has an edit of a line that the other page has just replaced, and what replaced it", async () => {
    const before = one.getSnapshot().text;
    other.edit("first, other\nmiddle\nlast");
    one.edit("first, one\nmiddle\nlast", before);
    expect([shown(one), shown(other)]).toEqual(Array(2).fill("first, one, other\nmiddle\nlast"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one, other\nmiddle\nlast");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has each letter once, in its page's order, however late the pages hear of each other", async () => {
    const run = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { texts, typed } = await writeInThree(steps);
      const { text } = pages.stored;
      expect(texts).toEqual([text, text, text]);
      for (const page of ["a", "b", "c"] as const) expect(lettersOf(page, text)).toEqual(typed[page]);
      expect(text.replaceAll(/[abc]\d+,/gu, "")).toBe("first\nmiddle\nlast");
    });
    await fc.assert(run, { numRuns: 300 });
  });

  it("is the same in all of them, also once one has left it and opened it again", async () => {
    type(one, "last", ", one");
    await vi.advanceTimersByTimeAsync(60_000);
    one.close();
    const again = pages.open("one");
    type(again, ", one", "!");
    expect(shown(other)).toBe("first\nmiddle\nlast, one!");
  });

  it("is saved without a question if one page is reloaded while another one is written in", async () => {
    pages.freeze("other");
    type(one, "first", ", pack my box");
    type(other, "first", ", SPHINX");
    const reloaded = pages.reload("one", "reloaded");
    await vi.advanceTimersByTimeAsync(950);
    type(other, ", SPHINX", " OF");
    pages.thaw("other");
    type(reloaded, ", pack my box", " again");
    type(other, " OF", " BLACK");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, pack my box again, SPHINX OF BLACK\nmiddle\nlast");
    expect([shown(reloaded), shown(other)]).toEqual([pages.stored.text, pages.stored.text]);
    expect([reloaded, other].map((session) => session.getSnapshot().saving)).toEqual([
      { kind: "saved" },
      { kind: "saved" },
    ]);
  });

  it("loses and doubles nothing while pages are reloaded and somebody else changes it, but may ask", async () => {
    const more = fc.record({ page: anyPage, act: fc.constantFrom("reload", "change") });
    const run = fc.asyncProperty(fc.array(fc.oneof(step, step, more), { maxLength: 60 }), async (steps) => {
      const { texts, typed } = await writeInThree(steps);
      const all = [...texts, pages.stored.text];
      for (const page of ["a", "b", "c"] as const) {
        const found = all.map((text) => lettersOf(page, text));
        expect(new Set(found.flat())).toEqual(new Set(typed[page]));
        for (const letters of found) expect(new Set(letters).size).toBe(letters.length);
      }
      for (const text of all) expect(text.match(/x/gu)?.length ?? 0).toBeLessThanOrEqual(pages.changes);
    });
    await fc.assert(run, { numRuns: 300 });
  });

  it("is kept apart if both have made another long line of the same one, and then merged by the user", async () => {
    const [mine, others] = ["one ".repeat(6_000), "other ".repeat(6_000)];
    pages.freeze("one");
    pages.freeze("other");
    one.edit(`${mine}\nmiddle\nlast`);
    other.edit(`${others}\nmiddle\nlast`);
    pages.thaw("one");
    pages.thaw("other");
    expect([shown(one), shown(other)]).toEqual([`${mine}\nmiddle\nlast`, `${others}\nmiddle\nlast`]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe(`${mine}\nmiddle\nlast`);
    expect(other.getSnapshot().saving.kind).toBe("conflict");
    await other.resolve("both\nmiddle\nlast");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("both\nmiddle\nlast");
    expect([shown(one), shown(other)]).toEqual(["both\nmiddle\nlast", "both\nmiddle\nlast"]);
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
