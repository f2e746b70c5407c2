import { basename, dirname, extname, join } from "node:path";
import { format } from "prettier";
import { toLines, type CitedMemory, type Line, type Repository, type SourceFile } from "./repository.ts";

/** Changes a repository; false if there is nothing that it could be done to. */
export type Change = (repository: Repository) => boolean | Promise<boolean>;

/** After these, a memory about the lines in question is false. */
export const FALSIFYING: Readonly<Record<string, Change>> = {
  "a word changed": (repository) =>
    onCited(repository, "a word changed", (lines) => {
      const index = repository.random(lines.length);
      return lines.map((line, at) => (at === index ? { text: editText(line.text, repository.random) } : line));
    }),
  "a line of it removed": (repository) =>
    onCited(repository, "a line of it removed", (lines) => lines.toSpliced(repository.random(lines.length), 1)),
  "all of it removed": (repository) => onCited(repository, "all of it removed", () => []),
  "written anew": (repository) =>
    onCited(repository, "written anew", (lines) =>
      lines.map(({ text }) => ({ text: `${indentOf(text)}anew(${repository.random(1e6)});` })),
    ),
  "commented out": (repository) =>
    onCited(repository, "commented out", (lines, file) =>
      lines.map(({ text }) => ({
        text: `${indentOf(text)}${extname(file.path) === ".sql" ? "--" : "//"} ${text.trim()}`,
      })),
    ),
  "file deleted": (repository) => {
    const file = pickFile(repository, (candidate) => memoriesIn(candidate).length > 0);
    if (file === undefined || repository.files.length < 4) return false;
    for (const memory of memoriesIn(file)) falsify(memory, "file deleted");
    repository.files = repository.files.filter((other) => other !== file);
    return true;
  },
  "a name in it renamed everywhere": (repository) => {
    const memory = pickMemory(repository);
    const name = memory && repository.pick([...(memory.text.match(NAME) ?? []), ""]);
    return name !== undefined && name !== "" && rename(repository, name);
  },
};

/** After these, all memories that were true still are. */
export const HARMLESS: Readonly<Record<string, Change>> = {
  "moved in the file": moveLines,
  "indented deeper": (repository) =>
    onCited(
      repository,
      "indented deeper",
      (lines) => lines.map((line) => ({ ...line, text: `    ${line.text}` })),
      false,
    ),
  "file indented otherwise": (repository) => {
    const file = pickFile(repository, ({ isFormatted }) => !isFormatted);
    if (file === undefined) return false;
    note(file, "file indented otherwise");
    for (const line of file.lines)
      line.text = line.text.replace(/^(?: {2})+/, (spaces) => "\t".repeat(spaces.length / 2));
    return true;
  },
  "file formatted otherwise": formatFile,
  "file moved to another folder": (repository) => renameFile(repository, (path) => join("moved", path)),
  "file renamed in its folder": (repository) =>
    renameFile(repository, (path) => join(dirname(path), `renamed-${repository.random(1e6)}${extname(path)}`)),
  "file moved and renamed": (repository) =>
    renameFile(repository, (path) => `lib/${repository.random(1e6)}-${basename(path).length}${extname(path)}`),
  "changed right beside": (repository) => {
    const places = repository.files.flatMap((file) =>
      file.lines.flatMap((line, index) => {
        const isBeside = [file.lines[index - 1], file.lines[index + 1]].some((other) => other?.memory !== undefined);
        return line.memory === undefined && isBeside && line.text.trim() !== "" ? [{ file, index }] : [];
      }),
    );
    return places.length > 0 && changeLine(repository, repository.pick(places), "changed right beside");
  },
  "changed far away": (repository) => {
    for (let count = 1 + repository.random(6); count > 0; count -= 1) {
      const file = pickFile(repository, ({ isFormatted }) => !isFormatted);
      const index = file === undefined ? -1 : repository.random(file.lines.length);
      if (file !== undefined && file.lines[index]?.memory === undefined) changeLine(repository, { file, index });
    }
    return true;
  },
  "a name elsewhere renamed": (repository) => {
    const known = memoriesOf(repository)
      .map(({ text }) => text)
      .join("\n");
    const names = repository.files.flatMap(({ lines }) => lines.flatMap(({ text }) => text.match(NAME) ?? []));
    const elsewhere = names.filter((name) => !known.includes(name));
    return elsewhere.length > 0 && rename(repository, repository.pick(elsewhere));
  },
};

const NAME = /\b[a-z]+[A-Z]\w+\b/g;

/** The memories whose lines are followed, or were until their file was formatted. */
const formattedMemories = new WeakMap<SourceFile, CitedMemory[]>();

function memoriesIn(file: SourceFile): CitedMemory[] {
  const followed = file.lines.flatMap(({ memory }) => memory ?? []);
  return [...new Set([...followed, ...(formattedMemories.get(file) ?? [])])];
}

function memoriesOf(repository: Repository): CitedMemory[] {
  return repository.files.flatMap(memoriesIn);
}

function pickFile(repository: Repository, isWanted: (file: SourceFile) => boolean): SourceFile | undefined {
  const wanted = repository.files.filter(isWanted);
  return wanted.length === 0 ? undefined : repository.pick(wanted);
}

function pickMemory(repository: Repository): CitedMemory | undefined {
  const intact = memoriesOf(repository).filter(({ isTrue }) => isTrue);
  return intact.length === 0 ? undefined : repository.pick(intact);
}

function falsify(memory: CitedMemory, what: string): void {
  memory.isTrue = false;
  memory.history.unshift(what);
}

function note(file: SourceFile, what: string): void {
  for (const memory of memoriesIn(file)) memory.history.unshift(what);
}

/** Replaces the lines of a true memory that are followed. */
function onCited(
  repository: Repository,
  what: string,
  change: (lines: Line[], file: SourceFile) => Line[],
  isFalsifying = true,
): boolean {
  const places = repository.files.flatMap((file) =>
    [...new Set(file.lines.flatMap(({ memory }) => (memory?.isTrue === true ? [memory] : [])))].map((memory) => ({
      file,
      memory,
    })),
  );
  if (places.length === 0) return false;
  const { file, memory } = repository.pick(places);
  const start = file.lines.findIndex((line) => line.memory === memory);
  const lines = file.lines.filter((line) => line.memory === memory);
  const changed = change(
    lines.map((line) => ({ ...line })),
    file,
  );
  if (changed.map(({ text }) => text).join("\n") === lines.map(({ text }) => text).join("\n")) return false;
  file.lines.splice(start, lines.length, ...changed.map(({ text }) => ({ text, memory })));
  if (isFalsifying) falsify(memory, what);
  else memory.history.unshift(what);
  return true;
}

/** Another number, truth value, comparison, or word. */
function editText(text: string, random: (below: number) => number): string {
  const edits = [
    text.replace(/\d+/, (digits) => String(Number(digits) + 1 + random(9))),
    text.replace(/\btrue\b|\bfalse\b/, (value) => String(value !== "true")),
    text.replace(/[!=]==/, (operator) => (operator === "===" ? "!==" : "===")),
    text.replace(/[A-Za-z]{4,}(?=\W*$)/, (word) => `${word}Other`),
    text.replace(/[A-Za-z]{4,}/, (word) => `other${word}`),
  ].filter((changed) => changed !== text);
  return edits[random(Math.max(1, edits.length))] ?? `${text} other`;
}

function changeLine(
  repository: Repository,
  { file, index }: { file: SourceFile; index: number },
  what?: string,
): boolean {
  const line = file.lines[index];
  if (line === undefined || file.isFormatted) return false;
  if (what !== undefined)
    for (const beside of [file.lines[index - 1], file.lines[index + 1]]) beside?.memory?.history.unshift(what);
  const changed = { text: editText(line.text, repository.random) };
  const replacements = [[changed], [], [line, { text: `${indentOf(line.text)}added(${repository.random(1e6)});` }]];
  file.lines.splice(index, 1, ...repository.pick(replacements));
  return true;
}

/** Takes the lines with some after them to another place of the file. */
function moveLines(repository: Repository): boolean {
  const places = repository.files.filter(
    (file) => !file.isFormatted && file.lines.some(({ memory }) => memory !== undefined),
  );
  if (places.length === 0) return false;
  const file = repository.pick(places);
  const memory = repository.pick([...new Set(file.lines.flatMap((line) => line.memory ?? []))]);
  const start = file.lines.findIndex((line) => line.memory === memory);
  let end = start + file.lines.filter((line) => line.memory === memory).length + repository.random(4);
  while (file.lines[end]?.memory !== undefined && file.lines[end]?.memory === file.lines[end - 1]?.memory) end += 1;
  const moved = file.lines.splice(start, end - start);
  const gaps = Array.from({ length: file.lines.length + 1 }, (_, gap) => gap).filter(
    (gap) => file.lines[gap]?.memory === undefined || file.lines[gap].memory !== file.lines[gap - 1]?.memory,
  );
  file.lines.splice(repository.pick(gaps), 0, ...moved);
  memory.history.unshift("moved in the file");
  return true;
}

async function formatFile(repository: Repository): Promise<boolean> {
  const isCode = ({ path, isFormatted }: SourceFile) => /\.(?:tsx?|mjs)$/.test(path) && !isFormatted;
  const file = pickFile(repository, (candidate) => isCode(candidate) && memoriesIn(candidate).length > 0);
  if (file === undefined) return false;
  const text = file.lines.map((line) => line.text).join("\n");
  const options = { tabWidth: 4, semi: false, singleQuote: true, trailingComma: "none", printWidth: 70 } as const;
  const formatted = await format(text, { filepath: file.path, ...options }).catch(() => null);
  // What earlier changes have left is no program.
  if (formatted === null) return false;
  note(file, "file formatted otherwise");
  formattedMemories.set(file, memoriesIn(file));
  file.lines = toLines(formatted);
  file.isFormatted = true;
  return true;
}

function renameFile(repository: Repository, rename: (path: string) => string): boolean {
  const file = pickFile(repository, (candidate) => memoriesIn(candidate).length > 0);
  if (file === undefined) return false;
  note(file, "file renamed or moved");
  file.path = rename(file.path);
  return true;
}

function rename(repository: Repository, name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`, "g");
  for (const memory of memoriesOf(repository)) {
    if (memory.isTrue && memory.text.match(word) !== null) falsify(memory, "a name in it renamed everywhere");
  }
  for (const { lines } of repository.files)
    for (const line of lines) line.text = line.text.replaceAll(word, `${name}Renamed`);
  return true;
}

function indentOf(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? "";
}
