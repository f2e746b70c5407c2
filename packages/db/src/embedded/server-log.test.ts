import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Log } from "../log.ts";
import { readServerLog } from "./server-log.ts";

async function logOf(...lines: string[]): Promise<string[]> {
  const entries: string[] = [];
  const note = (level: string) => (fields: object) => entries.push(`${level} ${JSON.stringify(fields)}`);
  const log: Log = { info: note("info"), warn: note("warn"), error: note("error") };
  const stderr = Readable.from(lines.map((line) => `${line}\n`));
  readServerLog(stderr, log);
  await new Promise((resolve) => stderr.on("close", resolve));
  return entries;
}

describe("readServerLog", () => {
  it.each([
    "00000 LOG:  database system is ready to accept connections",
    '23505 ERROR:  duplicate key value violates unique constraint "users_email_key"',
    "57P03 FATAL:  the database system is starting up",
    "57P01 FATAL:  terminating connection due to administrator command",
    '3D000 FATAL:  database "workspace" does not exist',
  ])("keeps to itself: %s", async (line) => {
    expect(await logOf(line)).toEqual([]);
  });

  it.each([
    "01000 WARNING:  database is close to running out of transaction IDs",
    "00000 LOG:  server process (PID 12) was terminated by signal 9: Killed",
    "00000 LOG:  database system was not properly shut down; automatic recovery in progress",
    "postgres: could not access the server configuration file",
  ])("warns of: %s", async (line) => {
    expect(await logOf(line)).toEqual([expect.stringMatching(/^warn /)]);
  });

  it.each([
    "XX000 PANIC:  could not locate a valid checkpoint record",
    "53100 ERROR:  could not extend file: No space left on device",
    "58030 ERROR:  could not read block 3: Input/output error",
    "XX001 ERROR:  invalid page in block 7 of relation base/5/1259",
    "53300 FATAL:  sorry, too many clients already",
  ])("reports as an error: %s", async (line) => {
    expect(await logOf(line)).toEqual([expect.stringMatching(/^error /)]);
  });

  it("remembers the last lines for the message of a failed start", async () => {
    const stderr = Readable.from(Array.from({ length: 40 }, (_, index) => `00000 LOG:  line ${index}\n`));
    const { tail } = readServerLog(stderr, { info() {}, warn() {}, error() {} });
    await new Promise((resolve) => stderr.on("close", resolve));
    expect(tail().split("\n")).toHaveLength(12);
    expect(tail()).toMatch(/line 39$/);
  });
});
