import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { keepCompiledCode, readCompiledCode, readProgram } from "./files/compiled-code.ts";
import { COMPILED_CODE_FILE, KEEP_COMPILED_CODE, PROGRAM_FILE } from "./files/home.ts";

type ModuleFunction = (require: NodeJS.Require, module: NodeJS.Module, file: string, directory: string) => void;

/**
 * Starts the program that lies beside this file, with the code that V8 has made of it before: compiling takes longer than
 * everything else that a hook does. Where that does not work, the program is loaded as any other.
 */
function main(): void {
  const file = `${__dirname}/${PROGRAM_FILE}`;
  const start = compiled(file, `${__dirname}/${COMPILED_CODE_FILE}`);
  if (start === undefined) require(file);
  else start(require, module, file, __dirname);
}

function compiled(file: string, codeFile: string): ModuleFunction | undefined {
  try {
    const { text, stamp } = readProgram(file);
    // The first line names the interpreter, for a shell.
    const body = text.slice(text.indexOf("\n"));
    const cachedData = readCompiledCode(codeFile, stamp);
    const script = new Script(`(function(require,module,__filename,__dirname){${body}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    // At the exit, all that was needed on the way has been compiled.
    // oxlint-disable-next-line node/no-process-env -- Its own process says so to it.
    if (process.env[KEEP_COMPILED_CODE] === "1")
      process.once("exit", () => keepCompiledCode(codeFile, stamp, script.createCachedData()));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The text above is such a function.
    return script.runInThisContext() as ModuleFunction;
  } catch {
    return undefined;
  }
}

try {
  main();
} catch (error) {
  // A hook must not fail the call that it was asked about.
  writeSync(2, `workspace-hooks: ${String(error)}\n`);
  process.exit(process.argv[2] === "run" ? 0 : 1);
}
