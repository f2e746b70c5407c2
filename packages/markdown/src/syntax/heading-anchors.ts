import type { Token, Tokens } from "marked";

const MAX_ANCHOR = 100;
const LEFT_OUT = /[^\p{L}\p{M}\p{N}\s_-]/gu;

const anchorOf = new WeakMap<Token, string>();

/** The anchor of a heading, as links of GitHub write it; undefined unless {@link HeadingAnchors} has seen it. */
export function headingAnchor(token: Tokens.Heading): string | undefined {
  return anchorOf.get(token);
}

/** Gives each heading of a text an anchor of its own. */
export class HeadingAnchors {
  readonly #counts = new Map<string, number>();

  add(token: Token): void {
    if (token.type !== "heading") return;
    const short = anchorFor(plainText(token));
    const count = this.#counts.get(short) ?? 0;
    this.#counts.set(short, count + 1);
    anchorOf.set(token, count === 0 ? short : `${short}-${count}`);
  }
}

/** The anchor of the first heading with these words. */
export function anchorFor(words: string): string {
  const anchor = words.toLowerCase().replace(LEFT_OUT, "").trim().replaceAll(/\s/g, "-");
  return anchor.slice(0, MAX_ANCHOR);
}

function plainText(token: Token): string {
  if ("tokens" in token) return (token.tokens ?? []).map(plainText).join("");
  return "text" in token ? String(token.text) : token.raw;
}
