import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactedStream } from "../../platform/redactor.ts";
import { createSecretRedactor, type SecretValue } from "./secret-redactor.ts";
import { createSecretReferences } from "./secret-references.ts";

async function redactorOf(...secrets: SecretValue[]) {
  const redactor = createSecretRedactor(() => Promise.resolve(secrets));
  await redactor.refresh();
  return redactor;
}

describe("a redactor", () => {
  test("removes a value wherever it occurs, and names the secret", async () => {
    const { redact } = await redactorOf({ key: "TOKEN", value: "s3cr3t-value" });
    expect(redact("curl -H s3cr3t-value s3cr3t-value!")).toBe("curl -H [secret TOKEN] [secret TOKEN]!");
    expect(redact("nothing in here")).toBe("nothing in here");
  });

  test("finds a value as written in JSON, in an address and in base64", async () => {
    const value = 'pa"ss wörd\\1';
    const { redact } = await redactorOf({ key: "P", value });
    for (const text of [
      JSON.stringify({ password: value }),
      `https://host/?p=${encodeURIComponent(value)}`,
      Buffer.from(value).toString("base64"),
      Buffer.from(value).toString("base64url"),
    ]) {
      expect(redact(text)).toContain("[secret P]");
    }
  });

  test("finds the single lines of a multi-line value", async () => {
    const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
    const { redact } = await redactorOf({ key: "PEM", value: `-----BEGIN KEY-----\n${line}\n-----END KEY-----\n` });
    expect(redact(`a log with ${line} in it`)).toBe("a log with [secret PEM] in it");
  });

  test("removes the longer of two overlapping values", async () => {
    const { redact } = await redactorOf({ key: "A", value: "abcdef" }, { key: "B", value: "abcdefghij" });
    expect(redact("abcdefghij abcdef")).toBe("[secret B] [secret A]");
  });

  test("leaves values alone that are too short to be distinguished from words", async () => {
    const { redact } = await redactorOf({ key: "PIN", value: "1234" });
    expect(redact("in 1234 ways")).toBe("in 1234 ways");
  });

  test("redacts every text of an object, including field names", async () => {
    const { redactObject } = await redactorOf({ key: "T", value: "s3cr3t-value" });
    expect(redactObject({ a: ["x s3cr3t-value", 1, null, { "s3cr3t-value": true }] })).toEqual({
      a: ["x [secret T]", 1, null, { "[secret T]": true }],
    });
  });

  test("lets no value through, whatever surrounds it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 8, maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 6 }),
        async (values, around) => {
          // A value that is part of the placeholder itself would occur in every text.
          fc.pre(
            values.every((value) => !"[secret K0] [secret K1] [secret K2] [secret K3] [secret K4]".includes(value)),
          );
          const { redact } = await redactorOf(...values.map((value, index) => ({ key: `K${index}`, value })));
          for (const value of values) expect(redact(around.join(value) + value)).not.toContain(value);
        },
      ),
    );
  });

  test("has the values of a finished refresh while a later one is loading, and keeps those of the later one", async () => {
    const loads: ((value: string) => void)[] = [];
    const redactor = createSecretRedactor(
      () => new Promise((resolve) => loads.push((value) => resolve([{ key: "T", value }]))),
    );
    const [first, second, third] = [redactor.refresh(), redactor.refresh(), redactor.refresh()];
    loads[0]?.("first-value");
    await first;
    expect(redactor.redact("first-value")).toBe("[secret T]");
    loads[2]?.("third-value");
    await third;
    loads[1]?.("second-value");
    await second;
    expect(redactor.redact("second-value third-value")).toBe("second-value [secret T]");
  });

  test("keeps the previous values when reloading fails", async () => {
    let fails = false;
    const redactor = createSecretRedactor(() =>
      fails ? Promise.reject(new Error("away")) : Promise.resolve([{ key: "T", value: "s3cr3t-value" }]),
    );
    await redactor.refresh();
    fails = true;
    await expect(redactor.refresh()).rejects.toThrow("away");
    expect(redactor.redact("s3cr3t-value")).toBe("[secret T]");
  });
});

describe("a reference to a secret", () => {
  const value = "s3cr3t-value";
  const setUp = async () => {
    const uses: string[] = [];
    const references = createSecretReferences({
      redactor: await redactorOf({ key: "TOKEN", value }),
      useValue: (key, actor) => {
        uses.push(`${actor} ${key}`);
        return key === "TOKEN" ? Promise.resolve(value) : Promise.reject(new Error(`no ${key}`));
      },
    });
    return { references, uses };
  };

  test("is replaced for the tool only: its result comes back without the value", async () => {
    const { references, uses } = await setUp();
    const texts = ["Bearer {{secret:TOKEN}} {{secret:TOKEN}}", "{{secret:TOKEN}}"];
    const answer = await references.resolve(texts, "agent_run:1", (resolved) => {
      expect(resolved).toEqual([`Bearer ${value} ${value}`, value]);
      return Promise.resolve({ sent: resolved });
    });
    expect(answer).toEqual({ sent: ["Bearer [secret TOKEN] [secret TOKEN]", "[secret TOKEN]"] });
    expect(uses).toEqual(["agent_run:1 TOKEN"]);
  });

  test("does not come back in an error either", async () => {
    const { references } = await setUp();
    const failing = references.resolve(["{{secret:TOKEN}}"], "a", ([resolved]) =>
      Promise.reject(new Error(`refused ${resolved}`, { cause: new Error(resolved) })),
    );
    const error: unknown = await failing.catch((error: unknown) => error);
    expect(error).toMatchObject({ message: "refused [secret TOKEN]" });
    expect(error).not.toHaveProperty("cause");
    expect(error instanceof Error && error.stack?.includes(value)).toBe(false);
  });

  test("to a secret that does not exist prevents the call of the tool", async () => {
    const { references } = await setUp();
    let wasCalled = false;
    const use = () => {
      wasCalled = true;
      return Promise.resolve({});
    };
    await expect(references.resolve(["{{secret:TOKEN}} {{secret:NONE}}"], "a", use)).rejects.toThrow("no NONE");
    expect(wasCalled).toBe(false);
  });
});

describe("a text in pieces", () => {
  test("redacts like the whole text, wherever it is cut, and never releases part of a value", async () => {
    // Few letters, so that values overlap, contain each other and almost occur all the time.
    const word = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength });
    await fc.assert(
      fc.asyncProperty(
        fc.array(word(6, 12), { maxLength: 3 }),
        fc.array(word(0, 9), { maxLength: 12 }),
        async (values, pieces) => {
          const secrets = values.map((value, index) => ({ key: `K${index}`, value }));
          const redactor = await redactorOf(...secrets);
          const stream = createRedactedStream(redactor);
          const released = pieces.map((piece) => stream.add(piece));
          expect([...released, stream.end()].join("")).toBe(redactor.redact(pieces.join("")));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("is released at once where no value can start", async () => {
    const stream = createRedactedStream(await redactorOf({ key: "TOKEN", value: "s3cr3t-value" }));
    expect(["The ", "token is s3c", "r3t-val", "ue", ", or s3", "!"].map((piece) => stream.add(piece))).toEqual([
      "The ",
      "token is ",
      "",
      "[secret TOKEN]",
      ", or ",
      "s3!",
    ]);
  });
});
