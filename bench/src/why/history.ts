import type { JsonRecord } from "../../../packages/hooks-cli/src/json/json-value.ts";
import type { createRandom } from "../vault-notes.ts";

export type Random = ReturnType<typeof createRandom>;

interface Line {
  readonly text: string;
  /** The session that wrote it, and the one to which `git blame` would ascribe it if each session were a commit. */
  readonly author: string;
  readonly blamed: string;
  /** What was done to it, last first. */
  readonly fate: readonly string[];
}

interface SourceFile {
  path: string;
  lines: Line[];
  /** The sessions that changed it, last first. */
  touchedBy: string[];
}

/** What a session was asked or did, as Claude Code would pass it to a hook. */
export interface Step {
  readonly event: "UserPromptSubmit" | "PostToolUse";
  /** The root of the project. */
  readonly folder: string;
  readonly payload: JsonRecord;
}

/** Lines of a file as they are at the end, and the session that wrote all of them. */
export interface LabelledEdit {
  readonly path: string;
  readonly lines: string;
  readonly author: string;
  readonly prompt: string;
  readonly fate: string;
  /** What simple alternatives answer, best first. */
  readonly byPath: readonly string[];
  readonly byBlame: readonly string[];
}

const SESSIONS = 40;
const FILES = 6;
/** Lines that everybody writes, everywhere. */
const BOILERPLATE = [
  'import { expect, test } from "vitest";',
  "  if (error !== undefined) throw error;",
  "    return undefined;",
  '  logger.info("done");',
  "  const startedAt = performance.now();",
  "export default {};",
];
const COMMON = new Set(BOILERPLATE.map((line) => line.trim()));

/**
 * A repository in which one session after another changes the same few files: writes new lines and rewrites old ones, moves them,
 * within a file and to another one, indents them, writes whole files again, and renames files.
 */
export class History {
  readonly steps: Step[] = [];
  readonly #root: string;
  readonly #random: Random;
  readonly #sources: readonly string[][];
  readonly #files: SourceFile[] = [];
  readonly #name: string;
  #session = "";

  constructor(name: string, sources: readonly string[], random: Random) {
    this.#name = name;
    this.#root = `/bench/${name}`;
    this.#random = random;
    this.#sources = sources.map((text) => text.split("\n").filter((line) => line.trim() !== ""));
    for (let number = 0; number < SESSIONS; number += 1) this.#runSession(number);
  }

  /** Runs of lines that one session wrote, at random places. */
  label(count: number): LabelledEdit[] {
    const runs = this.#files.flatMap((file) =>
      file.lines.flatMap((line, start) => {
        if (start > 0 && file.lines[start - 1]?.author === line.author) return [];
        const end = file.lines.findIndex((other, index) => index > start && other.author !== line.author);
        return [{ file, lines: file.lines.slice(start, end === -1 ? undefined : end) }];
      }),
    );
    const isRecognisable = ({ text }: Line) => text.replaceAll(/\W/g, "").length >= 3;
    const labelled: LabelledEdit[] = [];
    while (labelled.length < count) {
      const { file, lines } = this.#pick(runs);
      const start = this.#random(Math.max(1, lines.length - 3));
      const asked = lines.slice(start, start + 1 + this.#random(8));
      const [first] = asked;
      if (first === undefined || !asked.some(isRecognisable)) continue;
      const blamed = asked.map((line) => line.blamed);
      const byCount = [...new Set(blamed)].toSorted(
        (one, other) => blamed.filter((id) => id === other).length - blamed.filter((id) => id === one).length,
      );
      labelled.push({
        path: file.path,
        lines: asked.map(({ text }) => text).join("\n"),
        author: first.author,
        prompt: `Task of ${first.author}`,
        fate: asked.every(({ text }) => COMMON.has(text.trim())) ? "nothing but boilerplate" : (first.fate[0] ?? ""),
        byPath: [...new Set(file.touchedBy)],
        byBlame: byCount,
      });
    }
    return labelled;
  }

  #runSession(number: number): void {
    this.#session = `${this.#name}-session-${number}`;
    this.#add("UserPromptSubmit", { prompt: `Task of ${this.#session}` });
    if (number < FILES) return this.#create(number);
    for (let edits = 1 + this.#random(4); edits > 0; edits -= 1) {
      const file = this.#pick(this.#files);
      const kinds = [
        () => this.#insert(file, this.#newLines(2 + this.#random(7), "written, then left alone")),
        () => this.#insert(file, this.#newLines(2 + this.#random(7), "written, then left alone")),
        () => this.#rewrite(file),
        () => this.#rewrite(file),
        () => this.#insert(file, [this.#line(this.#pick(BOILERPLATE), "boilerplate with others")]),
        () => this.#reorder(file),
        () => this.#indent(file),
        () => this.#moveToOtherFile(file),
        () => this.#rename(file),
      ];
      this.#pick(kinds)();
    }
  }

  #create(number: number): void {
    const file = { path: `src/file-${number}.ts`, lines: [], touchedBy: [] };
    this.#files.push(file);
    this.#replace(file, 0, 0, this.#newLines(40 + this.#random(80), "written with the file"), "create");
  }

  #insert(file: SourceFile, lines: readonly Line[]): void {
    this.#replace(file, this.#random(file.lines.length), 0, lines);
  }

  /** Changes a word in each of some lines. */
  #rewrite(file: SourceFile): void {
    const [start, count] = this.#range(file, 6);
    const lines = file.lines.slice(start, start + count);
    const changed = lines.map(({ text }) =>
      this.#line(
        text.replace(/\w+/, (word) => `${word}${this.#random(1e6)}`),
        "rewritten",
      ),
    );
    this.#replace(file, start, count, changed);
  }

  /** Moves a few lines above those before them. */
  #reorder(file: SourceFile): void {
    const [start, count] = this.#range(file, 10);
    const lines = file.lines.slice(start, start + count);
    const half = Math.floor(count / 2);
    this.#replace(
      file,
      start,
      count,
      [...lines.slice(half), ...lines.slice(0, half)].map(this.#passed("moved in the file")),
    );
  }

  #indent(file: SourceFile): void {
    const [start, count] = this.#range(file, 12);
    const lines = file.lines.slice(start, start + count).map((line) => ({ ...line, text: `  ${line.text}` }));
    this.#replace(file, start, count, lines.map(this.#passed("indented")));
  }

  #moveToOtherFile(file: SourceFile): void {
    const target = this.#pick(this.#files);
    if (target === file || file.lines.length < 30) return;
    const [start, count] = this.#range(file, 12);
    const lines = file.lines.slice(start, start + count).map(this.#passed("moved to another file"));
    this.#replace(file, start, count, []);
    this.#replace(target, this.#random(target.lines.length), 0, lines);
  }

  /** By a shell command: no hook learns what is in the file. */
  #rename(file: SourceFile): void {
    file.path = `lib/renamed-${this.#random(1e9)}.ts`;
    file.touchedBy = [];
    file.lines = file.lines.map((line) => ({ ...line, fate: ["in a renamed file", ...line.fate] }));
  }

  #replace(file: SourceFile, start: number, count: number, lines: readonly Line[], how = this.#way()): void {
    const textOf = (some: readonly Line[]) => some.map(({ text }) => text);
    const context = 1 + this.#random(3);
    const before = textOf(file.lines.slice(Math.max(0, start - context), start));
    const after = textOf(file.lines.slice(start + count, start + count + context));
    const old = textOf(file.lines.slice(start, start + count));
    const isWhole = how === "overwrite" && file.lines.length > 0;
    const kept = isWhole
      ? file.lines.map((line) => ({ ...line, fate: ["in a file that was overwritten", ...line.fate] }))
      : file.lines;
    file.lines = kept.toSpliced(start, count, ...lines);
    file.touchedBy.unshift(this.#session);
    const file_path = `${this.#root}/${file.path}`;
    const content = textOf(file.lines).join("\n");
    const hunk = [
      ...before.map((line) => ` ${line}`),
      ...old.map((line) => `-${line}`),
      ...textOf(lines).map((line) => `+${line}`),
      ...after.map((line) => ` ${line}`),
    ];
    switch (how) {
      case "create":
        return this.#add("PostToolUse", {
          tool_name: "Write",
          tool_input: { file_path, content },
          tool_response: { type: "create" },
        });
      case "overwrite":
        return this.#add("PostToolUse", { tool_name: "write_file", tool_input: { file_path, content } });
      case "write": {
        const tool_response = { type: "update", structuredPatch: [{ lines: hunk }] };
        return this.#add("PostToolUse", { tool_name: "Write", tool_input: { file_path, content }, tool_response });
      }
      case "patch": {
        const command = ["*** Begin Patch", `*** Update File: ${file.path}`, "@@", ...hunk, "*** End Patch"].join("\n");
        return this.#add("PostToolUse", { tool_name: "apply_patch", tool_input: { command } });
      }
      default: {
        const old_string = [...before, ...old, ...after].join("\n");
        const new_string = [...before, ...textOf(lines), ...after].join("\n");
        return this.#add("PostToolUse", { tool_name: "Edit", tool_input: { file_path, old_string, new_string } });
      }
    }
  }

  /** How assistants change files: some edit, some send patches, some write the whole file, with a diff or without. */
  #way(): string {
    return this.#pick(["edit", "edit", "edit", "edit", "patch", "write", "overwrite"]);
  }

  #add(event: Step["event"], payload: JsonRecord): void {
    const session_id = this.#session;
    this.steps.push({ event, folder: this.#root, payload: { session_id, ...payload } });
  }

  #line(text: string, fate: string): Line {
    return { text, author: this.#session, blamed: this.#session, fate: [fate] };
  }

  #newLines(count: number, fate: string): Line[] {
    const source = this.#pick(this.#sources.filter((lines) => lines.length > count));
    const start = this.#random(source.length - count);
    return source.slice(start, start + count).map((text) => this.#line(text, fate));
  }

  readonly #passed =
    (fate: string) =>
    (line: Line): Line => ({ ...line, blamed: this.#session, fate: [fate, ...line.fate] });

  #range({ lines }: SourceFile, max: number): readonly [start: number, count: number] {
    return [this.#random(Math.max(1, lines.length - max)), 2 + this.#random(max - 1)];
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#random(items.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }
}
