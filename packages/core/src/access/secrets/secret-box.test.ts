import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deriveEncryptionKey,
  keyIdOf,
  openSecret,
  SecretBoxError,
  sealSecret,
  type EncryptionKey,
} from "./secret-box.ts";

const key = deriveEncryptionKey("a text of thirty-two characters or more");
const otherKey = deriveEncryptionKey("another text of thirty-two characters or more");
const findIn =
  (...keys: EncryptionKey[]) =>
  (id: string) =>
    keys.find((candidate) => candidate.id === id);

const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,40}$/);
const value = fc.string({ unit: "binary", maxLength: 300 }).filter((text) => text.isWellFormed());

const reasonOf = (open: () => string): string => {
  try {
    open();
  } catch (error) {
    if (error instanceof SecretBoxError) return error.reason;
    throw error;
  }
  return "opened";
};

describe("an envelope", () => {
  test("returns exactly the value that was sealed", () => {
    fc.assert(
      fc.property(name, value, (name, value) => {
        expect(openSecret(findIn(otherKey, key), name, sealSecret(key, name, value))).toBe(value);
      }),
    );
  });

  test("still opens years later: key derivation and format have not changed", () => {
    const envelope = "v1.c79cd7bec5e1b658.UdsOilW6smiFRMRC.xlPq_MQ0._sqZgoSTCGTbTvZKI4L05A";
    expect(keyIdOf(envelope)).toBe("c79cd7bec5e1b658");
    expect(openSecret(findIn(key), "NAME", envelope)).toBe("välue");
  });

  test("is a version, a key id of 8 bytes, a nonce of 12, the ciphertext and a tag of 16", () => {
    expect(sealSecret(key, "NAME", "123")).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]{16}\.[\w-]{4}\.[\w-]{22}$/);
  });

  test("never repeats a nonce and never shows its value", () => {
    const envelopes = Array.from({ length: 1000 }, () => sealSecret(key, "NAME", "the very secret value"));
    expect(new Set(envelopes.map((envelope) => envelope.split(".")[2])).size).toBe(1000);
    expect(envelopes.join()).not.toContain("secret value");
    expect(envelopes.join()).not.toContain(Buffer.from("the very secret value").toString("base64url"));
  });

  test("does not open if any single bit is flipped", () => {
    const envelope = Buffer.from(sealSecret(key, "NAME", "value"));
    for (let bit = 0; bit < envelope.length * 8; bit += 1) {
      const flipped = Buffer.from(envelope);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(reasonOf(() => openSecret(findIn(key), "NAME", flipped.toString("latin1")))).not.toBe("opened");
    }
  });

  test("does not open after any change", () => {
    fc.assert(
      fc.property(name, value, fc.string(), fc.nat(), fc.nat(10), (name, value, inserted, at, removed) => {
        const envelope = sealSecret(key, name, value);
        const start = at % (envelope.length + 1);
        const changed = envelope.slice(0, start) + inserted + envelope.slice(start + removed);
        fc.pre(changed !== envelope);
        expect(reasonOf(() => openSecret(findIn(key), name, changed))).not.toBe("opened");
      }),
      { numRuns: 1000 },
    );
  });

  test("opens only under its own name", () => {
    fc.assert(
      fc.property(name, name, value, (name, otherName, value) => {
        fc.pre(name !== otherName);
        expect(reasonOf(() => openSecret(findIn(key), otherName, sealSecret(key, name, value)))).toBe("not_authentic");
      }),
    );
  });

  test("names the key that it needs, and does not open with another", () => {
    const envelope = sealSecret(key, "NAME", "value");
    expect(keyIdOf(envelope)).toBe(key.id);
    expect(reasonOf(() => openSecret(findIn(otherKey), "NAME", envelope))).toBe("unknown_key");
    const impostor = { id: key.id, bytes: otherKey.bytes };
    expect(reasonOf(() => openSecret(findIn(impostor), "NAME", envelope))).toBe("not_authentic");
  });

  test("reports why it does not open, with the cipher's error as the cause", () => {
    const envelope = sealSecret(key, "NAME", "value");
    expect(() => openSecret(findIn(key), "OTHER", envelope)).toThrow(
      expect.objectContaining({
        name: "SecretBoxError",
        message: "The envelope is not authentic.",
        cause: expect.any(Error) as Error,
      }) as SecretBoxError,
    );
  });

  const nonce = "A".repeat(16);
  const tag = "A".repeat(22);
  test.each([
    "",
    "v1",
    "v1....",
    "v2.a.b.c.d",
    `v2.k.${nonce}.AAAA.${tag}`,
    `v1.k.${nonce}.AAAA.${tag}.`,
    `v1.k.AAAA.AAAA.${tag}`,
    `v1.k.${nonce}.AAAA.AAAA`,
    `v1.k.${nonce}.AA=A.${tag}`,
  ])("is malformed as %j", (text) => {
    expect(reasonOf(() => openSecret(findIn(key), "NAME", text))).toBe("malformed");
  });
});

test("a key is derived from its text alone, and its id reveals nothing about it", () => {
  expect(deriveEncryptionKey("one")).toEqual(deriveEncryptionKey("one"));
  expect(deriveEncryptionKey("one").id).not.toBe(deriveEncryptionKey("two").id);
  expect(key.bytes).toHaveLength(32);
  expect(key.bytes.toString("hex")).not.toContain(key.id);
});
