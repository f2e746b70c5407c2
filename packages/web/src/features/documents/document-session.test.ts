import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DocumentSession, type SaveResult, type SavedText } from "./document-session.ts";
import type { DocumentDraft, LeftDraft } from "./draft-store.ts";

const START: SavedText = { text: "one", hash: "h1" };

/** A server with one text, and a browser with the draft of this page and those that others have left. */
class World {
  stored = START;
  draft: DocumentDraft | null = null;
  left: DocumentDraft[] = [];
  failure: string | null = null;
  /** What the server has saved is not told any more. */
  isSilent = false;
  saves = 0;
  sent: { text: string; isParting: boolean }[] = [];

  open(): DocumentSession {
    return new DocumentSession(this.stored, this.left.map(this.#offer), {
      save: (text, expectedHash, isParting) => {
        this.sent.push({ text, isParting });
        const result = this.#save(text, expectedHash);
        return this.isSilent ? new Promise(() => undefined) : Promise.resolve(result);
      },
      keepDraft: (draft) => {
        this.draft = draft;
        return Promise.resolve();
      },
      dropDraft: () => (this.draft = null),
    });
  }

  readonly #offer = (draft: DocumentDraft): LeftDraft => ({
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
    world.left = [{ text: "one, written before the crash", baseText: "one", baseHash: "h1" }];
    const session = world.open();
    expect(session.getSnapshot().text).toBe("one, written before the crash");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one, written before the crash");
    expect(world.left).toEqual([]);
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
    world.left = [{ text: "ours", baseText: "one", baseHash: "h1" }];
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

describe("the drafts that others have left", () => {
  const first: DocumentDraft = { text: "one, first", baseText: "one", baseHash: "h1" };
  const second: DocumentDraft = { text: "one, second", baseText: "one", baseHash: "h1" };

  it("stay where this session has not taken them up", async () => {
    const session = world.open();
    world.left = [first];
    await session.flush();
    session.edit("ours");
    await session.flush();
    expect(world.left).toEqual([first]);
  });

  it("stay until what they say is saved", async () => {
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

  it("are replaced by a draft of this session that goes on from them", async () => {
    world.left = [first];
    world.failure = "The disk is full.";
    const session = world.open();
    session.edit("one, first and more");
    await vi.advanceTimersByTimeAsync(0);
    expect(world.draft).toEqual({ text: "one, first and more", baseText: "one", baseHash: "h1" });
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

  it("are forgotten where the file says the same", () => {
    world.left = [{ ...first, text: "one" }, second];
    expect(world.open().getSnapshot().text).toBe("one, second");
    expect(world.left).toEqual([second]);
  });

  it("go on top of what they had sent themselves", async () => {
    world.left = [{ ...first, text: "one, first and more", sentText: "one, first" }];
    world.stored = { text: "one, first", hash: "h2" };
    await world.open().flush();
    expect(world.stored.text).toBe("one, first and more");
  });

  it("go on top of what they had sent themselves, where that arrives late", async () => {
    world.left = [{ ...first, text: "one, first and more", sentText: "one, first" }];
    const session = world.open();
    world.stored = { text: "one, first", hash: "h2" };
    await session.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.stored.text).toBe("one, first and more");
  });
});

describe("a page that may be about to go", () => {
  it("sends at once what is written", () => {
    const session = world.open();
    session.edit("two");
    session.part();
    expect(world.sent).toEqual([{ text: "two", isParting: true }]);
    expect(world.stored.text).toBe("two");
  });

  it("sends once what was written while a save was under way, and keeps with the draft what was sent before", () => {
    const session = world.open();
    world.isSilent = true;
    session.edit("two");
    void session.flush();
    session.edit("three");
    session.part();
    session.part();
    expect(world.sent).toEqual([
      { text: "two", isParting: false },
      { text: "three", isParting: true },
    ]);
    expect(world.draft).toEqual({ text: "three", baseText: "one", baseHash: "h1", sentText: "two" });
  });

  it("goes on as before where it stays", async () => {
    const session = world.open();
    session.edit("two");
    void session.flush();
    session.edit("three");
    session.part();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.stored.text).toBe("three");
    expect(session.isSaved).toBe(true);
    expect(world.draft).toBeNull();
  });
});
