import { resolve } from "node:path";
import { applyBuiltin } from "./command-effects.ts";
import { startedByRunner } from "./command-runners.ts";
import { matchesGlob } from "./path-glob.ts";
import { startedByEscape } from "./embedded-scripts.ts";
import { mayEscape } from "./escaping-programs.ts";
import { startedByInlineCode } from "./inline-code.ts";
import { literalOutput } from "./literal-output.ts";
import { ScriptWalker } from "./script-walker.ts";
import { type ShellCommand, MAX_COMMANDS, MAX_WORDS, programName, programOf } from "./shell-command.ts";
import { ShellScope } from "./shell-scope.ts";
import { tokenize } from "./token-reader.ts";
import { UNKNOWN } from "./unknown.ts";
import { type ShellWord, textAt } from "./word-fields.ts";
import { NOTHING, type Started, quoteWords, startedByShell, startedByWrapper } from "./wrapped-command.ts";

export interface DissectOptions {
  readonly cwd: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly projectRoot: string | undefined;
}

export interface Dissection {
  /** Every program that the script would start, wherever it is hidden, in order. */
  readonly commands: readonly ShellCommand[];
  /** Why a part of the script could not be read; undefined if all of it was. */
  readonly problem: string | undefined;
  /** Whether the script exceeds a limit, so that commands which it starts may be missing. */
  readonly isCutOff: boolean;
  /** A function that starts itself in a pipeline or in the background, without end; undefined if there is none. */
  readonly multiplies: string | undefined;
}

const MAX_TOKENS = 10_000;
/** Characters of all scripts that are read, and of what is inserted into them, which may double with each variable. */
const MAX_CHARACTERS = 300_000;
const MAX_DEPTH = 10;

/**
 * Dissects a shell script into the programs that it starts: through pipes, lists, loops and functions, `$(…)`, backticks and
 * `<(…)`, `bash -c`, `eval` and here-documents, wrappers such as `sudo` and `xargs`, aliases, variables with known values,
 * and code passed to interpreters. Never runs anything and never throws.
 */
export function dissect(script: string, options: DissectOptions): Dissection {
  return new Dissector(options).dissect(script);
}

class Dissector {
  readonly #options: DissectOptions;
  /** Commands started by substitutions, which are found while words are expanded. */
  readonly #substituted: ShellCommand[] = [];
  /** What the script wrote into files, by path. */
  readonly #files = new Map<string, string>();
  #problem: string | undefined;
  #isCutOff = false;
  #multiplies: string | undefined;
  #count = 0;
  #words = 0;
  #characters = 0;
  readonly #tokens = { left: MAX_TOKENS };
  #depth = 0;

  constructor(options: DissectOptions) {
    this.#options = options;
  }

  dissect(script: string): Dissection {
    const scope = new ShellScope(this.#options.environment, this.#options.cwd, {
      outputOf: (nested, from) => this.#outputOf(nested, from),
      run: (nested, from) => void this.#substitute(nested, from, "$()"),
      fileFor: (nested, from) => this.#fileFor(nested, from),
      spend: (characters) => this.#spend(characters),
    });
    let commands: readonly ShellCommand[] = [];
    try {
      commands = this.#run(script, scope, undefined, undefined);
    } catch {
      this.#cutOff("too large");
    }
    return {
      commands: [...commands, ...this.#substituted],
      problem: this.#problem,
      isCutOff: this.#isCutOff,
      multiplies: this.#multiplies,
    };
  }

  #substitute(script: string, scope: ShellScope, wrapper: string): readonly ShellCommand[] {
    if (this.#isCutOff) return [];
    const commands = this.#run(script, scope.fork(), undefined, wrapper);
    this.#substituted.push(...commands);
    return commands;
  }

  #fileFor(script: string, scope: ShellScope): string {
    const content = this.#printed(this.#substitute(script, scope, "<()"));
    if (content === undefined) return UNKNOWN;
    const path = `/dev/fd/${100 + this.#files.size}`;
    this.#files.set(path, content);
    return path;
  }

  #outputOf(script: string, scope: ShellScope): string {
    // `$(<file)` reads a file, like cat.
    const isFile = /^\s*<\s*[^\s<(]\S*\s*$/.test(script);
    const commands = this.#substitute(isFile ? script.replace("<", "cat ") : script, scope, "$()");
    return this.#printed(commands)?.replace(/(?<!\n)\n+$/, "") ?? UNKNOWN;
  }

  #printed(commands: readonly ShellCommand[]): string | undefined {
    const last = commands.at(-1);
    if (last === undefined) return undefined;
    const stage = commands.filter((command) => command.pipedFrom.length === last.pipedFrom.length);
    const texts = stage.map((command) => this.#outputOfCommand(command));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }

  #run(
    script: string,
    scope: ShellScope,
    from: ShellCommand | undefined,
    wrapper: string | undefined,
  ): readonly ShellCommand[] {
    if (this.#depth >= MAX_DEPTH) return this.#cutOff("scripts are nested too deeply");
    if (!this.#spend(script.length)) return [];
    const { tokens, problem, isCutOff } = tokenize(script, this.#tokens);
    this.#problem ??= problem;
    this.#isCutOff ||= isCutOff;
    this.#depth += 1;
    try {
      return new ScriptWalker(tokens, scope, {
        wrappers: [...(from?.wrappers ?? []), ...(wrapper === undefined ? [] : [wrapper])],
        stdin: from?.stdin,
        pipedFrom: from?.pipedFrom ?? [],
        container: from?.container,
        sink: (command, inner) => this.#takeCommand(command, inner),
        outputOf: (commands) => this.#printed(commands),
        multiplies: (name) => (this.#multiplies = name),
        isFull: () => this.#isCutOff,
        cutOff: () => void this.#cutOff("the command is too large"),
      }).walk();
    } finally {
      this.#depth -= 1;
    }
  }

  #takeCommand(command: ShellCommand, scope: ShellScope): readonly ShellCommand[] {
    this.#count += 1;
    this.#words += command.words.length;
    if (this.#count > MAX_COMMANDS || this.#words > MAX_WORDS) return this.#cutOff("the command is too large");
    const program = programOf(command);
    applyBuiltin(program, command, scope);
    this.#noteWrittenFiles(program, command);
    const started = this.#startedBy(program, command, scope);
    if (started === NOTHING) return [command];
    const { container = command.container } = started;
    const wrappers = [...command.wrappers, program];
    const outer = LEAVES_CONTAINER.has(program)
      ? { ...command, container: undefined }
      : started.container === undefined
        ? command
        : { ...command, container, cwd: container?.workdir };
    const redirects = command.redirects.filter(({ operator }) => operator === "<");
    const inner = started.commands.flatMap((words) => this.#takeInner({ ...outer, words, redirects, wrappers }, scope));
    // A separate shell cannot change this one's variables; `eval` and aliases can.
    const innerScope = program === "eval" || scope.aliases.has(program) ? scope : scope.fork();
    if (command.container !== undefined) innerScope.cwd = command.cwd;
    if (started.positional !== undefined) {
      innerScope.set("0", started.positional.slice(0, 1));
      innerScope.positional = started.positional.slice(1);
    }
    // What a shell has read as its script is no longer there for what the script starts.
    const scripts = started.scripts.flatMap((script) =>
      this.#run(script, innerScope, script === command.stdin ? { ...command, stdin: "" } : command, program),
    );
    return [command, ...inner, ...scripts];
  }

  #outputOfCommand(command: ShellCommand): string | undefined {
    const output = literalOutput(command, { cwd: command.cwd, projectRoot: this.#options.projectRoot });
    return this.#spend(output?.length ?? 0) ? output : undefined;
  }

  /** Whether so many characters more may be read. */
  #spend(characters: number): boolean {
    this.#characters += characters;
    if (this.#characters > MAX_CHARACTERS) this.#cutOff("the command is too large");
    return !this.#isCutOff;
  }

  /** `echo script > file` makes the file's content known to whatever runs it later. */
  #noteWrittenFiles(program: string, command: ShellCommand): void {
    const redirected = command.redirects
      .filter(({ operator }) => /^(?:>|>>|>\||&>)$/.test(operator))
      .map(({ target }) => target);
    const targets = program === "tee" ? [...redirected, ...command.words.slice(1)] : redirected;
    const content = targets.length === 0 ? undefined : this.#outputOfCommand(command);
    if (content === undefined) return;
    for (const target of targets) {
      const path = target && resolve(command.cwd ?? "/", target.text);
      if (path !== undefined) this.#files.set(path, (this.#files.get(path) ?? "") + content);
    }
  }

  #cutOff(problem: string): readonly ShellCommand[] {
    this.#problem ??= problem;
    this.#isCutOff = true;
    return [];
  }

  #takeInner(command: ShellCommand, scope: ShellScope): readonly ShellCommand[] {
    if (command.words.length === 0) return [];
    if (command.wrappers.length > MAX_DEPTH) return this.#cutOff("the command is too large");
    return this.#takeCommand(command, scope);
  }

  #startedBy(program: string, command: ShellCommand, scope: ShellScope): Started {
    const { words, cwd } = command;
    const name = textAt(words, 0);
    const alias = scope.aliases.get(name);
    if (alias !== undefined && !command.wrappers.includes(program)) {
      return { commands: [], scripts: [`${alias} ${quoteWords(words.slice(1))}`] };
    }
    const contentOf = (path: string): string | undefined => this.#files.get(resolve(cwd ?? "/", path));
    const input = command.redirects.findLast(({ operator }) => operator === "<")?.target?.text;
    const stdin = command.stdin ?? (input === undefined ? undefined : contentOf(input));
    const ownScript = name.includes("/") ? contentOf(name) : undefined;
    const all = [
      startedByWrapper(program, words, stdin),
      startedByShell(program, words, stdin, contentOf),
      startedByRunner(program, words, stdin, cwd),
      mayEscape(program, words, stdin) ? startedByEscape(program, words, stdin) : NOTHING,
      startedByInlineCode(program, words, stdin, contentOf),
      ...(ownScript === undefined ? [] : [{ commands: [], scripts: [ownScript] }]),
      ...(words[0]?.hasGlob === true ? [{ commands: programsMatching(words), scripts: [] }] : []),
    ].filter((started) => started !== NOTHING);
    if (all.length === 0) return NOTHING;
    const positional = all.find((started) => started.positional !== undefined)?.positional;
    const container = all.find((started) => started.container !== undefined)?.container;
    return {
      commands: all.flatMap((started) => started.commands),
      scripts: all.flatMap((started) => started.scripts),
      ...(positional !== undefined && { positional }),
      container,
    };
  }
}

/** What they start in a container may be on the machine: below a folder of it that is mounted, or in its own namespaces. */
const LEAVES_CONTAINER = new Set(["chroot", "nsenter"]);

/** Programs that a name with a glob, `/bin/r?`, may match: those that rules are about. */
function programsMatching(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const pattern = programName(textAt(words, 0));
  // A line of a list, `* item`, is no attempt to start whatever comes first.
  if (/^[*?]+$/.test(pattern)) return [];
  return GUARDED_PROGRAMS.filter((name) => matchesGlob(pattern, name)).map((text) => [
    { text, hasGlob: false },
    ...words.slice(1),
  ]);
}

const GUARDED_PROGRAMS =
  "rm rmdir unlink shred mv cp dd find git curl wget sh bash zsh cat python3 perl node sudo tee chmod".split(" ");
