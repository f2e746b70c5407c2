import * as fs from "node:fs";
import { readQuietly, statIfExists, writeFileAtomic } from "./atomic-file.ts";

/** A program's text, and the stamp of the bytecode that V8 has made of this very text in this very Node. */
export interface Program {
  readonly text: string;
  readonly stamp: string;
}

/** A stamp is padded to this length, so that the code behind it begins where V8 reads it without copying. */
const STAMP_BYTES = 128;

/** Throws where the program cannot be read. */
export function readProgram(path: string): Program {
  const descriptor = fs.openSync(path, "r");
  try {
    return { stamp: stampOf(fs.fstatSync(descriptor)), text: fs.readFileSync(descriptor, "utf8") };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The code that was kept; undefined where there is none of this stamp. V8 still looks whether it can use it. */
export function readCompiledCode(path: string, stamp: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(path);
    return bytes.subarray(0, STAMP_BYTES).toString() === stamp ? bytes.subarray(STAMP_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/** V8 trusts what it is given, as it trusts the program: the file is there as a whole or not at all. */
export function keepCompiledCode(path: string, stamp: string, code: Buffer): void {
  writeFileAtomic(path, Buffer.concat([Buffer.from(stamp, "latin1"), code]), { isDurable: true });
}

/** Whether a program is there, and no code of it for this Node. */
export function lacksCompiledCode(program: string, code: string): boolean {
  const status = statIfExists(program);
  return status !== undefined && readQuietly(code)?.startsWith(stampOf(status)) !== true;
}

function stampOf({ mtimeMs, size, ino }: fs.Stats): string {
  return `${process.version} ${process.arch} ${mtimeMs} ${size} ${ino}`.padEnd(STAMP_BYTES);
}
