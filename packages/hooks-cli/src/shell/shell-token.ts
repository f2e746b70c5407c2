/** A piece of a word, as the shell reads it before anything is expanded. */
export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "parameter"; readonly parameter: Parameter; readonly isQuoted: boolean }
  /** `$(…)` and backticks; what is inside is a script of its own. */
  | { readonly kind: "command"; readonly script: string; readonly isQuoted: boolean }
  /** `<(…)` and `>(…)`. */
  | { readonly kind: "process"; readonly script: string }
  /** `$((…))`, whose value is not computed here. */
  | { readonly kind: "arithmetic"; readonly parts: readonly WordPart[] };

/** `$name`, `${name}`, `${name:-word}` and their like. */
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
  /** The text of a here-document, filled in when its lines have been read. */
  readonly hereDocument?: { parts: readonly WordPart[] };
}

export type ShellToken = WordToken | OperatorToken | RedirectToken;

export interface ShellTokens {
  readonly tokens: readonly ShellToken[];
  /** Set when the text is no shell script as far as it was understood; the tokens are a best effort then. */
  readonly problem: string | undefined;
}

/** The text of a word that is nothing but unquoted characters, which only such a word can be a keyword by. */
export function bareText(token: ShellToken | undefined): string | undefined {
  if (token?.kind !== "word" || token.elements !== undefined) return undefined;
  let text = "";
  for (const part of token.parts) {
    if (part.kind !== "text" || part.isQuoted) return undefined;
    text += part.text;
  }
  return text;
}
