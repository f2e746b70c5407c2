import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextWorld } from "../../../test-kit/text-world.ts";
import type { DocumentDraft } from "./draft-store.ts";

let world: TextWorld;

beforeEach(() => {
  vi.useFakeTimers();
  world = new TextWorld();
});

afterEach(() => {
  vi.useRealTimers();
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
    await vi.advanceTimersByTimeAsync(5_000);
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
