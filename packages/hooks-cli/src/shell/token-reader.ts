import { ScriptCursor, type TokenBudget } from "./script-cursor.ts";
import type { RedirectToken, ShellToken, ShellTokens, WordPart, WordToken } from "./shell-token.ts";
import { unquotedText } from "./shell-token.ts";
import { readBalanced, readQuotedParts, readWordParts } from "./word-reader.ts";

/** A word without anything special in it, with the space that ends it. Most words are. */
const PLAIN_WORD = /[\w./:@%+,-]+(?=[ \t])/y;
const BLANK = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
const REDIRECT = /(?:[0-9]+|\{[A-Za-z_]\w*\})?(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>|&>|<(?!\()|>(?!\())/y;
const OPERATOR = /;;&|;;|;&|&&|\|\||\|&|[;&|()\n]/y;
/** The characters that start whitespace, a comment, a redirection or an operator; any other character starts a word. */
const MARKS = new Set(" \t\r\n\\#0123456789{<>&;|()");
/** Words after which another command starts. */
const BEFORE_COMMAND = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time", "coproc"]);

interface HereDocument {
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly isIndented: boolean;
  readonly target: { parts: readonly WordPart[] };
}

/**
 * Splits a shell script into words, operators and redirections. Never throws; unreadable parts are reported as a problem.
 */
export function tokenize(script: string, budget: TokenBudget): ShellTokens {
  const cursor = new ScriptCursor(script, (nested) => readTokens(nested, ")"), budget);
  const tokens = readTokens(cursor, "");
  return { tokens, problem: cursor.problem, isCutOff: cursor.isCutOff };
}

/** Reads up to an unmatched closing parenthesis if `end` is one, otherwise to the end. Does not consume it. */
function readTokens(cursor: ScriptCursor, end: ")" | ""): readonly ShellToken[] {
  return new TokenReader(cursor, end).read();
}

class TokenReader {
  readonly #cursor: ScriptCursor;
  readonly #end: ")" | "";
  readonly #tokens: ShellToken[] = [];
  readonly #pending: HereDocument[] = [];
  #parentheses = 0;
  #cases = 0;

  constructor(cursor: ScriptCursor, end: ")" | "") {
    this.#cursor = cursor;
    this.#end = end;
  }

  read(): readonly ShellToken[] {
    const cursor = this.#cursor;
    while (!cursor.isAtEnd && cursor.takeToken()) {
      if (this.#takePlainWord()) continue;
      if (!MARKS.has(cursor.peek())) {
        this.#readWord();
        continue;
      }
      if (cursor.match(BLANK) !== undefined || cursor.match(COMMENT) !== undefined) continue;
      const redirect = cursor.match(REDIRECT);
      if (redirect !== undefined) {
        this.#readRedirect(redirect.replace(/^(?:[0-9]+|\{\w+\})/, ""));
        continue;
      }
      if (cursor.startsWith("((") && this.#mayCompute() && this.#skipArithmetic()) continue;
      if (this.#end !== "" && this.#isClosed()) return this.#tokens;
      const operator = cursor.match(OPERATOR);
      if (operator === undefined) this.#readWord();
      else this.#addOperator(operator);
    }
    return this.#tokens;
  }

  #takePlainWord(): boolean {
    const text = this.#cursor.match(PLAIN_WORD);
    if (text === undefined) return false;
    if (text === "case" && this.#isCommandStart()) this.#cases += 1;
    if (text === "esac" && this.#cases > 0) this.#cases -= 1;
    this.#tokens.push({ kind: "word", parts: [{ kind: "text", text, isQuoted: false }] });
    this.#cursor.at += 1;
    return true;
  }

  /** Whether the parenthesis here closes the script, rather than a subshell or a `case` pattern in it. */
  #isClosed(): boolean {
    return this.#cursor.peek() === ")" && this.#parentheses === 0 && this.#cases === 0;
  }

  #addOperator(text: string): void {
    if (text === "(") this.#parentheses += 1;
    if (text === ")" && this.#parentheses > 0) this.#parentheses -= 1;
    this.#tokens.push({ kind: "operator", text });
    if (text === "\n") for (const document of this.#pending.splice(0)) this.#readHereDocument(document);
  }

  #readWord(): void {
    const before = this.#cursor.at;
    const parts = readWordParts(this.#cursor);
    if (this.#cursor.at === before) {
      // Nothing accepted this character, so it is taken literally: the reader must always advance.
      this.#tokens.push({ kind: "word", parts: [{ kind: "text", text: this.#cursor.next(), isQuoted: false }] });
      return;
    }
    const word: WordToken = { kind: "word", parts };
    const isCommand = this.#isCommandStart();
    const text = unquotedText(word);
    if (text === "case" && isCommand) this.#cases += 1;
    if (text === "esac" && this.#cases > 0) this.#cases -= 1;
    const isArray = text !== undefined && /^[A-Za-z_]\w*\+?=$/.test(text) && this.#cursor.peek() === "(";
    this.#tokens.push(isArray ? { ...word, elements: this.#readElements() } : word);
  }

  #readElements(): readonly WordToken[] {
    this.#cursor.at += 1;
    const tokens = this.#cursor.nested(() => readTokens(this.#cursor, ")"), []);
    if (!this.#cursor.take(")")) this.#cursor.fail("unclosed parenthesis");
    return tokens.filter((token) => token.kind === "word");
  }

  #isCommandStart(): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === "operator") return true;
    return BEFORE_COMMAND.has(unquotedText(last) ?? "");
  }

  #mayCompute(): boolean {
    return this.#isCommandStart() || unquotedText(this.#tokens.at(-1)) === "for";
  }

  /** `((…))` as a command computes, and runs nothing but the substitutions in it. */
  #skipArithmetic(): boolean {
    const start = this.#cursor.at;
    const inner = readBalanced(this.#cursor);
    if (inner?.startsWith("(") !== true || !inner.endsWith(")")) {
      this.#cursor.at = start;
      this.#cursor.takeToken(100);
      return false;
    }
    const parts = readQuotedParts(this.#cursor.within(inner.slice(1, -1)), "");
    this.#tokens.push({ kind: "word", parts: [{ kind: "text", text: ":", isQuoted: true }] });
    this.#tokens.push({ kind: "word", parts: [{ kind: "arithmetic", parts }] });
    return true;
  }

  #readRedirect(operator: string): void {
    this.#cursor.match(BLANK);
    const parts = readWordParts(this.#cursor);
    const target: WordToken | undefined = parts.length === 0 ? undefined : { kind: "word", parts };
    if (operator !== "<<" && operator !== "<<-") {
      this.#tokens.push({ kind: "redirect", operator, target });
      return;
    }
    const hereDocument: NonNullable<RedirectToken["hereDocument"]> = { parts: [] };
    this.#tokens.push({ kind: "redirect", operator: "<<", target: undefined, hereDocument });
    this.#pending.push({
      delimiter: parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
      isLiteral: parts.some((part) => part.kind === "text" && part.isQuoted),
      isIndented: operator === "<<-",
      target: hereDocument,
    });
  }

  #readHereDocument({ delimiter, isLiteral, isIndented, target }: HereDocument): void {
    const lines: string[] = [];
    const cursor = this.#cursor;
    while (!cursor.isAtEnd) {
      const end = cursor.text.indexOf("\n", cursor.at);
      const line = cursor.text.slice(cursor.at, end === -1 ? undefined : end);
      cursor.at = end === -1 ? cursor.text.length : end + 1;
      const content = isIndented ? line.replace(/^\t+/, "") : line;
      if (content === delimiter) break;
      lines.push(`${content}\n`);
    }
    const text = lines.join("");
    target.parts = isLiteral ? [{ kind: "text", text, isQuoted: true }] : readQuotedParts(cursor.within(text), "");
  }
}
