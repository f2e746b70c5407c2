import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProgram } from "./compiled-program.ts";

const PROGRAM = `const { sep } = require("node:path"); module.exports.greet = () => "Hello" + sep;`;

async function createProgram(
  text = PROGRAM,
): Promise<{ folder: string; file: string; codeFiles(): Promise<string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), "compiled-program-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "program.cjs");
  await writeFile(file, text);
  const codeFiles = async () => (await readdir(folder)).filter((name) => name !== "program.cjs");
  return { folder, file, codeFiles };
}

function greetingOf({ exports }: { readonly exports: unknown }): unknown {
  return (exports as { greet(): string }).greet();
}

describe("startProgram", () => {
  it("stores bytecode once, and starts from it", async () => {
    const { folder, file, codeFiles } = await createProgram();
    const first = startProgram(file, "a");
    expect(greetingOf(first)).toBe("Hello/");
    await first.storeCode();
    const [name = "", ...others] = await codeFiles();
    expect(others).toEqual([]);
    const { ino } = await stat(join(folder, name));
    const second = startProgram(file, "a");
    expect(greetingOf(second)).toBe("Hello/");
    await second.storeCode();
    expect(await codeFiles()).toEqual([name]);
    expect((await stat(join(folder, name))).ino).toBe(ino);
  });

  it("does not run the bytecode of another text of the same length", async () => {
    const { file } = await createProgram();
    const first = startProgram(file, "a");
    greetingOf(first);
    await first.storeCode();
    await writeFile(file, PROGRAM.replace("Hello", "Adieu"));
    expect(greetingOf(startProgram(file, "b"))).toBe("Adieu/");
  });

  it("compiles the text if V8 rejects the bytecode, and replaces it", async () => {
    const { folder, file, codeFiles } = await createProgram();
    await startProgram(file, "a").storeCode();
    const [name = ""] = await codeFiles();
    await writeFile(join(folder, name), "code of another version");
    // Another text, because V8 remembers what it has compiled in this process.
    await writeFile(file, PROGRAM.replace("Hello", "Hi"));
    const program = startProgram(file, "a");
    expect(greetingOf(program)).toBe("Hi/");
    await program.storeCode();
    expect((await readFile(join(folder, name))).length).toBeGreaterThan(100);
    expect(await codeFiles()).toEqual([name]);
  });

  it("starts and leaves nothing behind where bytecode cannot be stored", async () => {
    const { folder, file, codeFiles } = await createProgram();
    await startProgram(file, "a").storeCode();
    const [name = ""] = await codeFiles();
    await rm(join(folder, name));
    await mkdir(join(folder, name));
    const program = startProgram(file, "a");
    await program.storeCode();
    expect(greetingOf(program)).toBe("Hello/");
    expect(await codeFiles()).toEqual([name]);
  });
});
