import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { createRandom } from "../vault-notes.ts";

export type Random = ReturnType<typeof createRandom>;

/** A memory that rests on some lines, and whether it still holds after what was done to them. */
export interface CitedMemory {
  readonly id: string;
  /** The lines as they are. */
  text: string;
  isTrue: boolean;
  /** What was done to its lines, last first. */
  readonly history: string[];
}

export interface Line {
  text: string;
  readonly memory?: CitedMemory;
}

/** A file, line by line. Its lines are not followed any longer once it was formatted. */
export interface SourceFile {
  path: string;
  lines: Line[];
  isFormatted: boolean;
}

export interface CitedLines {
  readonly memory: CitedMemory;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const MIN_CITED_CHARACTERS = 12;

/** The repository of one history. */
export class Repository {
  readonly root: string;
  files: SourceFile[];
  readonly random: Random;

  constructor(root: string, texts: readonly { path: string; text: string }[], random: Random) {
    this.root = root;
    this.random = random;
    this.files = texts.map(({ path, text }) => ({ path, lines: toLines(text), isFormatted: false }));
    mkdirSync(root, { recursive: true });
    this.#git("init", "--quiet");
    this.commit();
  }

  /** Cites random lines of random files, none twice. */
  cite(count: number): CitedLines[] {
    const cited: CitedLines[] = [];
    for (let tries = 0; cited.length < count && tries < 100 * count; tries += 1) {
      const file = this.pick(this.files);
      const length = 1 + Math.min(this.random(3), this.random(8));
      const start = this.random(Math.max(1, file.lines.length - length));
      const lines = file.lines.slice(start, start + length);
      const text = lines.map((line) => line.text).join("\n");
      const isPlain = lines.every((line) => line.memory === undefined && line.text.trim() !== "");
      if (lines.length < length || !isPlain || text.replaceAll(/\s+/g, "").length < MIN_CITED_CHARACTERS) continue;
      const memory: CitedMemory = { id: `memory ${cited.length}`, text, isTrue: true, history: [] };
      file.lines.splice(start, length, ...lines.map((line) => ({ ...line, memory })));
      cited.push({ memory, path: file.path, startLine: start + 1, endLine: start + length });
    }
    return cited;
  }

  /** Writes all files, removes others, and commits. */
  commit(): void {
    for (const name of readdirSync(this.root)) if (name !== ".git") rmSync(join(this.root, name), { recursive: true });
    for (const { path, lines } of this.files) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), lines.map(({ text }) => text).join("\n"));
    }
    this.#git("add", "--all");
    this.#git("commit", "--quiet", "--allow-empty", "--message", "A change");
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.random(items.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }

  #git(...args: string[]): void {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"];
    execFileSync("git", [...identity, ...args], { cwd: this.root, stdio: ["ignore", "ignore", "inherit"] });
  }
}

export function toLines(text: string): Line[] {
  return text.split("\n").map((line) => ({ text: line }));
}

/** Files of this repository, of a usual length, as sources of the histories. */
export function readSources(directory: string): { path: string; text: string }[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tsx?|mjs|sql|md)$/.test(path) && !/node_modules|dist|generated|\.d\.ts/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(directory, path), "utf8") }))
    .filter(({ text }) => text.length > 800 && text.length < 20_000);
}
