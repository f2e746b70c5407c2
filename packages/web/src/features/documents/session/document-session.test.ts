import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { START, TextWorld } from "../../../test-kit/text-world.ts";

let world: TextWorld;

beforeEach(() => {
  vi.useFakeTimers();
  world = new TextWorld();
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
    session.receive(world.stored, Date.now() + 1);
    session.edit("one\ntwo\nthree!", shown);
    session.edit("one\ntwo\nthree!!", "one\ntwo\nthree!");
    expect(session.getSnapshot().text).toBe("ONE\ntwo\nthree!!");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(world.stored.text).toBe("ONE\ntwo\nthree!!");
    session.edit("one, too\ntwo\nthree", shown);
    await vi.advanceTimersByTimeAsync(5_000);
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
    await vi.advanceTimersByTimeAsync(5_000);
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
    await vi.advanceTimersByTimeAsync(5_000);
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
    await vi.advanceTimersByTimeAsync(5_000);
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
    session.receive({ text: "newer", hash: "h2" }, Date.now() + 1);
    expect(session.getSnapshot().text).toBe("newer");
    session.edit("ours");
    session.receive({ text: "newest", hash: "h3" }, Date.now() + 1);
    expect(session.getSnapshot().text).toBe("ours");
  });

  it("reads the text anew if what arrives was asked for before it was saved here", async () => {
    const session = world.open();
    const early = { saved: world.stored, askedAt: Date.now() };
    session.edit("ours");
    await session.flush();
    session.receive(early.saved, early.askedAt);
    await vi.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot()).toEqual({ text: "ours", saving: { kind: "saved" } });
    world.stored = START;
    session.receive(early.saved, early.askedAt);
    await vi.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot().text).toBe("one");
  });

  it("asks nothing while somebody is typing", async () => {
    const session = world.open();
    world.stored = { text: "theirs", hash: "h2" };
    for (let key = 0; key < 30; key += 1) {
      session.edit(`ours ${key}`);
      await vi.advanceTimersByTimeAsync(500);
      expect(session.getSnapshot().saving.kind).not.toBe("conflict");
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.getSnapshot()).toMatchObject({
      text: "ours 29",
      saving: { kind: "conflict", theirs: world.stored },
    });
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
