import { sinceStartMs } from "../clock.ts";
import { writeAll } from "../hook/write-reply.ts";

/** Prints a line, or several. Names of files and what a server said cannot control the terminal. */
export function print(text = ""): void {
  writeAll(1, `${withoutControls(text)}\n`);
}

function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Asks for one line. Secret input is not echoed. */
export async function ask(question: string, isSecret = false): Promise<string> {
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const { Writable } = process.getBuiltinModule("node:stream");
  print(`${question}:`);
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await lines.question(isSecret ? "" : "> ")).trim();
  } finally {
    lines.close();
  }
}

export interface Progress {
  readonly update: (done: number, note: string) => void;
  readonly finish: () => void;
}

const BAR_WIDTH = 30;
const MIN_INTERVAL_MS = 80;

/** A progress bar on a terminal, and nothing elsewhere: it would clutter a log file. */
export function showProgress(total: number): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, finish: () => undefined };
  let shownAt = -Infinity;
  const draw = (done: number, note: string): void => {
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * BAR_WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    writeAll(2, `\r${bar} ${Math.floor(share * 100)} %  ${withoutControls(note).slice(0, 40).padEnd(40)}`);
  };
  return {
    update(done, note) {
      if (sinceStartMs() - shownAt < MIN_INTERVAL_MS && done < total) return;
      shownAt = sinceStartMs();
      draw(done, note);
    },
    finish: () => writeAll(2, `\r${" ".repeat(BAR_WIDTH + 50)}\r`),
  };
}

/** The lines that differ between two texts, to show before they are written. */
export function describeChange(before: string | undefined, after: string | undefined): readonly string[] {
  const [old, fresh] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const added = fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`);
  return [...removed, ...added];
}

function toLines(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.split(/\r\n|\n|\r/);
}

/** A number of things in words: `1 session`, `2 sessions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number of events in words; their noun is also the name of a field, which the build shortens. */
export function countedEvents(count: number): string {
  return `${count} event${count === 1 ? "" : "s"}`;
}
