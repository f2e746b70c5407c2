import { Marked } from "marked";
import sanitizeHtml, { type Attributes, type IOptions, type Tag } from "sanitize-html";
import { escapeHtml } from "../http/escape-html.ts";
import { isImage } from "./media-type.ts";

const EXTERNAL_LINK = /^(?:https?:\/\/|mailto:)/i;
const EMBED = /^!\[\[([^[\]|#\n]{0,999}[^[\]|#\n\\])(?:\\?[#|][^[\]\n]{0,1000})?\]\]/;
const WIKI_LINK = /^\[\[([^[\]|#\n]{0,1000})(?:#[^[\]|\n]{0,1000})?(?:\|([^[\]\n]{1,1000}))?\]\]/;

const ALLOWED_TAGS =
  "h1 h2 h3 h4 h5 h6 p br hr div span blockquote pre code kbd em i strong b del s ins u mark sub sup small abbr details " +
  "summary ul ol li dl dt dd table thead tbody tfoot tr th td caption a img input";

export interface RenderOptions {
  /** The URL of a file of the vault that the text embeds, given its target in the text. */
  readonly toFileUrl: (target: string) => string;
}

/**
 * Renders Markdown as inert HTML: no scripts, styles, frames or forms, and nothing is loaded from elsewhere. Links to the web are
 * kept; images from the web become links to them; links into the vault become text, because their targets are not shared. Null
 * if the text is too deeply nested to be rendered. Some texts take minutes: see `render-thread.ts`.
 */
export function renderMarkdown(text: string, options: RenderOptions): string | null {
  let html: string;
  try {
    html = marked.parse(text, { async: false });
  } catch {
    return null;
  }
  return sanitizeHtml(html, sanitizerOptions(options));
}

const marked = new Marked({
  gfm: true,
  extensions: [
    {
      name: "embed",
      level: "inline",
      start: (source) => source.indexOf("![["),
      tokenizer(source) {
        const match = EMBED.exec(source);
        return match === null ? undefined : { type: "embed", raw: match[0], target: (match[1] ?? "").trim() };
      },
      renderer: (token) => toImageTag(String(token["target"])),
    },
    {
      name: "wikiLink",
      level: "inline",
      start: (source) => source.indexOf("[["),
      tokenizer(source) {
        const match = WIKI_LINK.exec(source);
        return match === null
          ? undefined
          : { type: "wikiLink", raw: match[0], text: (match[2] ?? match[1] ?? "").trim() };
      },
      renderer: (token) => escapeHtml(String(token["text"])),
    },
  ],
});

/** Sanitised later, with the rest of the HTML. */
function toImageTag(target: string): string {
  return isImage(target) ? `<img src="${escapeHtml(target)}" alt="${escapeHtml(target)}">` : escapeHtml(target);
}

function sanitizerOptions({ toFileUrl }: RenderOptions): IOptions {
  return {
    allowedTags: ALLOWED_TAGS.split(" "),
    allowedAttributes: {
      a: ["href", "rel", "title"],
      img: ["src", "alt", "title", "loading"],
      input: ["type", "checked", "disabled", "aria-label"],
      ol: ["start"],
      th: ["align"],
      td: ["align"],
      abbr: ["title"],
    },
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nestingLimit: 200,
    transformTags: {
      a: (_name, attributes) => toLink(attributes),
      img: (_name, attributes) => toImage(attributes, toFileUrl),
      input: (_name, attributes) => toCheckbox(attributes),
    },
  };
}

function toLink({ href = "", title }: Attributes): Tag {
  if (!EXTERNAL_LINK.test(href)) return { tagName: "span", attribs: {} };
  return {
    tagName: "a",
    attribs: { href, rel: "noopener noreferrer nofollow ugc", ...(title !== undefined && { title }) },
  };
}

/** The checkbox of a task; no other input is allowed. */
function toCheckbox({ checked }: Attributes): Tag {
  const state: Attributes = checked === undefined ? { "aria-label": "To do" } : { checked: "", "aria-label": "Done" };
  return { tagName: "input", attribs: { type: "checkbox", disabled: "", ...state } };
}

function toImage({ src = "", alt = "", title }: Attributes, toFileUrl: RenderOptions["toFileUrl"]): Tag {
  if (EXTERNAL_LINK.test(src)) return { ...toLink({ href: src }), text: alt === "" ? src : alt };
  const target = decode(src.slice(0, (src + "?").search(/[?#]/)));
  if (!isImage(target)) return { tagName: "span", attribs: {}, text: alt };
  return {
    tagName: "img",
    attribs: { src: toFileUrl(target), alt, loading: "lazy", ...(title !== undefined && { title }) },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
