import * as fs from "node:fs";
import { hasCode } from "../files/atomic-file.ts";
import type { HookReply } from "../harness/harness.ts";

const MAX_RETRIES = 200;

/** Writes the hook's reply immediately, so that the assistant has it whatever happens afterwards. */
export function writeReply({ stdout, stderr }: HookReply): void {
  if (stdout !== "") writeAll(1, stdout);
  if (stderr !== "") writeAll(2, stderr);
}

/** Never throws: an assistant that no longer reads must not make the hook fail. */
export function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text, "utf8");
  for (let tries = 0; rest.length > 0 && tries < MAX_RETRIES; tries += 1) {
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest));
    } catch (error) {
      if (!hasCode(error, "EAGAIN")) return;
      // The pipe is full; gives its reader a millisecond.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
