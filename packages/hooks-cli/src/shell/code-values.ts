import { type CodeCall, environmentValue, joined, memberOf, resultOf } from "./code-results.ts";
import type { CodeToken } from "./code-tokens.ts";
import { UNKNOWN } from "./unknown.ts";

/** Each evaluation may go over the same tokens again. */
const MAX_STEPS = 15_000;
/** What reading code that is inserted into a text counts. */
const INSERTION_STEPS = 20;
const MAX_DEPTH = 40;
const MAX_LENGTH = 500;
/** What may precede a value without changing it. */
const PREFIX = /^(?:new|await|my|our|const|let|var|yield|return|\*|\\|\.\.\.)$/;
/** Code that is given as an argument is in the folder in which it runs. */
const PREDEFINED: readonly (readonly [string, string])[] = [
  ["__dirname", "."],
  ["__DIR__", "."],
  ["__file__", "./-"],
  ["__filename", "./-"],
  ["__FILE__", "./-"],
];

/** What is known of the values in a text of code: literals, paths that are joined, the home, files that are listed. */
export class CodeValues {
  readonly #tokens: readonly CodeToken[];
  readonly #onCall: (call: CodeCall) => void;
  readonly #read: (code: string) => readonly CodeToken[];
  readonly #variables: Map<string, string>;
  readonly #otherNames: Map<string, string>;
  readonly #parameters: Map<string, readonly string[]>;
  #at = 0;
  #depth = 0;
  #steps: { left: number };
  /** The files that were listed last: what a block is given one by one. */
  #listed = UNKNOWN;

  constructor(
    tokens: readonly CodeToken[],
    read: (code: string) => readonly CodeToken[],
    onCall: (call: CodeCall) => void,
    outer?: CodeValues,
  ) {
    this.#tokens = tokens;
    this.#read = read;
    this.#onCall = onCall;
    this.#variables = outer === undefined ? new Map(PREDEFINED) : outer.#variables;
    this.#otherNames = outer === undefined ? new Map() : outer.#otherNames;
    this.#parameters = outer === undefined ? new Map() : outer.#parameters;
    this.#steps = outer === undefined ? { left: MAX_STEPS } : outer.#steps;
    this.#depth = outer === undefined ? 0 : outer.#depth + 1;
  }

  /** Reads all of the code; variables that are used before they are set keep their values from an earlier time. */
  walk(): void {
    this.#steps.left = MAX_STEPS;
    for (let at = 0; at < this.#tokens.length && this.#steps.left > 0; at += 1) {
      this.#at = at;
      const token = this.#tokens[at];
      const before = this.#tokens[at - 1];
      // A parenthesis that is not part of a call.
      const isGroup = token?.text === "(" && token.kind === "mark" && before?.kind !== "name";
      if ((token?.kind !== "name" && !isGroup) || before?.text === "." || this.#binds(at)) continue;
      const value = this.#expression();
      // `with open(path) as file`
      if (this.#textAt(this.#at) === "as") this.#variables.set(this.#textAt(this.#at + 1) ?? "", value);
    }
  }

  /** The text of a literal, with what is inserted into it. */
  textOf(token: CodeToken): string {
    const { text, inserts } = token;
    if (inserts === undefined || text.length > MAX_LENGTH) return text;
    const insertion = inserts === "" ? /\{([^{}]*)\}/g : inserts === "$" ? /\$\{([^{}]*)\}/g : /#\{([^{}]*)\}/g;
    const filled = text.replaceAll(insertion, (_, code: string) => this.#valueIn(code));
    if (inserts !== "#") return filled;
    return filled.replaceAll(/\{?\$(ENV\{"?'?\w+'?"?\}|[A-Za-z_]\w*)\}?/g, (whole, name: string) =>
      name.startsWith("ENV") ? this.#valueIn(name) : (this.#variables.get(name) ?? whole),
    );
  }

  #valueIn(code: string): string {
    this.#steps.left -= INSERTION_STEPS;
    if (this.#depth > 2 || this.#steps.left <= 0) return UNKNOWN;
    return new CodeValues(this.#read(code), this.#read, this.#onCall, this).#expression();
  }

  #textAt(at: number): string | undefined {
    const token = this.#tokens[at];
    return token?.kind === "string" ? undefined : token?.text;
  }

  /** Takes note of other names, variables and loops. Whether it was one. */
  #binds(at: number): boolean {
    const name = this.#textAt(at) ?? "";
    const [next, after] = [this.#textAt(at + 1), this.#tokens[at + 2]];
    if ((next === "as" || next === ":") && after?.kind === "name") {
      this.#otherNames.set(after.text, name);
      return next === "as";
    }
    if (next === "=" && this.#tokens[at]?.kind === "name") {
      this.#at = at + 2;
      const value = this.#expression();
      const last = this.#tokens[this.#at - 1];
      // `remove = shutil.rmtree` is another name, too.
      if (value === UNKNOWN && last?.kind === "name") this.#otherNames.set(name, last.text);
      this.#variables.set(name, value);
      return true;
    }
    if (/^(?:def|function|sub)$/.test(name) && next !== undefined && this.#textAt(at + 2) === "(") {
      const parameters: string[] = [];
      for (let end = at + 3; this.#tokens[end] !== undefined && this.#textAt(end) !== ")" && end < at + 20; end += 1)
        if (this.#tokens[end]?.kind === "name") parameters.push(this.#textAt(end) ?? "");
      this.#parameters.set(next, parameters);
    }
    if (name !== "for" && name !== "foreach") return false;
    this.#takeLoop(at + 1);
    return true;
  }

  /** `for a, b in x`, `for (const a of x)`, `foreach (x as a)`, `for my $a (x)`. */
  #takeLoop(from: number): void {
    let at = from;
    const names: string[] = [];
    for (; at < from + 8; at += 1) {
      const token = this.#tokens[at];
      if (token?.kind === "name" && /^(?:in|of)$/.test(token.text)) break;
      if (token?.text === "(" && names.length > 0) break;
      if (token?.kind === "name" && !/^(?:const|let|var|my|await)$/.test(token.text)) names.push(token.text);
    }
    this.#at = at < from + 8 ? at + 1 : from + 1;
    const value = this.#expression();
    if (this.#textAt(this.#at) === "as") names[0] = this.#textAt(this.#at + 1) ?? "";
    const isWalk = names.length > 1;
    for (const [index, name] of names.entries()) this.#variables.set(name, isWalk && index > 0 ? "*" : value);
  }

  #expression(): string {
    if (this.#steps.left <= 0 || this.#depth > MAX_DEPTH) return UNKNOWN;
    this.#depth += 1;
    let value = this.#operand();
    for (;;) {
      const text = this.#textAt(this.#at);
      const next = this.#tokens[this.#at + 1];
      const isDot = text === "." && (next?.kind === "string" || next?.isVariable === true);
      if (text !== "+" && text !== "/" && !isDot) break;
      this.#at += 1;
      const right = this.#operand();
      value = text === "/" ? joined([value, right]) : value + right;
      if (value.length > MAX_LENGTH) value = UNKNOWN;
    }
    this.#depth -= 1;
    return value;
  }

  #operand(): string {
    this.#steps.left -= 1;
    const token = this.#tokens[this.#at];
    if (token === undefined) return UNKNOWN;
    if (token.kind === "string") {
      this.#at += 1;
      return this.#members("", this.textOf(token));
    }
    if (PREFIX.test(token.text)) {
      while (PREFIX.test(this.#textAt(this.#at) ?? "")) {
        this.#at += 1;
        this.#steps.left -= 1;
      }
      return this.#expression();
    }
    if (token.text === "(" || token.text === "[") {
      const { given } = this.#arguments(token.text === "(" ? ")" : "]");
      if (token.text === "[") this.#onCall({ name: "[]", owner: "", receiver: undefined, given, names: [] });
      return this.#members("", given.find((item) => /^(?:[/~]|\.\.|.*\.git\b)/.test(item)) ?? given[0] ?? UNKNOWN);
    }
    if (token.kind === "mark") return UNKNOWN;
    this.#at += 1;
    return this.#members(token.text, this.#variables.get(token.text));
  }

  /** What follows a name or a value: members, subscripts, calls. */
  #members(start: string, known: string | undefined): string {
    let [owner, name, value] = ["", start, known];
    for (;;) {
      this.#steps.left -= 1;
      const text = this.#textAt(this.#at) ?? "";
      const next = this.#tokens[this.#at + 1];
      if (/^(?:\.|\?\.|::|->)$/.test(text) && next?.kind === "name" && next.isVariable !== true) {
        this.#at += 2;
        if (this.#textAt(this.#at) !== "(") value = memberOf(value, name, next.text);
        [owner, name] = [name, next.text];
        this.#takeBlock(name, value);
      } else if (text === "(" && name !== "") {
        value = this.#call(owner, name, value, this.#arguments());
        [owner, name] = ["", ""];
      } else if ((text === "[" || (text === "{" && name === "ENV")) && /^(?:env|environ|ENV|_SERVER|Dir)$/.test(name)) {
        this.#at += 1;
        const key = this.#tokens[this.#at]?.kind === "name" ? (this.#textAt(this.#at) ?? "") : this.#expression();
        value = name === "Dir" ? (this.#listed = key) : environmentValue(key);
        while (this.#at < this.#tokens.length && !/^[\]}\n;]$/.test(this.#textAt(this.#at) ?? "")) this.#at += 1;
        this.#at += 1;
        name = "";
      } else break;
    }
    if (value === undefined && this.#startsArgument(owner, name)) return this.#call(owner, name, value, this.#list());
    return value ?? UNKNOWN;
  }

  /** Perl, Ruby and PHP call without parentheses. */
  #startsArgument(owner: string, name: string): boolean {
    const token = this.#tokens[this.#at];
    const isFile = /^(?:File|FileUtils|Dir)$/.test(owner);
    if (!isFile && !/^(?:unlink|rmdir|rmtree|remove_tree|rm_rf|rm_r|glob|open|truncate|system|exec)$/.test(name))
      return false;
    return (
      token?.kind === "string" ||
      (token?.kind === "name" && !/^(?:as|from|in|of|if|for|import|or|and)$/.test(token.text))
    );
  }

  #call(
    owner: string,
    name: string,
    receiver: string | undefined,
    { given, names }: Pick<CodeCall, "given" | "names">,
  ): string {
    const of = receiver === UNKNOWN ? undefined : receiver;
    const call = { name: this.#otherNames.get(name) ?? name, owner, receiver: of, given, names };
    this.#onCall(call);
    for (const [index, parameter] of (this.#parameters.get(name) ?? []).entries())
      this.#variables.set(parameter, given[index] ?? UNKNOWN);
    const value = resultOf(call);
    if (value.includes("*")) this.#listed = value;
    this.#takeBlock(name, receiver);
    return value;
  }

  /** `files.each { |file|`, `files.forEach((file) =>`: the parameter is each of the files. */
  #takeBlock(name: string, receiver: string | undefined): void {
    if (!/^(?:each|forEach|map|each_child)$/.test(name)) return;
    for (let at = this.#at; at < this.#at + 5; at += 1) {
      const token = this.#tokens[at];
      if (token?.kind !== "name" || /^(?:do|async|function)$/.test(token.text)) continue;
      this.#variables.set(token.text, receiver !== undefined && receiver !== UNKNOWN ? receiver : this.#listed);
      return;
    }
  }

  /** The arguments between parentheses, or the items between brackets. */
  #arguments(end = ")"): Pick<CodeCall, "given" | "names"> {
    this.#at += 1;
    const list = this.#list(end);
    this.#at += 1;
    return list;
  }

  #list(end?: string): Pick<CodeCall, "given" | "names"> {
    const given: string[] = [];
    const names: string[] = [];
    const isEnd = (text: string | undefined): boolean =>
      end === undefined ? /^[\n;)}]$/.test(text ?? "") : text === end;
    while (this.#at < this.#tokens.length && this.#steps.left > 0 && !isEnd(this.#textAt(this.#at))) {
      this.#steps.left -= 1;
      const isNamed = this.#tokens[this.#at]?.kind === "name" && /^[=:]$/.test(this.#textAt(this.#at + 1) ?? "");
      if (isNamed) {
        names.push(this.#textAt(this.#at) ?? "");
        this.#at += 2;
      }
      const from = this.#at;
      const value = this.#expression();
      if (this.#at > from && (!isNamed || names.at(-1) === "mode")) given.push(value);
      // What is no expression is skipped up to the next argument.
      let depth = 0;
      for (; this.#at < this.#tokens.length; this.#at += 1) {
        this.#steps.left -= 1;
        const text = this.#textAt(this.#at) ?? "";
        if (depth === 0 && (text === "," || isEnd(text))) break;
        if (/^[([{]$/.test(text)) depth += 1;
        if (/^[)\]}]$/.test(text)) depth -= 1;
        if (text === "recursive") names.push(text);
        // A call in what is skipped, such as the body of a function.
        if (depth > 0 && this.#tokens[this.#at]?.kind === "name" && this.#textAt(this.#at + 1) === "for") break;
      }
      if (this.#textAt(this.#at) === ",") this.#at += 1;
    }
    return { given, names };
  }
}
