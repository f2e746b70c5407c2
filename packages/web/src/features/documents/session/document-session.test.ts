import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession } from "./document-session.ts";
import type { DocumentDraft, AbandonedDraft } from "./draft-store.ts";
import type { SavedText, SaveResult } from "./session-state.ts";

const START: SavedText = { text: "one", hash: "h1" };

/** A server with one text, and a browser with this page's draft and the drafts left by other pages. */
class World {
  stored = START;
  draft: DocumentDraft | null = null;
  left: DocumentDraft[] = [];
  failure: string | null = null;
  /** The server saves but its responses are lost. */
  isSilent = false;
  saves = 0;
  sent: { text: string; isUnloading: boolean }[] = [];

  open(): DocumentSession {
    return new DocumentSession(this.stored, this.left.map(this.#offer), {
      page: "this page",
      isOpen: () => Promise.resolve(true),
      save: (text, expectedHash, isUnloading) => {
        this.sent.push({ text, isUnloading });
        const result = this.#save(text, expectedHash);
        return this.isSilent ? new Promise(() => undefined) : Promise.resolve(result);
      },
      storeDraft: (draft) => {
        this.draft = draft;
        return Promise.resolve();
      },
      removeDraft: () => (this.draft = null),
    });
  }

  readonly #offer = (draft: DocumentDraft): AbandonedDraft => ({
    draft,
    forget: () => (this.left = this.left.filter((other) => other !== draft)),
  });

  #save(text: string, expectedHash: string): SaveResult {
    if (this.failure !== null) return { kind: "failed", message: this.failure };
    if (expectedHash !== this.stored.hash) return { kind: "changed", theirs: this.stored };
    this.saves += 1;
    this.stored = { text, hash: `saved ${this.saves}` };
    return { kind: "saved", hash: this.stored.hash };
  }
}

let world: World;

beforeEach(() => {
  vi.useFakeTimers();
  world = new World();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a document being edited", () => {
  it("takes over a text that was written elsewhere, and forgets that one only once both are saved", async () => {
    world.stored = { text: "theirs", hash: "h1" };
    const session = world.open();
    let isForgotten = false;
    session.adopt({ draft: { text: "mine", baseText: "", baseHash: "" }, forget: () => (isForgotten = true) });
    await vi.runAllTimersAsync();
    expect(session.getSnapshot()).toMatchObject({ text: "mine", saving: { kind: "conflict", theirs: world.stored } });
    expect(isForgotten).toBe(false);
    await session.resolve("theirs and mine");
    expect(world.stored.text).toBe("theirs and mine");
    expect(isForgotten).toBe(true);
  });

  it("keeps a draft at once and saves in a pause", async () => {
    const session = world.open();
    session.edit("one two");
    expect(world.draft).toMatchObject({ text: "one two", baseText: "one", baseHash: "h1" });
    expect(session.getSnapshot().saving.kind).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one two");
    expect(world.draft).toBeNull();
    expect(session.isSaved).toBe(true);
  });

  it("stores the draft of a long text after a short delay, converting it to a string once", async () => {
    const session = world.open();
    const text = "two ".repeat(20_000);
    let conversions = 0;
    const lazyText = {
      length: text.length,
      slice: (from: number, to?: number) => text.slice(from, to),
      toString: () => {
        conversions += 1;
        return text;
      },
    };
    session.edit("one two");
    session.edit({ ...lazyText });
    session.edit({ ...lazyText });
    session.edit(lazyText);
    expect([conversions, world.draft?.text, session.getSnapshot().text]).toEqual([0, "one two", lazyText]);
    await vi.advanceTimersByTimeAsync(500);
    expect([conversions, world.draft?.text]).toEqual([1, text]);
    session.edit({ ...lazyText });
    session.flushOnUnload();
    expect(world.draft?.text).toBe(text);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe(text);
    expect(world.draft).toBeNull();
  });

  it("saves periodically while somebody types without a pause", async () => {
    const session = world.open();
    for (let key = 0; key < 40; key += 1) {
      session.edit(`one ${key}`);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(world.saves).toBeGreaterThanOrEqual(1);
    expect(world.saves).toBeLessThanOrEqual(3);
  });

  it("adopts a draft from an earlier visit and saves it", async () => {
    world.left = [{ text: "one, written before the crash", baseText: "one", baseHash: "h1" }];
    const session = world.open();
    expect(session.getSnapshot().text).toBe("one, written before the crash");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one, written before the crash");
    expect(world.left).toEqual([]);
  });

  it("reports a failed save, keeps the draft, and retries", async () => {
    const session = world.open();
    world.failure = "The disk is full.";
    session.edit("two");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(session.getSnapshot().saving).toEqual({ kind: "failed", message: "The disk is full." });
    expect(world.draft?.text).toBe("two");
    world.failure = null;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(world.stored.text).toBe("two");
    expect(world.draft).toBeNull();
  });

  it("takes over what somebody else has changed in other lines", async () => {
    world.stored = { text: "one\ntwo\nthree", hash: "h1" };
    const session = world.open();
    world.stored = { text: "ONE\ntwo\nthree", hash: "h2" };
    session.edit("one\ntwo\nthree, mine");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("ONE\ntwo\nthree, mine");
    expect(session.getSnapshot()).toEqual({ text: "ONE\ntwo\nthree, mine", saving: { kind: "saved" } });
    expect(world.draft).toBeNull();
  });

  it("makes an edit of a text that was just replaced in the new one", async () => {
    world.stored = { text: "one\ntwo\nthree", hash: "h1" };
    const session = world.open();
    const shown = session.getSnapshot().text;
    world.stored = { text: "ONE\ntwo\nthree", hash: "h2" };
    session.receive(world.stored);
    session.edit("one\ntwo\nthree!", shown);
    session.edit("one\ntwo\nthree!!", "one\ntwo\nthree!");
    expect(session.getSnapshot().text).toBe("ONE\ntwo\nthree!!");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("ONE\ntwo\nthree!!");
    session.edit("one, too\ntwo\nthree", shown);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.getSnapshot().saving.kind).toBe("conflict");
    expect(world.stored.text).toBe("ONE\ntwo\nthree!!");
  });

  it("keeps a change that is not in the edited text, also if the edit is made during a conflict", async () => {
    world.stored = { text: "one\ntwo\nthree", hash: "h1" };
    const session = world.open();
    world.stored = { text: "one\nTWO\nthree", hash: "h2" };
    session.edit("one!\ntwo\nthree");
    const shown = session.getSnapshot().text;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("one!\nTWO\nthree");
    world.stored = { text: "ONE\nTWO\nthree", hash: "h3" };
    session.edit("one!!\nTWO\nthree");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.getSnapshot().saving).toMatchObject({ kind: "conflict", base: "one!\nTWO\nthree" });
    session.edit("one!\ntwo, mine\nthree", shown);
    expect(session.getSnapshot()).toEqual({
      text: "one!\ntwo, mine\nthree",
      saving: { kind: "conflict", base: "one\ntwo\nthree", theirs: world.stored },
    });
  });

  it("never saves over somebody else's change", async () => {
    const session = world.open();
    world.stored = { text: "theirs", hash: "h2" };
    session.edit("ours");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("theirs");
    expect(session.getSnapshot().saving).toEqual({
      kind: "conflict",
      base: "one",
      theirs: { text: "theirs", hash: "h2" },
    });
    session.edit("ours, further");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.stored.text).toBe("theirs");
    expect(world.draft?.text).toBe("ours, further");
    await session.resolve("both");
    expect(world.stored.text).toBe("both");
    expect(world.draft).toBeNull();
  });

  it("detects the conflict of a draft that is older than the file's current text", async () => {
    world.left = [{ text: "ours", baseText: "one", baseHash: "h1" }];
    world.stored = { text: "theirs", hash: "h2" };
    const session = world.open();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(session.getSnapshot()).toMatchObject({ text: "ours", saving: { kind: "conflict", base: "one" } });
  });

  it("saves a draft from an earlier visit with what somebody else has changed in other lines since", async () => {
    world.left = [{ text: "one\ntwo\nthree, mine", baseText: "one\ntwo\nthree", baseHash: "h1" }];
    world.stored = { text: "one, theirs\ntwo\nthree", hash: "h2" };
    world.open();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("one, theirs\ntwo\nthree, mine");
    expect(world.left).toEqual([]);
    expect(world.draft).toBeNull();
  });

  it("continues if only the frontmatter was changed elsewhere", async () => {
    const session = world.open();
    world.stored = { text: "one", hash: "other tags" };
    session.edit("two");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(world.stored.text).toBe("two");
    expect(session.isSaved).toBe(true);
  });

  it("shows a change made elsewhere, unless there are unsaved edits here", () => {
    const session = world.open();
    session.receive({ text: "newer", hash: "h2" });
    expect(session.getSnapshot().text).toBe("newer");
    session.edit("ours");
    session.receive({ text: "newest", hash: "h3" });
    expect(session.getSnapshot().text).toBe("ours");
  });

  it("saves what was written during a save", async () => {
    const session = world.open();
    session.edit("two");
    const saving = session.flush();
    session.edit("three");
    await saving;
    expect(session.isSaved).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("three");
  });
});

describe("drafts left by other pages", () => {
  const first: DocumentDraft = { text: "one, first", baseText: "one", baseHash: "h1" };
  const second: DocumentDraft = { text: "one, second", baseText: "one", baseHash: "h1" };

  it("stay if this session has not adopted them", async () => {
    const session = world.open();
    world.left = [first];
    await session.flush();
    session.edit("ours");
    await session.flush();
    expect(world.left).toEqual([first]);
  });

  it("stay until their text is saved", async () => {
    world.left = [first];
    world.failure = "The disk is full.";
    const session = world.open();
    await session.flush();
    expect(world.left).toEqual([first]);
    world.failure = null;
    await session.flush();
    expect(world.left).toEqual([]);
    expect(world.stored.text).toBe("one, first");
  });

  it("are replaced by a draft of this session that builds on them", async () => {
    world.left = [first];
    world.failure = "The disk is full.";
    const session = world.open();
    session.edit("one, first and more");
    await vi.advanceTimersByTimeAsync(0);
    expect(world.draft).toMatchObject({ text: "one, first and more", baseText: "one", baseHash: "h1" });
    expect(world.left).toEqual([]);
  });

  it("are merged one after the other, and none is lost", async () => {
    world.left = [first, second];
    const session = world.open();
    expect(session.getSnapshot().text).toBe("one, first");
    await session.flush();
    expect(world.stored.text).toBe("one, first");
    expect(world.left).toEqual([second]);
    expect(session.getSnapshot()).toMatchObject({
      text: "one, second",
      saving: { kind: "conflict", base: "one", theirs: { text: "one, first" } },
    });
    await session.resolve("one, first, second");
    expect(world.stored.text).toBe("one, first, second");
    expect(world.left).toEqual([]);
    expect(session.isSaved).toBe(true);
  });

  it("are deleted if the file has the same text", () => {
    world.left = [{ ...first, text: "one" }, second];
    expect(world.open().getSnapshot().text).toBe("one, second");
    expect(world.left).toEqual([second]);
  });

  it("apply on top of what they had already sent themselves", async () => {
    world.left = [{ ...first, text: "one, first and more", sentText: "one, first" }];
    world.stored = { text: "one, first", hash: "h2" };
    await world.open().flush();
    expect(world.stored.text).toBe("one, first and more");
  });

  it("apply on top of what they had already sent themselves, even if that arrives late", async () => {
    world.left = [{ ...first, text: "one, first and more", sentText: "one, first" }];
    const session = world.open();
    world.stored = { text: "one, first", hash: "h2" };
    await session.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one, first and more");
  });
});

describe("a page that may be about to unload", () => {
  it("sends unsaved text immediately", () => {
    const session = world.open();
    session.edit("two");
    session.flushOnUnload();
    expect(world.sent).toEqual([{ text: "two", isUnloading: true }]);
    expect(world.stored.text).toBe("two");
  });

  it("sends text written during a save once, and records in the draft what was sent before", () => {
    const session = world.open();
    world.isSilent = true;
    session.edit("two");
    void session.flush();
    session.edit("three");
    session.flushOnUnload();
    session.flushOnUnload();
    expect(world.sent).toEqual([
      { text: "two", isUnloading: false },
      { text: "three", isUnloading: true },
    ]);
    expect(world.draft).toMatchObject({ text: "three", baseText: "one", baseHash: "h1", sentText: "two" });
  });

  it("continues as before if the page stays", async () => {
    const session = world.open();
    session.edit("two");
    void session.flush();
    session.edit("three");
    session.flushOnUnload();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("three");
    expect(session.isSaved).toBe(true);
    expect(world.draft).toBeNull();
  });
});
