import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { storeCompiledCode, readCompiledCode, readProgram } from "./files/compiled-code.ts";
import { COMPILED_CODE_FILE, STORE_COMPILED_CODE_VARIABLE, PROGRAM_FILE } from "./files/home.ts";

type ModuleFunction = (require: NodeJS.Require, module: NodeJS.Module, file: string, directory: string) => void;

/**
 * Starts the program beside this file with the code that V8 compiled before: compiling takes longer than everything else
 * that a hook does. If that fails, the program is loaded normally.
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
    // The first line is a shebang, for shells.
    const body = text.slice(text.indexOf("\n"));
    const cachedData = readCompiledCode(codeFile, stamp);
    const script = new Script(`(function(require,module,__filename,__dirname){${body}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    // By the time of the exit, everything that was needed has been compiled.
    // oxlint-disable-next-line node/no-process-env -- Set by the process that compiles ahead.
    if (process.env[STORE_COMPILED_CODE_VARIABLE] === "1")
      process.once("exit", () => storeCompiledCode(codeFile, stamp, script.createCachedData()));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The text above is such a function.
    return script.runInThisContext() as ModuleFunction;
  } catch {
    return undefined;
  }
}

try {
  main();
} catch (error) {
  // A hook must not fail the call that it judges.
  writeSync(2, `workspace-hooks: ${String(error)}\n`);
  process.exit(process.argv[2] === "run" ? 0 : 1);
}
