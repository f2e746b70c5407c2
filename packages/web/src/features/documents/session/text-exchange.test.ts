import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession } from "./document-session.ts";
import type { DraftInUse } from "./draft-store.ts";
import type { SavedText, SaveResult } from "./session-state.ts";

/** A server with one text, and pages of a browser that get each other's drafts at once, unless they are frozen. */
class Pages {
  stored: SavedText = { text: "first\nmiddle\nlast", hash: "h1" };
  failure: string | null = null;
  saves = 0;
  changes = 0;
  readonly closed = new Set<string>();
  readonly #sessions = new Map<string, DocumentSession>();
  readonly #frozen = new Map<string, (() => void)[]>();

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
const step = fc.record({
  page: fc.constantFrom("a", "b", "c"),
  act: fc.constantFrom("type", "type", "type", "freeze", "thaw", "wait", "leave", "return"),
});

interface Step {
  readonly page: "a" | "b" | "c";
  readonly act: "type" | "freeze" | "thaw" | "wait" | "leave" | "return" | "change";
}

/** Three pages, one of which is opened later, write in the first line, each after what it has written before. Ends once all is saved. */
async function writeInThree(steps: readonly Step[]) {
  pages = new Pages();
  const sessions: { a: DocumentSession; b: DocumentSession; c?: DocumentSession } = {
    a: pages.open("a"),
    b: pages.open("b"),
  };
  const typed: Record<"a" | "b" | "c", string[]> = { a: [], b: [], c: [] };
  const act: Record<Step["act"], (page: Step["page"]) => unknown> = {
    freeze: (page) => pages.freeze(page),
    thaw: (page) => pages.thaw(page),
    leave: () => (pages.failure = "away"),
    return: () => (pages.failure = null),
    change: () => pages.changeElsewhere(),
    wait: () => vi.advanceTimersByTimeAsync(700),
    type: (page) => {
      const letters = `${page}${typed[page].length},`;
      typeAfter((sessions[page] ??= pages.open(page)), typed[page].at(-1) ?? "first", letters);
      typed[page].push(letters);
    },
  };
  for (const { page, act: name } of steps) await act[name](page);
  pages.failure = null;
  for (const page of ["a", "b", "c"]) pages.thaw(page);
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
    await Promise.all([one.flush(), other.saveNow()]);
    pages.thaw("one");
    pages.thaw("other");
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

  it("loses and doubles nothing while somebody else changes it, but may ask", async () => {
    const change = fc.constant({ page: "a", act: "change" } as const);
    const run = fc.asyncProperty(fc.array(fc.oneof(step, step, change), { maxLength: 60 }), async (steps) => {
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
