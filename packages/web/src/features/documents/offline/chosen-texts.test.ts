import { describe, expect, it } from "vitest";
import { sampleDocument } from "../../../test-kit/sample-document.ts";
import { chooseTexts, inBatches, MAX_TEXT_BYTES, maxBytesOf } from "./chosen-texts.ts";

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
const note = (id: string, day: number, size = 10) => sampleDocument({ id, modifiedAt: at(day), size });

describe("the texts that are kept", () => {
  it("are those of notes that have changed last, as many as there is room for", () => {
    const chosen = chooseTexts([note("old", 1), note("new", 3), note("middle", 2)], 20);
    expect(chosen.map(({ id }) => id)).toEqual(["new", "middle"]);
  });

  it("are not those of deleted documents, of files without a text, and of very long notes", () => {
    const deleted = sampleDocument({ id: "deleted", deletedAt: at(1) });
    const image = sampleDocument({ id: "image", fileType: "binary" });
    expect(chooseTexts([deleted, image, note("long", 1, MAX_TEXT_BYTES + 1)], 1e9)).toEqual([]);
  });

  it("take no more than a part of what the browser lets the site store, and of what is left of it", () => {
    expect(maxBytesOf({}, 0)).toBe(100_000_000);
    expect(maxBytesOf({ quota: 1e12, usage: 0 }, 0)).toBe(100_000_000);
    expect(maxBytesOf({ quota: 1_000, usage: 0 }, 0)).toBe(200);
    expect(maxBytesOf({ quota: 1_000, usage: 900 }, 50)).toBe(100);
    expect(maxBytesOf({ quota: 1_000, usage: 1_200 }, 50)).toBe(50);
  });
});

it("batches have a bounded size and number, and a note that is larger is a batch by itself", () => {
  const notes = [note("a", 1, 60), note("b", 1, 40), note("c", 1, 150), note("d", 1, 1), note("e", 1, 1)];
  const batches = [...inBatches(notes, { maxBytes: 100, maxCount: 3 })];
  expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([["a", "b"], ["c"], ["d", "e"]]);
  expect([...inBatches(notes, { maxBytes: 1_000, maxCount: 4 })].map(({ length }) => length)).toEqual([4, 1]);
});
