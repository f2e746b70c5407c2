import { assign, changeDirectory, countAssignments } from "./command-effects.ts";
import type { Container } from "./container.ts";
import { MAX_COMMANDS, type ShellCommand, type ShellRedirect } from "./shell-command.ts";
import { startsItself } from "./self-start.ts";
import type { ShellScope } from "./shell-scope.ts";
import { type RedirectToken, type ShellToken, type WordPart, type WordToken, unquotedText } from "./shell-token.ts";
import { SHELLS, findWrapper } from "./command-wrappers.ts";
import { UNSEEN } from "./unknown.ts";
import { type ShellWord, expandToText, expandWord } from "./word-fields.ts";

/** Receives each command that the walker finds, with aliases already expanded. */
export type CommandSink = (command: ShellCommand, scope: ShellScope) => readonly ShellCommand[];

export interface WalkOptions {
  readonly wrappers: readonly string[];
  readonly stdin: string | undefined;
  readonly pipedFrom: readonly ShellCommand[];
  readonly container: Container | undefined;
  readonly sink: CommandSink;
  /** The text that a pipeline stage is known to print. */
  readonly outputOf: (commands: readonly ShellCommand[]) => string | undefined;
  /** Receives each function that starts itself without end. */
  readonly multiplies: (name: string) => void;
  /** Whether a limit is exceeded, so that no further commands are taken. */
  readonly isFull: () => boolean;
  /** Reports that a limit is exceeded. */
  readonly cutOff: () => void;
}

/** A group of commands that is one stage of a pipeline: `( … )`, `{ … }`, a loop. */
interface Group {
  /** The finished stages of the pipeline being read. */
  readonly stages: (readonly ShellCommand[])[];
  /** The commands of these stages. */
  readonly piped: ShellCommand[];
  /** The stage being read. */
  readonly commands: ShellCommand[];
  /** All commands of earlier pipelines. */
  readonly closed: ShellCommand[];
  readonly scope: ShellScope;
}

function openGroup(scope: ShellScope): Group {
  return { stages: [], piped: [], commands: [], closed: [], scope };
}

const OPENERS = new Set(["if", "while", "until", "for", "select", "case", "{"]);
const CLOSERS = new Set(["fi", "done", "esac", "}"]);
const CONTINUERS = new Set(["then", "else", "elif", "do", "!", "time", "coproc"]);

/** Walks over the tokens of one script and passes every simple command in it to the sink, in order. */
export class ScriptWalker {
  readonly #tokens: readonly ShellToken[];
  readonly #options: WalkOptions;
  readonly #groups: Group[];
  /** The values that a `for` assigns to its variable; a command that uses it is examined with each. */
  readonly #loops = new Map<string, readonly string[]>();
  #at = 0;
  #words: WordToken[] = [];
  #redirects: RedirectToken[] = [];

  constructor(tokens: readonly ShellToken[], scope: ShellScope, options: WalkOptions) {
    this.#tokens = tokens;
    this.#options = options;
    this.#groups = [openGroup(scope)];
  }

  walk(): readonly ShellCommand[] {
    for (; this.#at < this.#tokens.length && !this.#options.isFull(); this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token === undefined) break;
      if (token.kind === "operator") this.#takeOperator(token.text);
      else if (token.kind === "redirect") this.#redirects.push(token);
      else if (!this.#takeKeyword(token)) this.#words.push(token);
    }
    this.#finishCommand();
    while (this.#groups.length > 1) this.#closeGroup();
    this.#endPipeline();
    return this.#group.closed;
  }

  get #group(): Group {
    const group = this.#groups.at(-1);
    if (group === undefined) throw new Error("A script has at least one group.");
    return group;
  }

  #takeOperator(text: string): void {
    if (text === "(" && this.#words.length === 1 && this.#isFunctionDefinition()) {
      this.#at += 1;
      this.#defineFunction(this.#words[0]);
      this.#words = [];
      return;
    }
    if (text === "\n" && this.#isContinued()) return;
    this.#finishCommand();
    if (text === "(") this.#groups.push(openGroup(this.#group.scope.fork()));
    else if (text === ")") this.#closeGroup();
    else if (text === "|" || text === "|&") this.#endStage();
    else if (text.startsWith(";;") || text === ";&") this.#skipPattern();
    else this.#endPipeline();
  }

  /** After `|`, `&&` and `||` the command continues on the next line. */
  #isContinued(): boolean {
    const previous = this.#tokens[this.#at - 1];
    return previous?.kind === "operator" && ["|", "|&", "&&", "||"].includes(previous.text);
  }

  #defineFunction(token: ShellToken | undefined): void {
    this.#group.scope.positional = undefined;
    const name = unquotedText(token);
    if (name !== undefined && startsItself(name, this.#tokens, this.#at + 1)) this.#options.multiplies(name);
  }

  #isFunctionDefinition(): boolean {
    const next = this.#tokens[this.#at + 1];
    return next?.kind === "operator" && next.text === ")";
  }

  #endStage(): void {
    const { stages, piped, commands } = this.#group;
    const stage = commands.splice(0);
    stages.push(stage);
    piped.push(...stage);
  }

  /** Ends a pipeline: what follows no longer reads from it, but it remains part of its group. */
  #endPipeline(): void {
    const { stages, piped, commands, closed } = this.#group;
    stages.length = 0;
    closed.push(...piped.splice(0), ...commands.splice(0));
  }

  /** All commands of a group become one stage of the pipeline around it. */
  #closeGroup(): void {
    if (this.#groups.length === 1) return;
    this.#endPipeline();
    const group = this.#groups.pop();
    if (group !== undefined) this.#group.commands.push(...group.closed);
  }

  /** A word is a keyword only at the start of a command. */
  #takeKeyword(token: WordToken): boolean {
    if (this.#words.length > 0) return false;
    const text = unquotedText(token);
    if (text === undefined) return false;
    // With options it is the program of this name, or starts what follows them in the same way.
    if (text === "time" && unquotedText(this.#tokens[this.#at + 1])?.startsWith("-") === true) return false;
    if (CONTINUERS.has(text)) return true;
    if (text === "[[") return this.#skipTest();
    if (text === "function") {
      this.#at += 1;
      this.#defineFunction(this.#tokens[this.#at]);
      return true;
    }
    if (OPENERS.has(text)) {
      this.#groups.push(openGroup(this.#group.scope));
      if (text === "for" || text === "select") this.#takeLoop();
      if (text === "case") this.#takeCase();
      return true;
    }
    if (!CLOSERS.has(text) || this.#groups.length === 1) return false;
    this.#closeGroup();
    return true;
  }

  /** `[[ … ]]` compares; its `<` and `>` are not redirections, but the substitutions in it run. */
  #skipTest(): boolean {
    for (this.#at += 1; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (unquotedText(token) === "]]") return true;
      if (token?.kind === "word") expandWord(token, this.#group.scope);
    }
    return true;
  }

  #takeLoop(): void {
    const name = unquotedText(this.#tokens[this.#at + 1]);
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) return;
    this.#group.scope.set(name, undefined);
    this.#at += 1;
    if (unquotedText(this.#tokens[this.#at + 1]) !== "in") return;
    this.#at += 1;
    const values: string[] = [];
    for (let token = this.#tokens[this.#at + 1]; token?.kind === "word"; token = this.#tokens[this.#at + 1]) {
      values.push(...expandWord(token, this.#group.scope).map(eachOf));
      this.#at += 1;
    }
    this.#loops.set(name, values);
    this.#group.scope.set(name, values.length === 1 ? values : undefined);
  }

  #takeCase(): void {
    for (this.#at += 1; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (unquotedText(token) === "in") break;
      if (token?.kind === "word") expandWord(token, this.#group.scope);
    }
    this.#skipPattern();
  }

  /** Skips to the parenthesis that ends a pattern, or to before the `esac`. */
  #skipPattern(): void {
    this.#endPipeline();
    while (this.#at + 1 < this.#tokens.length) {
      const token = this.#tokens[this.#at + 1];
      if (unquotedText(token) === "esac") return;
      this.#at += 1;
      if (token?.kind === "operator" && token.text === ")") return;
    }
  }

  #finishCommand(): void {
    const [words, redirects] = [this.#words, this.#redirects];
    this.#words = [];
    this.#redirects = [];
    if (words.length === 0 && redirects.length === 0) return;
    const { commands } = this.#group;
    const end = this.#tokens[this.#at];
    // What runs in a pipeline or in the background changes nothing for what follows.
    const isApart = end?.kind === "operator" && /^(?:\|&?|&)$/.test(end.text);
    const scope = isApart ? this.#group.scope.fork() : this.#group.scope;
    const targets = redirects.flatMap(({ target }) => target ?? []);
    const loop = [...this.#loops].find(
      ([name, values]) => values.length > 1 && usesVariable([...words, ...targets], name),
    );
    if (loop === undefined) {
      commands.push(...this.#emit(words, redirects, scope));
      return;
    }
    const [name, all] = loop;
    const files = all.length > MANY_VALUES && usesAsFile(words, redirects, name) ? all.filter(isPlainName) : [];
    const others = files.length > 0 ? all.filter((value) => !isPlainName(value)) : all;
    if (others.length > MAX_COMMANDS) return this.#options.cutOff();
    if (files.length > 0) commands.push(...this.#emitTogether(words, name, files));
    for (const value of others) {
      if (this.#options.isFull()) return;
      const withValue = scope.fork();
      withValue.set(name, [value]);
      commands.push(...this.#emit(words, redirects, withValue));
    }
  }

  /** One command with many names instead of one for each: it does the same to them. */
  #emitTogether(words: readonly WordToken[], name: string, values: readonly string[]): readonly ShellCommand[] {
    const scope = this.#group.scope.fork();
    const expanded = words.flatMap((word) => {
      if (!usesVariable([word], name)) return [word];
      return values.map((value): WordToken => ({
        ...word,
        parts: word.parts.map((part) => withText(part, name, value)),
      }));
    });
    return this.#emit(expanded, [], scope);
  }

  #emit(words: readonly WordToken[], redirects: readonly RedirectToken[], scope: ShellScope): readonly ShellCommand[] {
    const assignments = countAssignments(words);
    const isLasting = assignments === words.length;
    const scripts = words
      .slice(0, assignments)
      .map((word) => assign(word, scope, isLasting))
      .filter((script) => script !== undefined);
    const expanded = words.slice(assignments).flatMap((word) => this.#expandArgument(word, scope));
    const expandedRedirects = redirects.map((redirect) => expandRedirect(redirect, scope));
    for (const script of scripts) scope.run(script);
    if (expanded.length === 0 && expandedRedirects.length === 0) return [];
    const command: ShellCommand = {
      words: expanded.length === 0 ? [{ text: ":", hasGlob: false }] : expanded,
      redirects: expandedRedirects,
      cwd: scope.cwd,
      pipedFrom: this.#options.pipedFrom.concat(...this.#groups.map(({ piped }) => piped)),
      stdin: this.#stdinOf(expandedRedirects),
      wrappers: this.#options.wrappers,
      container: this.#options.container,
    };
    const found = this.#options.sink(command, scope);
    if (this.#group.stages.length === 0) changeDirectory(command, scope);
    return found;
  }

  /** `declare -a x=(rm -rf /)` sets a variable although it is an argument. */
  #expandArgument(word: WordToken, scope: ShellScope): readonly ShellWord[] {
    if (word.elements === undefined) return expandWord(word, scope);
    assign(word, scope, true);
    return [];
  }

  /** What the command reads: from its last redirection, otherwise from the previous stage, here or around its group. */
  #stdinOf(redirects: readonly (ShellRedirect & { readonly text: string | undefined })[]): string | undefined {
    const redirect = redirects.findLast(({ operator }) => operator.startsWith("<"));
    if (redirect !== undefined) return redirect.text;
    const group = this.#groups.findLast(({ stages }) => stages.length > 0);
    return group === undefined ? this.#options.stdin : this.#options.outputOf(group.stages.at(-1) ?? []);
  }
}

/** A value of a loop. What stands for everything in a folder is no longer a pattern in the quotes around a variable. */
function eachOf({ text, hasGlob }: ShellWord): string {
  return hasGlob
    ? text.replace(/(^|\/)\.?\*+$/, (_, start: string) => `${start === "" ? "./" : start}${UNSEEN}`)
    : text;
}

/** Loops with more values are shortened. */
const MANY_VALUES = 64;
/** What may start something that a value names, or treats its last argument differently. */
const SPECIAL = /^(?:g?cp|g?mv|ln|install|rsync|scp|\.|source)$/;

/** Whether a program is given the value of a loop just once, among its arguments. */
function usesAsFile(words: readonly WordToken[], redirects: readonly RedirectToken[], name: string): boolean {
  const program = unquotedText(words[0]);
  if (program === undefined || redirects.length > 0 || /=|^-/.test(program)) return false;
  if (SPECIAL.test(program) || SHELLS.has(program) || findWrapper(program) !== undefined) return false;
  const uses = words.flatMap(({ parts }) => parts).filter((part) => isValueOf(part, name));
  return uses.length === 1 && uses.every((part) => part.kind === "parameter" && part.parameter.operator === "");
}

/** A name of a file or a number: nothing that programs take for a subcommand or an option. */
function isPlainName(value: string): boolean {
  return /^[\w@%+,:][\w@%+,:./-]*$/.test(value) && /[\d./]/.test(value);
}

function withText(part: WordPart, name: string, text: string): WordPart {
  return isValueOf(part, name) ? { kind: "text", text, isQuoted: true } : part;
}

function usesVariable(words: readonly WordToken[], name: string): boolean {
  return words.some(({ parts }) => parts.some((part) => isValueOf(part, name)));
}

function isValueOf(part: WordPart, name: string): boolean {
  return part.kind === "parameter" && part.parameter.name === name;
}

/** A redirection with its words expanded, and its input text if it provides any. */
function expandRedirect(
  redirect: RedirectToken,
  scope: ShellScope,
): ShellRedirect & { readonly text: string | undefined } {
  const { operator, hereDocument, target } = redirect;
  if (hereDocument !== undefined) return { operator, target: undefined, text: expandToText(hereDocument.parts, scope) };
  if (operator === "<<<") return { operator, target: undefined, text: `${expandToText(target?.parts ?? [], scope)}\n` };
  return { operator, target: target && expandWord(target, scope)[0], text: undefined };
}
