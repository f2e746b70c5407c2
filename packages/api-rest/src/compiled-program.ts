import { readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

type Start = (module: { exports: unknown }, require: NodeJS.Require, file: string, directory: string) => void;

/** A program that has been started. */
export interface CompiledProgram {
  /** What it exports. */
  readonly exports: unknown;
  /**
   * Stores the bytecode of everything that V8 has compiled of it so far, unless it was started from stored bytecode. Never
   * rejects: a folder that cannot be written costs time at each start, and nothing else.
   */
  storeCode(): Promise<void>;
}

/**
 * Starts a CommonJS program with the bytecode that V8 produced for it at an earlier start, if there is any that it accepts.
 *
 * @param file - its text, which must be ASCII
 * @param id - identifies this very text, because V8 only compares its length
 */
export function startProgram(file: string, id: string): CompiledProgram {
  // In the name is what V8 compares: its version, its flags and features of the processor.
  const codeFile = `${file}.${id}.${cachedDataVersionTag().toString(16)}.code`;
  const cachedData = readIfExists(codeFile);
  // A text of bytes takes half the memory.
  const text = readFileSync(file, "latin1");
  const script = new Script(`(function(module,require,__filename,__dirname){${text}\n})`, {
    filename: file,
    ...(cachedData !== undefined && { cachedData }),
  });
  const isCompiled = cachedData !== undefined && script.cachedDataRejected === false;
  const module = { exports: {} };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The text above is such a function.
  const start = script.runInThisContext() as Start;
  start(module, createRequire(file), file, dirname(file));
  return {
    exports: module.exports,
    async storeCode() {
      if (!isCompiled) await replace(codeFile, script.createCachedData()).catch(() => undefined);
    },
  };
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** V8 trusts the bytes as it trusts the program, so after a crash the file must be complete or absent. */
async function replace(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(unfinished, "w");
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
