import { createHash } from "node:crypto";
import { createContentReader, type ContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import { countRows, type Manifest, type Part } from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";

/** More problems are only counted. */
const MAX_PROBLEMS = 100;

export interface VerifyResult {
  readonly id: string;
  readonly rows: number;
  readonly files: number;
  /** Sentences; empty if the backup can be restored. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  /** How many damaged chunks this has set aside. */
  readonly setAsideChunks: number;
}

/** Reads everything that a backup consists of, and compares it with what was backed up. */
export async function verifyBackup(repository: Repository, id: string): Promise<VerifyResult> {
  const problems: string[] = [];
  let problemCount = 0;
  const attempt = async (check: () => Promise<void>): Promise<void> => {
    try {
      await check();
    } catch (error) {
      problemCount += 1;
      if (problems.length < MAX_PROBLEMS) problems.push(error instanceof Error ? error.message : String(error));
    }
  };
  const before = repository.chunks.setAsideChunks;
  let manifest: Manifest | undefined;
  await attempt(async () => void (manifest = await repository.readManifest(id)));
  if (manifest === undefined) return { id, rows: 0, files: 0, problems, problemCount, setAsideChunks: 0 };
  const { database, vault, keys } = manifest;
  const read = createContentReader(repository.chunks);
  for (const { name, segments } of database.tables) {
    for (const { parts, rows } of segments) await attempt(() => checkRows(name, rows, parts, read));
  }
  for (const file of keys) await attempt(() => checkFile(file, read));
  await attempt(async () => {
    let count = 0;
    for await (const file of readFileList(vault.files, read)) {
      count += 1;
      await attempt(() => checkFile(file, read));
    }
    if (count !== vault.fileCount) throw new Error(`The list has ${count} files, but should have ${vault.fileCount}.`);
  });
  const setAsideChunks = repository.chunks.setAsideChunks - before;
  return { id, rows: countRows(manifest), files: vault.fileCount, problems, problemCount, setAsideChunks };
}

/** What becomes of damaged chunks, as a sentence; nothing if there are none. */
export function describeSetAside(chunks: number): string[] {
  if (chunks === 0) return [];
  return [
    `${chunks === 1 ? "1 damaged piece was" : `${chunks} damaged pieces were`} set aside: the next backup stores the data anew, which ` +
      "also mends this backup and others as far as the data has not changed since.",
  ];
}

/** In the text that PostgreSQL copies, a row is a line. */
async function checkRows(table: string, rows: number, parts: readonly Part[], read: ContentReader): Promise<void> {
  const LINE_END = 0x0a;
  let lines = 0;
  try {
    for await (const piece of read(parts)) {
      for (let at = piece.indexOf(LINE_END); at !== -1; at = piece.indexOf(LINE_END, at + 1)) lines += 1;
    }
  } catch (cause) {
    throw new Error(`${table}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (lines !== rows) throw new Error(`${table}: there are ${lines} rows, but should be ${rows}.`);
}

async function checkFile(
  { path, sha256, parts }: { path: string; sha256: string; parts: readonly Part[] },
  read: ContentReader,
): Promise<void> {
  const hash = createHash("sha256");
  try {
    for await (const piece of read(parts)) hash.update(piece);
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (hash.digest("hex") !== sha256) throw new Error(`${path}: its content is not what was backed up.`);
}
