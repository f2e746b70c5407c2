import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  inserted,
  lettersOf,
  shown,
  TextPages,
  writeInThree,
  type Act,
  type Step,
} from "../../../test-kit/text-pages.ts";
import type { DocumentSession } from "./document-session.ts";
import { TextExchange } from "./text-exchange.ts";

const anyPage = fc.constantFrom("a", "b", "c");
const step = fc.record({
  page: anyPage,
  act: fc.constantFrom<Act[]>(
    "type",
    "type",
    "type",
    "render",
    "hold messages",
    "get messages",
    "hold responses",
    "get responses",
    "start read",
    "end reads",
    "wait",
    "leave",
    "return",
  ),
});

/** Also long sequences, which are where pages fall far behind each other. */
function manySteps(steps: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> {
  return fc.array(steps, { maxLength: 80, size: "max" });
}

/** Between two pages, all is in one order. What three write at one place at the same moment may be mixed. */
function isOfTwo({ page }: Step): boolean {
  return page !== "c";
}

type Written = Awaited<ReturnType<typeof writeInThree>>;

/** All pages and the server have the same text, with every character that was written; or a page asks, and all are somewhere. */
function expectAllOrAsked(written: Written): void {
  if (written.saving.includes("conflict")) expectKept(written);
  else expectAll(written);
}

function expectAll({ texts, typed }: Written): void {
  const { text } = pages.stored;
  expect(texts).toEqual([text, text, text]);
  const written = ["first\nmiddle\nlast", ...Object.values(typed).flat()].join("");
  expect(Array.from(text).toSorted()).toEqual(Array.from(written).toSorted());
}

/** What was written is in a text of a page or the server, or in a draft, and twice in none. */
function expectKept({ texts, typed }: Written): void {
  const all = [...texts, ...pages.kept, pages.stored.text];
  for (const page of ["a", "b"] as const) {
    const found = all.map((text) => lettersOf(page, text));
    expect(new Set(found.flat())).toEqual(new Set(typed[page]));
    for (const letters of found) expect(new Set(letters).size).toBe(letters.length);
  }
  for (const text of all) expect(text.match(/x/gu)?.length ?? 0).toBeLessThanOrEqual(pages.changes);
}

/** Types letter by letter after the words. */
function type(session: DocumentSession, after: string, letters: string): void {
  for (let typed = ""; typed !== letters; typed += letters.charAt(typed.length))
    session.edit(inserted(shown(session), after + typed, letters.charAt(typed.length)));
}

let pages: TextPages;
let one: DocumentSession;
let other: DocumentSession;

beforeEach(() => {
  vi.useFakeTimers();
  pages = new TextPages();
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
    pages.messages.hold("one");
    pages.messages.hold("other");
    one.edit("first, one\nmiddle\nlast");
    other.edit("first\nmiddle\nlast, other");
    pages.messages.catchUp("one");
    pages.messages.catchUp("other");
    expect(shown(one)).toBe("first, one\nmiddle\nlast, other");
    expect(shown(other)).toBe("first, one\nmiddle\nlast, other");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one\nmiddle\nlast, other");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has what both have written in the same line at the same moment, in the same order everywhere", async () => {
    pages.messages.hold("one");
    pages.messages.hold("other");
    type(one, "first", ", one");
    type(other, "first", ", other");
    type(other, "last", "!");
    pages.messages.catchUp("one");
    pages.messages.catchUp("other");
    expect([shown(one), shown(other)]).toEqual(Array(2).fill("first, one, other\nmiddle\nlast!"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one, other\nmiddle\nlast!");
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("has the same letter twice if both have typed it at the same place at the same moment", async () => {
    pages.messages.hold("one");
    pages.messages.hold("other");
    type(one, "first", "!");
    type(other, "first", "!");
    pages.messages.catchUp("one");
    pages.messages.catchUp("other");
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
    pages.messages.hold("one");
    pages.messages.hold("other");
    const saves = [one.flush(), other.saveNow()];
    pages.messages.catchUp("one");
    pages.messages.catchUp("other");
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

  it("has each letter once, in its page's order, however late two pages hear of each other", async () => {
    const run = fc.asyncProperty(manySteps(step.filter(isOfTwo)), async (steps) => {
      pages = new TextPages();
      const { texts, typed } = await writeInThree(pages, steps);
      const { text } = pages.stored;
      expect(texts).toEqual([text, text, text]);
      for (const page of ["a", "b"] as const) expect(lettersOf(page, text)).toEqual(typed[page]);
      expect(text.replaceAll(/[ab]\d+,/gu, "")).toBe("first\nmiddle\nlast");
    });
    await fc.assert(run, { numRuns: 100 });
  });

  it("loses and doubles nothing while two pages are reloaded, but may ask", async () => {
    const reload = fc.record({ page: anyPage, act: fc.constant<Act>("reload") });
    const steps = fc.oneof({ arbitrary: step, weight: 6 }, { arbitrary: reload, weight: 1 }).filter(isOfTwo);
    const run = fc.asyncProperty(manySteps(steps), async (acts) => {
      pages = new TextPages();
      expectAllOrAsked(await writeInThree(pages, acts));
    });
    await fc.assert(run, { numRuns: 100 });
  });

  it("has each letter once, however late three pages hear of each other, or asks", async () => {
    const run = fc.asyncProperty(manySteps(step), async (steps) => {
      pages = new TextPages();
      const written = await writeInThree(pages, steps);
      if (!written.saving.includes("conflict")) expectAll(written);
    });
    await fc.assert(run, { numRuns: 100 });
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
    pages.messages.hold("other");
    type(one, "first", ", pack my box");
    type(other, "first", ", SPHINX");
    const reloaded = pages.reload("one", "reloaded");
    await vi.advanceTimersByTimeAsync(950);
    type(other, ", SPHINX", " OF");
    pages.messages.catchUp("other");
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
    const more = fc.record({ page: anyPage, act: fc.constantFrom<Act[]>("reload", "change") });
    const run = fc.asyncProperty(manySteps(fc.oneof(step, step, more).filter(isOfTwo)), async (steps) => {
      pages = new TextPages();
      expectKept(await writeInThree(pages, steps));
    });
    await fc.assert(run, { numRuns: 100 });
  });

  it("is kept apart if both have made another long line of the same one, and then merged by the user", async () => {
    const [mine, others] = ["one ".repeat(6_000), "other ".repeat(6_000)];
    pages.messages.hold("one");
    pages.messages.hold("other");
    one.edit(`${mine}\nmiddle\nlast`);
    other.edit(`${others}\nmiddle\nlast`);
    pages.messages.catchUp("one");
    pages.messages.catchUp("other");
    expect([shown(one), shown(other)]).toEqual([`${mine}\nmiddle\nlast`, `${others}\nmiddle\nlast`]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe(`${mine}\nmiddle\nlast`);
    expect(other.getSnapshot().saving.kind).toBe("conflict");
    await other.resolve("both\nmiddle\nlast");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("both\nmiddle\nlast");
    expect([shown(one), shown(other)]).toEqual(["both\nmiddle\nlast", "both\nmiddle\nlast"]);
  });

  it("asks no longer once another page has said that the server's text is its own", async () => {
    pages.messages.hold("other");
    type(one, "first", ", one");
    await vi.advanceTimersByTimeAsync(1_000);
    type(other, "first", ", other");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(other.getSnapshot().saving.kind).toBe("conflict");
    pages.messages.catchUp("other");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, one, other\nmiddle\nlast");
    expect([shown(one), shown(other)]).toEqual([pages.stored.text, pages.stored.text]);
    expect([one.isSaved, other.isSaved]).toEqual([true, true]);
  });

  it("leaves both sides of a question as they are once the user has begun to merge them", async () => {
    pages.messages.hold("other");
    type(one, "first", ", one");
    await vi.advanceTimersByTimeAsync(1_000);
    type(other, "first", ", other");
    await vi.advanceTimersByTimeAsync(5_000);
    other.startMerging();
    pages.messages.catchUp("other");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(other.getSnapshot()).toMatchObject({ text: "first, other\nmiddle\nlast", saving: { kind: "conflict" } });
    await other.resolve("first, both\nmiddle\nlast");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.stored.text).toBe("first, both\nmiddle\nlast");
    expect([shown(one), shown(other)]).toEqual([pages.stored.text, pages.stored.text]);
  });

  it("has all edits of a text that was replaced many times before the editor showed it", () => {
    const before = shown(other);
    type(one, "first", ", ten letters and more");
    other.edit(inserted(before, "last", "!"), before);
    expect(shown(other)).toBe("first, ten letters and more\nmiddle\nlast!");
    expect(shown(one)).toBe(shown(other));
  });

  it("builds on what another page has merged, although it was never shown here", () => {
    const based = { baseText: "", baseHash: "h1" };
    const exchange = new TextExchange("a.1", "");
    exchange.edited("1");
    exchange.edited("13");
    exchange.exchange({ page: "a", text: "13", ...based }, { page: "b", text: "2", version: { "b.1": 1 }, ...based });
    const merged = { page: "b", text: "12", version: { "a.1": 1, "b.1": 1 }, ...based };
    expect(exchange.exchange({ page: "a", text: "132", ...based }, merged)).toEqual({ kind: "mine" });
    expect(exchange.wasRecently("12")).toBe(true);
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
