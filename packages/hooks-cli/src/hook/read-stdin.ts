import * as fs from "node:fs";
import { type JsonRecord, parseRecord } from "../json/json-value.ts";
import { readInputPipe } from "../streams/input-pipe.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type StdinOutcome =
  { readonly kind: "record"; readonly record: JsonRecord } | { readonly kind: "failed"; readonly message: string };

/** Reads the JSON object on standard input, for at most `deadlineMs`. The caller need not close the pipe. */
export async function readStdin(deadlineMs: number): Promise<StdinOutcome> {
  let status: fs.Stats;
  try {
    status = fs.fstatSync(0);
  } catch {
    return failed("there is no standard input");
  }
  if (status.isFile()) return parsed(fs.readFileSync(0));
  if (!status.isFIFO() && !status.isSocket()) return failed("the standard input is not a pipe");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (outcome: StdinOutcome): void => {
      clearTimeout(timer);
      stop();
      resolve(outcome);
    };
    const timer = setTimeout(
      () => finish(failed(`the standard input was not closed within ${deadlineMs} ms`)),
      deadlineMs,
    );
    const stop = readInputPipe({
      onBytes(bytes) {
        chunks.push(bytes);
        size += bytes.length;
        if (size > MAX_BYTES) return finish(failed("the standard input is too large"));
        const isLikelyEnd = bytes.at(-1) === 0x7d || (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x7d);
        const outcome = isLikelyEnd ? parsed(Buffer.concat(chunks)) : undefined;
        if (outcome?.kind === "record") finish(outcome);
      },
      onEnd: () => finish(parsed(Buffer.concat(chunks))),
    });
  });
}

function parsed(bytes: Buffer): StdinOutcome {
  const record = parseRecord(bytes.toString());
  return record === undefined ? failed("the standard input is not a JSON object") : { kind: "record", record };
}

function failed(message: string): StdinOutcome {
  return { kind: "failed", message };
}
