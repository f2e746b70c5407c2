import { expect, test } from "vitest";
import { deriveEncryptionKey, type EncryptionKey } from "./secret-box.ts";
import { createSealedPositions } from "./sealed-positions.ts";

const withKeys = (...keys: readonly [EncryptionKey, ...EncryptionKey[]]) =>
  createSealedPositions({ newest: keys[0], find: (id) => keys.find((key) => key.id === id) });

const older = deriveEncryptionKey("older");
const newer = deriveEncryptionKey("newer");

test("a position is read until its key is gone", () => {
  for (const position of [{ seq: 0 }, { seq: 7, atMs: 1_795_733_922_699 }, { seq: 999_999_999_999_999, atMs: 1 }]) {
    const text = withKeys(older).write(position);
    expect(withKeys(newer, older).read(text)).toEqual(position);
    expect(withKeys(newer).read(text)).toBeNull();
    expect(text).toHaveLength(withKeys(older).write({ seq: 1 }).length);
  }
});

test("one that is not sealed cannot be read, and what never was a position is refused", () => {
  expect(withKeys(older).read("7-1795733922699")).toBeNull();
  expect(() => withKeys(older).read("v1.x")).toThrow("after: expected the position of an earlier response");
});
