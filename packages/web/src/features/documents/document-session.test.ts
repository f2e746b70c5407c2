import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession, type SaveResult, type SavedText } from "./document-session.ts";
import type { DocumentDraft } from "./draft-store.ts";

const START: SavedText = { text: "one", hash: "h1" };

/** A server with one text, and a browser with one draft. */
class World {
  stored = START;
  draft: DocumentDraft | null = null;
  failure: string | null = null;
  saves = 0;

  open(): DocumentSession {
    return new DocumentSession(this.stored, this.draft, {
      save: (text, expectedHash) => Promise.resolve(this.#save(text, expectedHash)),
      keepDraft: (draft) => (this.draft = draft),
      dropDraft: () => (this.draft = null),
    });
  }

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

describe("a document while it is written", () => {
  it("keeps a draft at once and saves in a pause", async () => {
    const session = world.open();
    session.edit("one two");
    expect(world.draft).toEqual({ text: "one two", baseText: "one", baseHash: "h1" });
    expect(session.getSnapshot().saving.kind).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one two");
    expect(world.draft).toBeNull();
    expect(session.isSaved).toBe(true);
  });

  it("saves now and then while somebody writes without a pause", async () => {
    const session = world.open();
    for (let key = 0; key < 40; key += 1) {
      session.edit(`one ${key}`);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(world.saves).toBeGreaterThanOrEqual(1);
    expect(world.saves).toBeLessThanOrEqual(3);
  });

  it("takes up a draft of an earlier visit and saves it", async () => {
    world.draft = { text: "one, written before the crash", baseText: "one", baseHash: "h1" };
    const session = world.open();
    expect(session.getSnapshot().text).toBe("one, written before the crash");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one, written before the crash");
  });

  it("tells of a failed save, keeps the draft, and tries again", async () => {
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

  it("finds the conflict of a draft that is older than what the file has by now", () => {
    world.draft = { text: "ours", baseText: "one", baseHash: "h1" };
    world.stored = { text: "theirs", hash: "h2" };
    expect(world.open().getSnapshot()).toMatchObject({ text: "ours", saving: { kind: "conflict", base: "one" } });
  });

  it("goes on where only what stands before the text was changed elsewhere", async () => {
    const session = world.open();
    world.stored = { text: "one", hash: "other tags" };
    session.edit("two");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(world.stored.text).toBe("two");
    expect(session.isSaved).toBe(true);
  });

  it("shows what was changed elsewhere, unless something is written here", () => {
    const session = world.open();
    session.receive({ text: "newer", hash: "h2" });
    expect(session.getSnapshot().text).toBe("newer");
    session.edit("ours");
    session.receive({ text: "newest", hash: "h3" });
    expect(session.getSnapshot().text).toBe("ours");
  });

  it("saves what was written while a save was under way", async () => {
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
