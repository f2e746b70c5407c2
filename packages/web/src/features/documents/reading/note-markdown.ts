import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from "marked";
import { findWikiLinks } from "../wiki-links.ts";
import { escapeHtml } from "./escape-html.ts";

/** The longest possible wiki-link. */
const MAX_WIKI_LINK = 2_100;
/** Rows with fewer cells than the header are padded, so a short text can request a great many cells. */
const MAX_TABLE_CELLS = 300_000;
/**
 * The limit for the total length of link addresses, as a multiple of the text's: a definition can be used any number of
 * times.
 */
const MAX_URL_SHARE = 4;
const MIN_URL_LIMIT = 1_000_000;
const DELIMITER_ROW = /^[ |:-]+$/;

const wikiLinks: TokenizerAndRendererExtension = {
  name: "wikiLink",
  level: "inline",
  start: (source) => {
    const at = source.indexOf("[[");
    if (at < 0) return undefined;
    return source.charAt(at - 1) === "!" ? at - 1 : at;
  },
  tokenizer: (source) => {
    if (!source.startsWith("[[") && !source.startsWith("![[")) return undefined;
    const [link] = findWikiLinks(source.slice(0, MAX_WIKI_LINK));
    if (link?.from !== 0) return undefined;
    return { type: "wikiLink", raw: source.slice(0, link.to) };
  },
  renderer: ({ raw }) => {
    const [link] = findWikiLinks(raw);
    if (link === undefined) return escapeHtml(raw);
    const { target, part, label, isEmbed } = link;
    return isEmbed
      ? `<img src="${encodeURI(target.toWellFormed())}" alt="${escapeHtml(label ?? target)}">`
      : `<a data-wiki="${escapeHtml(target)}" data-part="${escapeHtml(part)}">${escapeHtml(label ?? target)}</a>`;
  },
};

/** The index of the task that a checkbox belongs to, counted from 0. */
const taskNumbers = new WeakMap<Token, number>();

/** The Markdown of notes. Its HTML is not sanitised; task checkboxes carry their index in `data-task`. */
export const noteMarkdown = new Marked({
  gfm: true,
  async: false,
  extensions: [wikiLinks],
  tokenizer: {
    // Undefined means that this is not a table; false falls back to the default Markdown rules.
    table: (source) => (cellsOfTable(source) > MAX_TABLE_CELLS ? undefined : false),
  },
  renderer: {
    code: ({ lang, text }: Tokens.Code) =>
      lang?.trim().toLowerCase() === "query" && `<pre data-language="query">${escapeHtml(text)}</pre>`,
    checkbox: (token: Tokens.Checkbox) =>
      `<input type="checkbox"${token.checked ? ' checked=""' : ""} data-task="${taskNumbers.get(token) ?? ""}"> `,
  },
});

/**
 * Parses a text, and numbers its tasks. Throws if the text is nested too deeply, or if its HTML would be disproportionately
 * long. May take minutes.
 */
export function readMarkdown(text: string): readonly Token[] {
  const tokens = noteMarkdown.lexer(text);
  const maxUrlCharacters = Math.max(MIN_URL_LIMIT, text.length * MAX_URL_SHARE);
  let [tasks, urlCharacters] = [0, 0];
  void noteMarkdown.walkTokens(tokens, (token) => {
    if (token.type === "checkbox") taskNumbers.set(token, tasks++);
    if (token.type !== "link" && token.type !== "image") return;
    urlCharacters += String(token["href"]).length + String(token["title"] ?? "").length;
    if (urlCharacters > maxUrlCharacters) throw new RangeError("The addresses in the text are too long.");
  });
  return tokens;
}

/** How many cells a table at the beginning of a text would have; 0 if there is none. */
function cellsOfTable(source: string): number {
  const headerEnd = source.indexOf("\n");
  const delimiterEnd = source.indexOf("\n", headerEnd + 1);
  if (headerEnd < 0 || delimiterEnd < 0) return 0;
  if (!DELIMITER_ROW.test(source.slice(headerEnd + 1, delimiterEnd))) return 0;
  const end = source.indexOf("\n\n", delimiterEnd);
  const rows = countOf("\n", end < 0 ? source : source.slice(0, end));
  return rows * (countOf("|", source.slice(0, headerEnd)) + 1);
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
