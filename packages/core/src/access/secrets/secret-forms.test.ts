import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactedStream } from "../../platform/redactor.ts";
import { createSecretRedactor } from "./secret-redactor.ts";

async function redactorOf(...values: string[]) {
  const redactor = createSecretRedactor(() =>
    Promise.resolve(values.map((value, index) => ({ key: `K${index}`, value }))),
  );
  await redactor.refresh();
  return redactor;
}

/** Makes a choice for each character or pair, from the numbers of the test case. */
type Choose = () => number;

const hex = (value: string) => Buffer.from(value).toString("hex");
const mixCase = (text: string, choose: Choose) =>
  Array.from(text, (character) => (choose() % 2 === 0 ? character.toUpperCase() : character)).join("");
const escapeUnit = (unit: string, choose: Choose) =>
  `\\u${mixCase(unit.charCodeAt(0).toString(16).padStart(4, "0"), choose)}`;
const percentOf = (character: string, choose: Choose) =>
  Array.from(Buffer.from(character), (byte) => `%${mixCase(byte.toString(16).padStart(2, "0"), choose)}`).join("");
const isWellFormed = (text: string) => text.isWellFormed();

/** The forms in which programs write a value, each with its possible variations. */
const FORMS: Record<string, (value: string, choose: Choose) => string> = {
  "as it is": (value) => value,
  "in hexadecimal": (value) => hex(value),
  "in upper-case hexadecimal": (value) => hex(value).toUpperCase(),
  "in hexadecimal of mixed case": (value, choose) => mixCase(hex(value), choose),
  "percent-encoded where it must be": (value) => encodeURIComponent(value),
  "percent-encoded all over": (value, choose) =>
    Array.from(value, (character) => percentOf(character, choose)).join(""),
  "percent-encoded here and there": (value, choose) =>
    Array.from(value, (character) => (choose() % 2 === 0 ? percentOf(character, choose) : character)).join(""),
  "percent-encoded twice": (value) => encodeURIComponent(encodeURIComponent(value)),
  "in the body of a form": (value) => new URLSearchParams({ v: value }).toString().slice(2),
  "in JSON": (value) => JSON.stringify(value).slice(1, -1),
  "in JSON with every slash escaped": (value) => JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"),
  "in JSON with \\u all over": (value, choose) => value.replace(/[^]/g, (unit) => escapeUnit(unit, choose)),
  "in JSON with \\u here and there": (value, choose) =>
    value.replace(/[^]/g, (unit) =>
      choose() % 2 === 0 ? escapeUnit(unit, choose) : JSON.stringify(unit).slice(1, -1),
    ),
  "in JSON in JSON": (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  "in JSON in JSON in JSON": (value) => JSON.stringify(JSON.stringify(JSON.stringify(value))).slice(7, -7),
  "in HTML": (value) =>
    value
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  "quoted for a shell": (value) =>
    value
      .replace(/[!-/:-@[-`{-~ ]/g, String.raw`\$&`)
      .replaceAll("\n", String.raw`\n`)
      .replaceAll("\t", String.raw`\t`),
  "in base64 in an address": (value) => encodeURIComponent(Buffer.from(value).toString("base64")),
};

/** A value within other bytes that are encoded together with it. */
const ENCODED_TOGETHER = ["base64", "base64url", "base64 without padding", "base64 in lines"] as const;
function encodeTogether(kind: (typeof ENCODED_TOGETHER)[number], bytes: Buffer): string {
  switch (kind) {
    case "base64":
      return bytes.toString("base64");
    case "base64url":
      return bytes.toString("base64url");
    case "base64 without padding":
      return bytes.toString("base64").replace(/=+$/, "");
    case "base64 in lines":
      return bytes.toString("base64").replace(/.{19}/g, "$&\r\n");
  }
}

const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }) },
  { weight: 3, arbitrary: fc.constantFrom("\\", '"', "/", "%", "&", "+", " ", "\n", "\t", "ä", "€", "😀", "a", "b") },
);
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(""));
// It is impossible to see whether surrounding blanks belong to a value, so it is found without them.
const secret = fc
  .array(character, { minLength: 8, maxLength: 40 })
  .map((characters) => characters.join("").trim())
  .filter((value) => value.length >= 8 && isWellFormed(value) && !"[secret K0] [secret K1]".includes(value));
const choices = fc.infiniteStream(fc.nat(100)).map((stream) => () => Number(stream.next().value));
const cuts = fc.array(fc.nat(200), { maxLength: 6 });

function inPieces(whole: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...sorted, whole.length].map((end, index) => whole.slice(sorted[index - 1] ?? 0, end));
}

describe("no value gets through", () => {
  test.each(Object.keys(FORMS))("%s, whatever is around it and wherever the text is cut", async (name) => {
    const form = FORMS[name] ?? String;
    await fc.assert(
      fc.asyncProperty(secret, text, text, choices, cuts, async (value, before, after, choose, places) => {
        const written = form(value, choose);
        fc.pre(!`[secret K0]`.includes(written));
        const whole = before + written + after;
        const redactor = await redactorOf(value);
        const redacted = redactor.redact(whole);
        expect(redacted).not.toContain(written);
        expect(redacted).toContain("[secret K0]");
        const stream = createRedactedStream(redactor);
        const released = inPieces(whole, places).map((piece) => stream.add(piece));
        expect([...released, stream.end()].join("")).toBe(redacted);
      }),
      { numRuns: 150 },
    );
  });

  test.each(ENCODED_TOGETHER)("in %s, at any offset", async (kind) => {
    await fc.assert(
      fc.asyncProperty(secret, text, text, cuts, async (value, before, after, places) => {
        const whole = `token: ${encodeTogether(kind, Buffer.from(before + value + after))} end`;
        const redactor = await redactorOf(value);
        const redacted = redactor.redact(whole);
        expect(redacted).toContain("[secret K0]");
        const left = redacted.replaceAll("[secret K0]", "").replaceAll(/[^\w+/-]/g, "");
        for (const offset of ["", "x", "xx"]) {
          const core = Buffer.from(offset + value).toString(kind === "base64url" ? "base64url" : "base64");
          expect(left).not.toContain(core.slice(4, -4));
        }
        const stream = createRedactedStream(redactor);
        const released = inPieces(whole, places).map((piece) => stream.add(piece));
        expect([...released, stream.end()].join("")).toBe(redacted);
      }),
      { numRuns: 200 },
    );
  });

  test("with its padding, which is removed too", async () => {
    const { redact } = await redactorOf("s3cr3t-value1");
    for (const encoding of ["base64", "base64url"] as const) {
      expect(redact(`Basic ${Buffer.from("s3cr3t-value1").toString(encoding)}.`)).toBe("Basic [secret K0].");
    }
  });
});

test("the line break after a value in base64 is left alone", async () => {
  const { redact } = await redactorOf("s3cr3t-value1");
  const encoded = Buffer.from("s3cr3t-value1").toString("base64url");
  expect(redact(`${encoded}\nnext\n${encoded}`)).toBe("[secret K0]\nnext\n[secret K0]");
});

test("ordinary text is unchanged, at any length and in any notation", async () => {
  const { redact } = await redactorOf("correct-horse-battery", "tok_0123456789abcdef", "päss wörd+1");
  fc.assert(
    fc.property(text, fc.constantFrom("utf8", "hex", "base64", "base64url"), (plain, encoding) => {
      const written = encoding === "utf8" ? plain : Buffer.from(plain).toString(encoding);
      for (const whole of [written, JSON.stringify(written), encodeURIComponent(written), written.repeat(50)]) {
        expect(redact(whole)).toBe(whole);
      }
    }),
  );
});

test("overlapping values are removed together", async () => {
  const { redact } = await redactorOf("abcdefgh", "efghijkl", "fghijk");
  expect(redact("<abcdefghijkl>")).toBe("<[secret K0][secret K1]>");
});

describe("the running time", () => {
  const MIB = 1024 * 1024;
  const secretOf = (index: number) => `key-${Buffer.from(`${index * 7919}:${index}`).toString("base64url")}-${index}`;
  const SECRETS = Array.from({ length: 1_000 }, (_, index) => secretOf(index));
  // Each of them, shifted by one, matches itself almost to its end.
  const REPEATING = ["a".repeat(20), "a".repeat(64 * 1024), "\\".repeat(1_000), "%61".repeat(10), "a b c d e f"];
  /** Time proportional to the number of values, or to the product of both lengths, would be far longer. */
  const MAX_MS = 2_000;
  const usedMs = (run: () => void) => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user / 1_000;
  };

  test("does not grow with the number of values", async () => {
    const { redact } = await redactorOf(...SECRETS);
    const note = `${JSON.stringify({ title: 'A "note"', path: "a/b.md" })} The quick brown fox jumps over the lazy dog.\n`;
    const long = note.repeat(Math.ceil(MIB / note.length));
    expect(usedMs(() => expect(redact(long)).toBe(long))).toBeLessThan(MAX_MS);
  });

  test.each(["%61", "a", "\\", '\\"', "\\u0061", "%2561", "&#x61;", "&", "+", "YWFh", "6161", "%61\r\n", "\\\n&amp;"])(
    "is bounded for a text of %j, whatever the values are",
    async (piece) => {
      const redactor = await redactorOf(...SECRETS, ...REPEATING);
      const long = piece.repeat(MIB / piece.length);
      expect(usedMs(() => redactor.redact(long))).toBeLessThan(MAX_MS);
      expect(usedMs(() => redactor.settledLength(long))).toBeLessThan(MAX_MS);
    },
  );

  test("is bounded by withholding the rest of a text, and of a stream", async () => {
    const value = "a".repeat(64 * 1024);
    const redactor = await redactorOf(value, "hunter2-hunter2");
    const long = `hunter2-hunter2 is ${"%61".repeat(MIB / 3)} hunter2-hunter2`;
    expect(redactor.redact(long)).toMatch(
      /^\[secret K1\] is (\[secret K0\])?\[withheld: too much here looks like secrets\]$/,
    );
    const stream = createRedactedStream(redactor);
    expect([long, " a", value].map((piece) => stream.add(piece)).join("") + stream.end()).toBe(redactor.redact(long));
  });

  test("suffices for a long text with occasional occurrences of a long value", async () => {
    const value = createHash("shake256", { outputLength: 24_000 }).update("value").digest("base64");
    const { redact } = await redactorOf(value);
    expect(redact(`${value} and ${value}\n`.repeat(12))).toBe("[secret K0] and [secret K0]\n".repeat(12));
    expect(redact(JSON.stringify({ value }).repeat(3))).toBe('{"value":"[secret K0]"}'.repeat(3));
  });
});
