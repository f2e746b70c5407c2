import type { TokenizerAndRendererExtension } from "marked";
import { escapeHtml } from "../escape-html.ts";
import { anchorFor } from "./heading-anchors.ts";

/** A wiki-link in a text: `[[target]]` or `[[target#part|label]]`, with `!` before it to embed the target. */
export interface WikiLink {
  readonly from: number;
  readonly to: number;
  readonly target: string;
  /** What follows the target up to the label: usually a heading or a block, unless it belongs to a path with `#` in it. */
  readonly part: string;
  /** The text to show; null to show the target itself. */
  readonly label: string | null;
  readonly isEmbed: boolean;
}

const WIKI_LINK = /(!?)\[\[([^[\]|#^\n]{1,1000})((?:[#^][^[\]|\n]{0,500})?)(?:\|([^[\]\n]{0,500}))?\]\]/g;
/** One at the beginning of a text. */
const FIRST_WIKI_LINK = new RegExp(`^${WIKI_LINK.source}`);
/** One to a heading of the same text: `[[#Goals]]`, or `[[#Plan#Goals|the goals]]` to one below another. */
const OWN_HEADING = /^\[\[#([^[\]|^\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/;
/** The label of an embedded image may be the width to show it with. */
const WIDTH = /^(\d{1,4})(?:x\d{1,4})?$/;

/** Finds the wiki-links of a text, with `offset` added to their positions. Follows the same rules as the server. */
export function findWikiLinks(text: string, offset = 0): WikiLink[] {
  return Array.from(text.matchAll(WIKI_LINK), (found) => toWikiLink(found, offset));
}

function toWikiLink(found: RegExpExecArray, offset: number): WikiLink {
  const { 0: whole, 1: mark, 2: target = "", 3: part = "", 4: label, index } = found;
  return {
    from: offset + index,
    to: offset + index + whole.length,
    target: (part === "" ? withoutEscape(target, label) : target).trim(),
    part: withoutEscape(part, label),
    label: label === undefined || label.trim() === "" ? null : label.trim(),
    isEmbed: mark === "!",
  };
}

function firstWikiLink(text: string): WikiLink | null {
  const found = FIRST_WIKI_LINK.exec(text);
  return found === null ? null : toWikiLink(found, 0);
}

/** In a table, the bar before a label is escaped. */
function withoutEscape(text: string, label: string | undefined): string {
  return label !== undefined && text.endsWith("\\") ? text.slice(0, -1) : text;
}

/** A file that is no note, which is embedded as an image. Names of notes may contain dots, but not before a word at their end. */
const EMBEDDED_FILE = /\.(?!md$|markdown$)[a-z][a-z\d]{1,4}$/i;

/** Wiki-links as links with `data-wiki` and `data-part`, or to a heading here; embedded images as such, and other embeds as links to what they name. */
export const wikiLinks: TokenizerAndRendererExtension = {
  name: "wikiLink",
  level: "inline",
  start: (source) => {
    const at = source.indexOf("[[");
    if (at < 0) return undefined;
    return source.charAt(at - 1) === "!" ? at - 1 : at;
  },
  tokenizer: (source) => {
    const raw = OWN_HEADING.exec(source)?.[0] ?? source.slice(0, firstWikiLink(source)?.to ?? 0);
    return raw === "" ? undefined : { type: "wikiLink", raw };
  },
  renderer: ({ raw }) => {
    const own = OWN_HEADING.exec(raw);
    if (own !== null) return toOwnHeading(own);
    const link = firstWikiLink(raw);
    if (link === null) return escapeHtml(raw);
    const { target, part, label, isEmbed } = link;
    if (isEmbed && EMBEDDED_FILE.test(target)) return toImage(target, label);
    const words = label === null || (isEmbed && WIDTH.test(label)) ? target : label;
    return `<a data-wiki="${escapeHtml(target)}" data-part="${escapeHtml(part)}">${escapeHtml(words)}</a>`;
  },
};

function toOwnHeading([, heading = "", label]: RegExpExecArray): string {
  const written = withoutEscape(heading, label).trim();
  const anchor = anchorFor(written.slice(written.lastIndexOf("#") + 1));
  return `<a href="#${encodeURIComponent(anchor)}">${escapeHtml(label?.trim() || written)}</a>`;
}

function toImage(target: string, label: string | null): string {
  const [, width] = WIDTH.exec(label ?? "") ?? [];
  const words = width === undefined ? (label ?? target) : target;
  const size = width === undefined ? "" : ` width="${width}"`;
  return `<img src="${encodeURI(target.toWellFormed())}" alt="${escapeHtml(words)}"${size}>`;
}
