import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { storeCompiledCode, readCompiledCode, readProgram } from "./files/compiled-code.ts";
import { PROGRAM_FILE, STORE_COMPILED_CODE_VARIABLE, compiledFile } from "./files/home.ts";

type Require = (id: string) => unknown;
type ModuleFunction = (require: Require, module: { exports: unknown }, file: string, directory: string) => void;

/** The exports of the files that have been loaded, by their paths. */
const loaded = new Map<string, { exports: unknown }>();

// oxlint-disable-next-line node/no-process-env -- Set by the process that compiles ahead, for the hook that it runs.
const storesCode = process.env[STORE_COMPILED_CODE_VARIABLE] === "1";
// A helper of that hook would store code after the installation has ended, even beside a program that has been removed since.
// oxlint-disable-next-line node/no-process-env -- As above; helpers inherit it.
if (storesCode) delete process.env[STORE_COMPILED_CODE_VARIABLE];

/**
 * Loads a file beside this one, and what it requires from beside it, with the code that V8 compiled before: compiling takes longer
 * than everything else that a hook does. If that fails, the file is loaded normally.
 */
function load(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const start = compiled(file);
  if (start === undefined) return require(file);
  const module = { exports: {} };
  start((id) => (id.startsWith("./") ? load(`${__dirname}${id.slice(1)}`) : require(id)), module, file, __dirname);
  loaded.set(file, module);
  return module.exports;
}

function compiled(file: string): ModuleFunction | undefined {
  try {
    const { text, stamp } = readProgram(file);
    const codeFile = compiledFile(file);
    // The first line may be a shebang, for shells.
    const body = text.startsWith("#!") ? text.slice(text.indexOf("\n")) : text;
    const cachedData = readCompiledCode(codeFile, stamp);
    const script = new Script(`(function(require,module,__filename,__dirname){${body}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    // By the time of the exit, everything that was needed has been compiled.
    if (storesCode) process.once("exit", () => storeCompiledCode(codeFile, stamp, script.createCachedData()));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The text above is such a function.
    return script.runInThisContext() as ModuleFunction;
  } catch {
    return undefined;
  }
}

try {
  load(`${__dirname}/${PROGRAM_FILE}`);
} catch (error) {
  // A hook must not fail the call that it judges.
  writeSync(2, `workspace-hooks: ${String(error)}\n`);
  process.exit(process.argv[2] === "run" ? 0 : 1);
}
