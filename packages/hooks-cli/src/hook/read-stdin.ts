import * as fs from "node:fs";

const MAX_BYTES = 16 * 1024 * 1024;

export type StdinOutcome =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "failed"; readonly message: string };

/**
 * Reads all of the standard input, for at most `deadlineMs`. A plain `fs.read` would do, but a read of a pipe that never
 * ends keeps the process from exiting; a socket does not. `isComplete` ends the reading early, for a caller that never
 * closes the pipe.
 */
export async function readStdin(deadlineMs: number, isComplete: (text: string) => boolean): Promise<StdinOutcome> {
  let status: fs.Stats;
  try {
    status = fs.fstatSync(0);
  } catch {
    return { kind: "failed", message: "there is no standard input" };
  }
  if (status.isFile()) return { kind: "text", text: fs.readFileSync(0, "utf8") };
  if (!status.isFIFO() && !status.isSocket()) return { kind: "failed", message: "the standard input is no pipe" };
  const { Socket } = await import("node:net");
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
    const text = (): string => Buffer.concat(chunks).toString("utf8");
    const timer = setTimeout(
      () => finish({ kind: "failed", message: `the standard input was not closed within ${deadlineMs} ms` }),
      deadlineMs,
    );
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) return finish({ kind: "failed", message: "the standard input is too large" });
      const isLikelyEnd = chunk.at(-1) === 0x7d || (chunk.at(-1) === 0x0a && chunk.at(-2) === 0x7d);
      if (isLikelyEnd && isComplete(text())) finish({ kind: "text", text: text() });
    });
    socket.on("end", () => finish({ kind: "text", text: text() }));
    socket.on("error", (error: Error) => finish({ kind: "failed", message: error.message }));
  });
}
