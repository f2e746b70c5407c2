import { isScalar, visit, type Scalar } from "yaml";
import type { MarkdownParts } from "./frontmatter.ts";
import { wikiRange, type LinkRange } from "./link-ranges.ts";

const WIKI_LINK = /\[\[([^[\]\n]{1,2100})\]\]/g;
/** More than any person writes. */
const MAX_LINKS = 1_000;

/** How characters are written in a text of the frontmatter. */
export type PropertyQuotes = "single" | "double" | "none";

/** A wiki link in a property. */
export interface PropertyLink extends LinkRange {
  readonly quotes: PropertyQuotes;
}

/** The wiki links in the texts of the frontmatter, such as `up: "[[Home]]"`, in order; not those in names of properties. */
export function findPropertyLinks({ block }: Pick<MarkdownParts, "block">): PropertyLink[] {
  const links: PropertyLink[] = [];
  if (block === null || !block.yaml.includes("[[")) return links;
  visit(block.document, {
    Scalar(key, node) {
      if (links.length >= MAX_LINKS) return visit.BREAK;
      if (key !== "key" && isText(node)) links.push(...linksIn(node, block));
      return undefined;
    },
  });
  return links;
}

function isText(node: Scalar): boolean {
  return isScalar(node) && typeof node.value === "string" && node.range != null;
}

function* linksIn(node: Scalar, { yaml, start }: NonNullable<MarkdownParts["block"]>): Generator<PropertyLink> {
  const [from, to] = node.range ?? [0, 0];
  const quotes = quotesOf(node);
  const raw = yaml.slice(from, to);
  for (const { 1: inner = "", index } of raw.matchAll(WIKI_LINK)) {
    // Other escapes are written by no program for a name.
    if (quotes === "double" && /\\[^"\\]|\\$/.test(inner)) continue;
    const at = from + index + 2;
    const range = wikiRange(yaml, at, at + inner.length);
    if (range === null) continue;
    const { target, part } = range;
    yield {
      ...range,
      start: start + range.start,
      end: start + range.end,
      target: readProperty(target, quotes),
      part: readProperty(part, quotes),
      quotes,
    };
  }
}

function quotesOf({ type }: Scalar): PropertyQuotes {
  if (type === "QUOTE_SINGLE") return "single";
  return type === "QUOTE_DOUBLE" ? "double" : "none";
}

function readProperty(written: string, quotes: PropertyQuotes): string {
  if (quotes === "single") return written.replaceAll("''", "'");
  return quotes === "double" ? written.replaceAll(/\\(["\\])/g, "$1") : written;
}

/** A text as it is written between the quotes of a property. */
export function writeProperty(text: string, quotes: PropertyQuotes): string {
  if (quotes === "single") return text.replaceAll("'", "''");
  return quotes === "double" ? text.replaceAll(/["\\]/g, "\\$&") : text;
}
