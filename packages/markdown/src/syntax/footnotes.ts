import type { Token, TokenizerAndRendererExtension } from "marked";
import { escapeHtml } from "../escape-html.ts";
import { blocksOf } from "./blocks.ts";
import { startOf } from "./marked-text.ts";

const REFERENCE = /^\[\^([^\]\s^]{1,100})\]/;
const DEFINITION = /^ {0,3}\[\^([^\]\s^]{1,100})\]:[ \t]*/;
const INDENTED = /^(?: {2,4}|\t)(?=\S)/;
/** Of a note that is referred to more often, only so many references are linked from it. */
const MAX_BACK_LINKS = 20;

/** A footnote that is referred to. */
export interface Footnote {
  readonly number: number;
  readonly tokens: Token[];
  readonly raw: string;
  /** How many references there are. */
  references: number;
}

/** A reference to a footnote: its number, and which of the references to it this is. */
interface Reference {
  readonly footnote: number;
  readonly occurrence: number;
}

/** References that refer to something; the others are shown as they were written. */
const referenceOf = new WeakMap<Token, Reference>();

interface DefinitionToken {
  readonly type: "footnote";
  readonly raw: string;
  readonly label: string;
  readonly tokens: Token[];
}

function isDefinition(token: Token): token is Token & DefinitionToken {
  return token.type === "footnote";
}

/** `[^label]`, as the number of a footnote. */
export const footnoteReferences: TokenizerAndRendererExtension = {
  name: "footnoteReference",
  level: "inline",
  start: (source) => startOf(source, "[^"),
  tokenizer(source) {
    const [raw, label] = REFERENCE.exec(source) ?? [];
    return raw === undefined ? undefined : { type: "footnoteReference", raw, label };
  },
  renderer(token) {
    const reference = referenceOf.get(token);
    if (reference === undefined) return escapeHtml(token.raw);
    const { footnote, occurrence } = reference;
    return `<sup><a href="#fn-${footnote}" data-anchor="${referenceAnchor(footnote, occurrence)}">${footnote}</a></sup>`;
  },
};

/** `[^label]: text`, with further lines that are indented. It is shown at the end of the text. */
export const footnoteDefinitions: TokenizerAndRendererExtension = {
  name: "footnote",
  level: "block",
  childTokens: ["tokens"],
  tokenizer(source) {
    const [opening, label] = DEFINITION.exec(source) ?? [];
    if (opening === undefined || label === undefined) return undefined;
    const { end, lines } = readLines(source, opening.length);
    return { type: "footnote", raw: source.slice(0, end), label, tokens: blocksOf(this.lexer, lines.join("\n")) };
  },
  renderer: () => "",
};

/** The lines of a definition: up to the first empty line after which nothing is indented. */
function readLines(source: string, from: number): { end: number; lines: string[] } {
  const lines: string[] = [];
  let [at, end] = [from, from];
  while (at < source.length) {
    const found = source.indexOf("\n", at);
    const lineEnd = found < 0 ? source.length : found + 1;
    const line = source.slice(at, lineEnd).trimEnd();
    const isEmpty = line === "" && lines.length > 0;
    const isFirst = lines.length === 0;
    const isContinued = lines.at(-1) !== "" && !DEFINITION.test(line);
    if (!isFirst && !isEmpty && !INDENTED.test(line) && !isContinued) break;
    lines.push(line.replace(INDENTED, ""));
    if (!isEmpty) end = lineEnd;
    at = lineEnd;
  }
  return { end, lines };
}

/** Numbers the footnotes of a text in the order in which they are first referred to. */
export class FootnoteNumbers {
  readonly #definitions = new Map<string, DefinitionToken>();
  readonly #footnotes = new Map<string, Footnote>();

  /** To be called for every block of the text, in order, before the first reference is added. */
  define(token: Token): void {
    if (!isDefinition(token)) return;
    const key = keyOf(token.label);
    if (!this.#definitions.has(key)) this.#definitions.set(key, token);
  }

  /** To be called for every token of the text, in order. */
  add(token: Token): void {
    if (token.type !== "footnoteReference") return;
    const key = keyOf(String(token["label"]));
    const definition = this.#definitions.get(key);
    if (definition === undefined) return;
    const { tokens, raw } = definition;
    const footnote = this.#footnotes.get(key) ?? { number: this.#footnotes.size + 1, tokens, raw, references: 0 };
    footnote.references += 1;
    this.#footnotes.set(key, footnote);
    referenceOf.set(token, { footnote: footnote.number, occurrence: footnote.references });
  }

  /** The footnotes that have been referred to. */
  known(): Footnote[] {
    return [...this.#footnotes.values()];
  }
}

function keyOf(label: string): string {
  return label.toLowerCase();
}

/** A footnote's item in the list at the end, with links back to its references. */
export function footnoteItem({ number, tokens, references }: Footnote, parse: (tokens: Token[]) => string): string {
  const shown = Math.min(references, MAX_BACK_LINKS);
  const links = Array.from({ length: shown }, (_, index) => {
    const place = index === 0 ? "" : `<sup>${index + 1}</sup>`;
    return `<a href="#${referenceAnchor(number, index + 1)}" title="Back to the text">↩${place}</a>`;
  }).join(" ");
  const last = tokens.at(-1);
  const isParagraph = last?.type === "paragraph";
  const content = parse(isParagraph ? tokens.slice(0, -1) : tokens);
  const ending = isParagraph ? parse([last]).replace(/<\/p>\s*$/, ` ${links}</p>`) : `<p>${links}</p>`;
  return `<li data-anchor="fn-${number}">${content}${ending}</li>`;
}

function referenceAnchor(footnote: number, occurrence: number): string {
  return occurrence === 1 ? `fnref-${footnote}` : `fnref-${footnote}-${occurrence}`;
}
