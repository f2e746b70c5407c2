/** A part of a word, as the shell reads it before any expansion. */
export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "parameter"; readonly parameter: Parameter; readonly isQuoted: boolean }
  /** `$(…)` and backticks, which contain a script of their own. */
  | { readonly kind: "command"; readonly script: string; readonly isQuoted: boolean }
  /** `<(…)` and `>(…)`. */
  | { readonly kind: "process"; readonly script: string }
  /** `$((…))`, whose value is not computed here. */
  | { readonly kind: "arithmetic"; readonly parts: readonly WordPart[] };

/** `$name`, `${name}`, `${name:-word}` and the like. */
export interface Parameter {
  readonly name: string;
  /** `:-`, `##`, `/` and so on; empty for the plain value. */
  readonly operator: string;
  readonly argument: readonly WordPart[];
  /** `@`, `*` or an index, for arrays. */
  readonly subscript: string | undefined;
}

export interface WordToken {
  readonly kind: "word";
  readonly parts: readonly WordPart[];
  /** `name=(a b c)`: the words in the parentheses. */
  readonly elements?: readonly WordToken[];
}

export interface OperatorToken {
  readonly kind: "operator";
  readonly text: string;
}

export interface RedirectToken {
  readonly kind: "redirect";
  readonly operator: string;
  readonly target: WordToken | undefined;
  /** The text of a here-document, filled in once its lines have been read. */
  readonly hereDocument?: { parts: readonly WordPart[] };
}

export type ShellToken = WordToken | OperatorToken | RedirectToken;

export interface ShellTokens {
  readonly tokens: readonly ShellToken[];
  /** Set if the text could not be fully understood as a shell script; the tokens are then a best effort. */
  readonly problem: string | undefined;
  /** Whether something in it is nested too deeply to be read. */
  readonly isCutOff: boolean;
}

/** The text of a word that consists only of unquoted characters; only such a word can be a keyword. */
export function unquotedText(token: ShellToken | undefined): string | undefined {
  if (token?.kind !== "word" || token.elements !== undefined) return undefined;
  let text = "";
  for (const part of token.parts) {
    if (part.kind !== "text" || part.isQuoted) return undefined;
    text += part.text;
  }
  return text;
}
