import * as fs from "node:fs";
import { type JsonRecord, parseRecord } from "../json/json-value.ts";

const MAX_BYTES = 16 * 1024 * 1024;

export type StdinOutcome =
  { readonly kind: "record"; readonly record: JsonRecord } | { readonly kind: "failed"; readonly message: string };

/**
 * Reads the JSON object on the standard input, for at most `deadlineMs`. A plain `fs.read` would do, but a read of a pipe
 * that never ends keeps the process from exiting; a socket does not. A caller need not close the pipe.
 */
export async function readStdin(deadlineMs: number): Promise<StdinOutcome> {
  let status: fs.Stats;
  try {
    status = fs.fstatSync(0);
  } catch {
    return failed("there is no standard input");
  }
  if (status.isFile()) return parsed(fs.readFileSync(0));
  if (!status.isFIFO() && !status.isSocket()) return failed("the standard input is no pipe");
  const { Socket } = process.getBuiltinModule("node:net");
  return new Promise((resolve) => {
    const socket = new Socket({ fd: 0, readable: true, writable: false });
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (outcome: StdinOutcome): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(
      () => finish(failed(`the standard input was not closed within ${deadlineMs} ms`)),
      deadlineMs,
    );
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) return finish(failed("the standard input is too large"));
      const isLikelyEnd = chunk.at(-1) === 0x7d || (chunk.at(-1) === 0x0a && chunk.at(-2) === 0x7d);
      const outcome = isLikelyEnd ? parsed(Buffer.concat(chunks)) : undefined;
      if (outcome?.kind === "record") finish(outcome);
    });
    socket.on("end", () => finish(parsed(Buffer.concat(chunks))));
    socket.on("error", (error: Error) => finish(failed(error.message)));
  });
}

function parsed(bytes: Buffer): StdinOutcome {
  const record = parseRecord(bytes.toString("utf8"));
  return record === undefined ? failed("the standard input is no JSON object") : { kind: "record", record };
}

function failed(message: string): StdinOutcome {
  return { kind: "failed", message };
}
