import { UNKNOWN } from "./unknown.ts";

/** Runs a nested script, and returns what is known about its output. */
export interface ScriptRunner {
  /** The value of a command substitution; UNKNOWN if it cannot be determined. */
  readonly outputOf: (script: string, scope: ShellScope) => string;
  readonly run: (script: string, scope: ShellScope) => void;
  /** The file of a process substitution; UNKNOWN if its content cannot be determined. */
  readonly fileFor: (script: string, scope: ShellScope) => string;
  /** Whether so many more characters may be read. If not, the rest of the script is not read. */
  readonly spend: (characters: number) => boolean;
}

const IFS = " \t\n";

/** The variables, aliases and working directory of a script at one point, as far as they are known. */
export class ShellScope {
  /** Undefined if the script changed to an unknown directory. */
  cwd: string | undefined;
  /** What `popd` returns to, the last first; undefined where that is not known. */
  directories: readonly (string | undefined)[];
  /** Positional parameters are empty in a script without arguments, and unknown once there are functions. */
  positional: readonly string[] | undefined = [];
  readonly home: string | undefined;
  readonly aliases: Map<string, string>;
  readonly #variables: Map<string, readonly string[] | undefined>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #runner: ScriptRunner;

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    cwd: string | undefined,
    runner: ScriptRunner,
    parent?: ShellScope,
  ) {
    this.#environment = environment;
    this.#runner = runner;
    this.cwd = cwd;
    this.directories = parent?.directories ?? [];
    this.home = environment["HOME"];
    this.#variables = new Map(parent?.entries());
    this.aliases = new Map(parent?.aliases);
    if (parent !== undefined) this.positional = parent.positional;
  }

  /** A subshell: it sees everything and changes nothing here. */
  fork(): ShellScope {
    return new ShellScope(this.#environment, this.cwd, this.#runner, this);
  }

  entries(): Iterable<[string, readonly string[] | undefined]> {
    return this.#variables.entries();
  }

  set(name: string, values: readonly string[] | undefined): void {
    this.#variables.set(name, values);
  }

  /** Whether the script has set a variable, to whatever value. */
  hasSet(name: string): boolean {
    return this.#variables.has(name);
  }

  append(name: string, values: readonly string[], isArray: boolean): void {
    const before = this.#variables.get(name) ?? [];
    this.#variables.set(name, isArray ? [...before, ...values] : [`${before.join(" ")}${values.join(" ")}`]);
  }

  unset(name: string): void {
    this.#variables.set(name, []);
  }

  outputOf(script: string): string {
    return this.#runner.outputOf(script, this);
  }

  run(script: string): void {
    this.#runner.run(script, this);
  }

  fileFor(script: string): string {
    return this.#runner.fileFor(script, this);
  }

  spend(characters: number): boolean {
    return this.#runner.spend(characters);
  }

  /** Undefined if unknown; empty if known to be nothing. */
  valuesOf(name: string, subscript: string | undefined): readonly string[] | undefined {
    const special = this.#specialValue(name);
    if (special !== null) return special;
    if (!this.#variables.has(name)) {
      const inherited = this.#environment[name];
      return inherited === undefined ? undefined : [inherited];
    }
    const values = this.#variables.get(name);
    if (values === undefined || subscript === undefined || subscript === "@" || subscript === "*") return values;
    const index = Number(subscript);
    const value = values[index];
    return Number.isInteger(index) && value !== undefined ? [value] : [UNKNOWN];
  }

  #specialValue(name: string): readonly string[] | undefined | null {
    if (name === "@" || name === "*") return this.positional;
    if (/^[1-9][0-9]?$/.test(name)) return this.positional && this.positional.slice(Number(name) - 1, Number(name));
    // A command that is no file of its own has no name, or the one that it is given.
    if (name === "BASH_SOURCE") return this.#variables.get("0") ?? [""];
    if (name === "IFS" && !this.#variables.has("IFS")) return [IFS];
    if (name === "PWD" && !this.#variables.has("PWD")) return this.cwd === undefined ? undefined : [this.cwd];
    return /^[?#$!_-]$/.test(name) || name === "" ? undefined : null;
  }
}
