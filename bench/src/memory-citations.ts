/**
 * How many memories are withheld that the history of a repository has falsified, and how many that still hold, beside the
 * simple alternative of withholding what rests on a file that has changed; and how long the check takes:
 *
 *   npm run bench -- memory-citations [histories=500]
 *
 * Each history takes 12 files of this repository's packages, cites 8 places, and changes the files in several commits. Whether a
 * memory holds at the end follows from what was done to its lines.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkCitations, type CitationCheck } from "../../packages/hooks-cli/src/citations/check-citations.ts";
import { citeFirst } from "../../packages/hooks-cli/src/citations/first-check.ts";
import type { Citation } from "../../packages/hooks-cli/src/citations/citation.ts";
import { ProjectFiles } from "../../packages/hooks-cli/src/citations/project-files.ts";
import { FALSIFYING, HARMLESS, type Change } from "./memory-citations/changes.ts";
import { readSources, Repository, type CitedLines } from "./memory-citations/repository.ts";
import { percentile } from "./model-service.ts";
import { createRandom } from "./vault-notes.ts";

const histories = Number(process.argv[2] ?? 500);
const FILES = 12;
const MEMORIES = 8;
const TIMED_CITATIONS = 300;
const TIMED_RUNS = 40;

interface Figures {
  count: number;
  withheld: number;
  withheldByFile: number;
}

const sources = readSources(join(import.meta.dirname, "../../packages"));
const folder = mkdtempSync(join(tmpdir(), "workspace-citations-"));
const byChange = new Map<string, Figures>();
const falsified = newFigures();
const valid = newFigures();
const atOnce = newFigures();
const neverThere = newFigures();
let cited = 0;
try {
  for (let seed = 1; seed <= histories; seed += 1) await runHistory(seed);
  print("falsified", falsified);
  print("still true", valid);
  print("true, when they are looked for first", atOnce);
  print("made up, when they are looked for first", neverThere);
  console.log(`${cited} places cited; by the last change of the lines:`);
  for (const [what, figures] of [...byChange].toSorted()) print(what, figures);
  await measureTime();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runHistory(seed: number): Promise<void> {
  const random = createRandom(seed * 7919);
  for (let count = 0; count < 10; count += 1) random(2);
  const chosen = new Map(
    Array.from({ length: FILES }, () => sources[random(sources.length)]).map((file) => [file?.path, file]),
  );
  const root = join(folder, String(seed));
  const repository = new Repository(
    root,
    [...chosen.values()].filter((file) => file !== undefined),
    random,
  );
  const memories = new Map(repository.cite(MEMORIES).map((lines) => [lines.memory.id, lines]));
  let citations = [...memories.values()].map((lines, index) => toCitation(lines, index));
  count(atOnce, check(root, citations), citations.length);
  const madeUp = citations.flatMap((citation, index) => makeUp(root, citation, [...memories.values()][index + 1]));
  count(neverThere, check(root, madeUp), madeUp.length);
  citations = afterCheck(citations, check(root, citations)).filter(({ fingerprint }) => fingerprint !== undefined);
  const hashes = new Map(citations.map(({ id, path }) => [id, hashOf(root, path)]));
  const paths = new Map(citations.map(({ id, path }) => [id, path]));
  cited += citations.length;
  for (let commits = 3 + random(6); commits > 0; commits -= 1) {
    await change(repository);
    repository.commit();
    if (random(3) === 0) citations = afterCheck(citations, check(root, citations));
  }
  const broken = new Set(check(root, citations).flatMap(({ citation, holds }) => (holds ? [] : [citation.id])));
  for (const { id, memoryId } of citations) {
    const memory = memories.get(memoryId)?.memory;
    if (memory === undefined) throw new Error("A memory is missing.");
    const isFileChanged = hashOf(root, paths.get(id) ?? "") !== hashes.get(id);
    const what = `${memory.isTrue ? "true, " : "false, "}${memory.history[0] ?? "not touched"}`;
    const figures = byChange.get(what) ?? newFigures();
    byChange.set(what, figures);
    for (const counted of [figures, memory.isTrue ? valid : falsified]) {
      counted.count += 1;
      if (broken.has(id)) counted.withheld += 1;
      if (isFileChanged) counted.withheldByFile += 1;
    }
  }
  rmSync(root, { recursive: true, force: true });
}

/** The citation of lines that are elsewhere; none if the file has them too. */
function makeUp(root: string, citation: Citation, other: CitedLines | undefined): Citation[] {
  const quote = other?.memory.text ?? "";
  if (quote === "" || readFileSync(join(root, citation.path), "utf8").includes(quote)) return [];
  return [{ ...citation, quote, startLine: undefined, endLine: undefined }];
}

function count(figures: Figures, checks: readonly CitationCheck[], cited: number): void {
  figures.count += cited;
  figures.withheld += checks.filter(({ holds }) => !holds).length;
}

/** One change in a commit: half of the time one that falsifies something. */
async function change(repository: Repository): Promise<void> {
  const changes = Object.values<Change>(repository.random(2) === 0 ? FALSIFYING : HARMLESS);
  for (let tries = 0; tries < 10; tries += 1) if (await repository.pick(changes)(repository)) return;
}

/** Every other memory cites its lines by a quote, as extraction does. */
function toCitation({ memory, path, startLine, endLine }: CitedLines, index: number): Citation {
  const quote = index % 2 === 0 ? undefined : memory.text;
  const place = quote === undefined ? { startLine, endLine } : { startLine: undefined, endLine: undefined };
  return {
    id: `citation ${index}`,
    memoryId: memory.id,
    path,
    ...place,
    quote,
    fingerprint: undefined,
    state: "unchecked",
  };
}

function check(root: string, citations: readonly Citation[]): CitationCheck[] {
  return checkCitations(new ProjectFiles(root), citations, () => false, citeFirst);
}

/** As the server has them after a report. */
function afterCheck(citations: readonly Citation[], checks: readonly CitationCheck[]): Citation[] {
  const byId = new Map(checks.map((found) => [found.citation.id, found]));
  return citations.map((citation) => {
    const found = byId.get(citation.id);
    return found === undefined ? citation : { ...citation, ...found.found, state: found.holds ? "holds" : "broken" };
  });
}

function hashOf(root: string, path: string): string {
  try {
    return createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex");
  } catch {
    return "gone";
  }
}

/** In a new process each time, as in a hook: with nothing changed, and with a line added at the beginning of each file. */
async function measureTime(): Promise<void> {
  const root = join(folder, "timed");
  const repository = new Repository(root, sources.slice(0, 150), createRandom(1));
  const citations = repository.cite(TIMED_CITATIONS).map((lines) => ({ ...toCitation(lines, 0), id: lines.memory.id }));
  const found = afterCheck(citations, check(root, citations)).filter(({ fingerprint }) => fingerprint !== undefined);
  const file = join(folder, "citations.json");
  writeFileSync(file, JSON.stringify(found));
  const fileCount = new Set(found.map(({ path }) => path)).size;
  await time(`${found.length} citations in ${fileCount} files, unchanged`, file, root);
  for (const { lines } of repository.files) lines.unshift({ text: "// A line that was added." });
  repository.commit();
  await time("the same, all files changed", file, root);
}

async function time(name: string, file: string, root: string): Promise<void> {
  const script = join(import.meta.dirname, "memory-citations/check-once.ts");
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let broken = 0;
  for (let run = 0; run < TIMED_RUNS; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--import",
      import.meta.resolve("tsx"),
      script,
      file,
      root,
    ]);
    const result: { ms: number; cpuMs: number; broken: number } = JSON.parse(stdout);
    times.push(result.ms);
    cpuTimes.push(result.cpuMs);
    broken = result.broken;
  }
  const describe = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms`;
  console.log(`${name}: ${describe(times)}; processor time ${describe(cpuTimes)}; ${broken} broken`);
}

function newFigures(): Figures {
  return { count: 0, withheld: 0, withheldByFile: 0 };
}

function print(name: string, { count, withheld, withheldByFile }: Figures): void {
  const share = (part: number) => `${((100 * part) / Math.max(1, count)).toFixed(1)} %`.padStart(8);
  console.log(name.padEnd(45), String(count).padStart(6), share(withheld), share(withheldByFile));
}
