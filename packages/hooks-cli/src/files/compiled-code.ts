import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { statIfExists, writeFileAtomic } from "./atomic-file.ts";
import { GUARD_FILE, type Home, compiledFile } from "./home.ts";

/** A program's text, and the stamp of the bytecode that V8 compiled from this very text in this very version of Node. */
export interface Program {
  readonly text: string;
  readonly stamp: string;
}

/** Stamps are padded to this length, so that the code behind them starts where V8 can read it without copying. */
const STAMP_BYTES = 128;

/** Throws if the program cannot be read. */
export function readProgram(path: string): Program {
  const descriptor = fs.openSync(path, "r");
  try {
    return { stamp: stampOf(fs.fstatSync(descriptor)), text: fs.readFileSync(descriptor, "utf8") };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The stored code; undefined if there is none with this stamp. V8 still checks whether it can use it. */
export function readCompiledCode(path: string, stamp: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(path);
    return bytes.subarray(0, STAMP_BYTES).toString() === stamp ? bytes.subarray(STAMP_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/** V8 trusts its input just as it trusts the program, so the file must be complete or absent. */
export function storeCompiledCode(path: string, stamp: string, code: Buffer): void {
  writeFileAtomic(path, Buffer.concat([Buffer.from(stamp, "latin1"), code]), { isDurable: true });
}

/** Whether the installed program, or what judges calls, lacks compiled code for this version of Node. */
export function lacksCompiledCode({ program }: Pick<Home, "program">): boolean {
  return [program, join(dirname(program), GUARD_FILE)].some((file) => {
    const status = statIfExists(file);
    return status !== undefined && readStamp(compiledFile(file)) !== stampOf(status);
  });
}

function readStamp(path: string): string | undefined {
  try {
    const file = fs.openSync(path, "r");
    try {
      const stamp = Buffer.alloc(STAMP_BYTES);
      return stamp.toString("latin1", 0, fs.readSync(file, stamp));
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function stampOf({ mtimeMs, size, ino }: fs.Stats): string {
  return `${process.version} ${process.arch} ${mtimeMs} ${size} ${ino}`.padEnd(STAMP_BYTES);
}
