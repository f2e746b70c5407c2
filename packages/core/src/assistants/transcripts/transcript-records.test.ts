import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forEachRecord, type TranscriptRecord } from "./transcript-records.ts";

const MIB = 1024 * 1024;

async function read(transcript: string): Promise<{ isJson: boolean; records: TranscriptRecord[] }> {
  const records: TranscriptRecord[] = [];
  const isJson = await forEachRecord(transcript, (record) => records.push(record));
  return { isJson, records };
}

const record = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom("messages", "type")),
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !Object.is(value, -0)),
);

describe("the records of a transcript", () => {
  test("in a list or a list of messages are its objects", async () => {
    const entry = fc.oneof(record, fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(entry), fc.constantFrom(0, 2), record, async (entries, indent, rest) => {
        const expected = JSON.parse(JSON.stringify(entries)).filter(
          (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item),
        );
        expect((await read(JSON.stringify(entries, null, indent))).records).toEqual(expected);
        if (expected.length === 0) return;
        const whole = JSON.stringify({ ...rest, messages: entries }, null, indent);
        expect((await read(`\n${whole}\n`)).records).toEqual(expected);
      }),
    );
  });

  test("in lines are those lines that are objects", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 2 }), async (records) => {
        const lines = records.map((line) => JSON.stringify(line));
        expect((await read(["", ...lines, "[1]", '{"half'].join("\r\n"))).records).toEqual(
          lines.map((line) => JSON.parse(line)),
        );
      }),
    );
  });

  test("of a text that is not JSON do not exist", async () => {
    for (const text of ["", "plain", "[see note]", "{curly} text", '[{"a":1}', "[1] {2}\nmore"]) {
      expect([text, await read(text)]).toEqual([text, { isJson: false, records: [] }]);
    }
    expect(await read("[]")).toEqual({ isJson: true, records: [] });
  });

  test("of few but long values are read, and those of very many values are left out", async () => {
    const long = { text: '[{"",'.repeat(MIB) };
    const many = { values: Array.from({ length: 30_000 }, () => 0) };
    for (const transcript of [JSON.stringify([long, many]), `${JSON.stringify(many)}\n${JSON.stringify(long)}`]) {
      expect((await read(transcript)).records).toEqual([long]);
    }
  });

  test("are limited in number", async () => {
    await expect(read("{}\n".repeat(600_000))).rejects.toThrow("transcript: must contain at most 500000 records");
  });
});

test.each([
  ["lines", `${JSON.stringify({ type: "assistant", message: { id: "m", usage: {} } })}\n`.repeat(200_000)],
  ["one document", `[${`${JSON.stringify({ type: "user", message: { content: "a" } })},`.repeat(200_000)}{}]`],
  ["one line of many values", `{}\n{"a":[${"0,".repeat(5 * MIB)}0]}`],
  ["empty lines", `{}${"\n".repeat(10 * MIB)}`],
  ["an open document", '{"a":['.repeat(2 * MIB)],
  ["long strings", `[${`"${"a".repeat(60_000)}",`.repeat(500)}0]`],
])(
  "reading %s lets other work run in between",
  async (_name, text) => {
    // One flat string, as it comes from a request body.
    const transcript = Buffer.from(text).toString();
    let isReading = true;
    let [longestMs, before] = [0, process.cpuUsage()];
    // Processor time, because the machine is shared.
    const lookAgain = (): void => {
      longestMs = Math.max(longestMs, process.cpuUsage(before).user / 1000);
      before = process.cpuUsage();
      if (isReading) setImmediate(lookAgain);
    };
    lookAgain();
    await read(transcript);
    isReading = false;
    lookAgain();
    // A bound for any machine; `bench/src/largest-requests.ts` measures the actual time.
    expect(longestMs).toBeLessThan(1_000);
  },
  30_000,
);
