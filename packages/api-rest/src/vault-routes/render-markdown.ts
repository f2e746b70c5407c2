import { BLOCK_TAGS, MATH_POLICY, readFigures, renderNote, TEXT_POLICY } from "@workspace/markdown";
import { codePartsHtml, renderFigure } from "@workspace/markdown/figures";
import sanitizeHtml, { type Attributes, type IOptions, type Tag } from "sanitize-html";
import { escapeHtml } from "../http/escape-html.ts";
import { isImage } from "./media-type.ts";

const EXTERNAL_LINK = /^(?:https?:\/\/|mailto:)/i;
const INTERNAL_LINK = /^#[^\s"'<>]{1,150}$/;
/** A longer text of a diagram would not fit into the URL of its frame; the dashboard draws none that is longer either. */
const MAX_DIAGRAM = 8_000;

/** What is not rendered within this time, and what is beyond this length, is shown as it was written. Sanitising takes as long again. */
const BUDGET_MS = 1_000;
const MAX_RENDERED = 512 * 1024;

export interface RenderOptions {
  /** The URL of a file of the vault that the text embeds, given its target in the text. */
  readonly toFileUrl: (target: string) => string;
  /** The path below which the server is; by default the root of its host. */
  readonly basePath?: string;
}

/**
 * Renders Markdown as inert HTML: no scripts, styles or forms, and nothing is loaded from elsewhere. Links to the web are kept;
 * images from the web become links to them; links into the vault become text, because their targets are not shared. The only
 * frames are those that draw diagrams. Null if the text is too deeply nested to be rendered. Takes up to some seconds: see
 * `render-thread.ts`.
 */
export async function renderMarkdown(text: string, options: RenderOptions): Promise<string | null> {
  const end = performance.now() + BUDGET_MS;
  let html: string;
  try {
    html = renderNote(text, { isOver: () => performance.now() > end, maxCharacters: MAX_RENDERED });
  } catch {
    return null;
  }
  return withFigures(sanitizeHtml(html, sanitizerOptions(options)), options.basePath ?? "");
}

/** Sanitised HTML with figures in the places of their texts. What makes them escapes all text and is sanitised itself. */
async function withFigures(html: string, basePath: string): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  for (const figure of readFigures(html)) {
    const shown = figure.kind === "mermaid" ? frameOf(figure.source, basePath) : await showFigure(figure);
    if (shown === null) continue;
    parts.push(html.slice(at, figure.from), shown);
    at = figure.to;
  }
  return parts.join("") + html.slice(at);
}

type PlacedFigure = ReturnType<typeof readFigures>[number];

async function showFigure(figure: PlacedFigure): Promise<string | null> {
  const rendered = await renderFigure(figure);
  if (rendered === null) return null;
  if ("parts" in rendered) return `<pre dir="ltr"><code>${codePartsHtml(rendered.parts)}\n</code></pre>`;
  const formula = sanitizeHtml(rendered.mathml, MATH_OPTIONS);
  return figure.element === "pre"
    ? `<div class="math" dir="ltr">${formula}</div>`
    : `<span dir="ltr">${formula}</span>`;
}

/** A frame that draws a diagram from the text in its URL: the page itself runs no script. */
function frameOf(source: string, basePath: string): string | null {
  if (source.length > MAX_DIAGRAM) return null;
  const url = `${basePath}/diagram#${encodeURIComponent(source.toWellFormed())}`;
  return (
    `<figure data-size="${sizeOf(source)}">` +
    `<iframe sandbox="allow-scripts" loading="lazy" title="Diagram" src="${escapeHtml(url)}"></iframe>` +
    `<details><summary>Source</summary><pre dir="ltr"><code>${escapeHtml(source)}\n</code></pre></details></figure>`
  );
}

/** Without a script, a page does not learn how high a diagram is; the number of its lines says something of it. */
function sizeOf(source: string): "small" | "medium" | "large" {
  const lines = source.trim().split("\n").length;
  return lines <= 5 ? "small" : lines <= 14 ? "medium" : "large";
}

const MATH_OPTIONS: IOptions = {
  allowedTags: [...MATH_POLICY.tags],
  allowedAttributes: { "*": [...MATH_POLICY.attributes] },
  disallowedTagsMode: "discard",
};

function sanitizerOptions({ toFileUrl }: RenderOptions): IOptions {
  /** In how many blocks that have a direction the current element is, itself included. */
  let depth = 0;
  return {
    onOpenTag: (name) => void (depth += BLOCKS.has(name) ? 1 : 0),
    onCloseTag: (name) => void (depth -= BLOCKS.has(name) ? 1 : 0),
    allowedTags: [...TEXT_POLICY.tags],
    allowedAttributes: { "*": [...TEXT_POLICY.attributes, ...PAGE_ATTRIBUTES] },
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nestingLimit: 200,
    transformTags: {
      "*": (name, attributes) => {
        if (name === "a") return toLink(attributes);
        if (name === "img") return toImage(attributes, toFileUrl);
        if (name === "input") return toCheckbox(attributes);
        return toElement(name, attributes, BLOCKS.has(name) && depth === 1);
      },
    },
  };
}

/** What the transformations below add; the text itself cannot set it, since they replace all attributes. */
const PAGE_ATTRIBUTES = ["id", "dir", "role", "rel", "loading", "disabled", "checked", "aria-label"];
const TEXT_ATTRIBUTES = new Set(TEXT_POLICY.attributes);
const BLOCKS = new Set(BLOCK_TAGS);

/** An element with the attributes that a text may give it. Targets of links within the text are known by their id. */
function toElement(tagName: string, attributes: Attributes, hasDirection: boolean): Tag {
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "data-anchor") attribs["id"] = value;
    else if (TEXT_ATTRIBUTES.has(name)) attribs[name] = value;
  }
  if (hasDirection) attribs["dir"] = "auto";
  if (tagName === "aside") attribs["role"] = "note";
  return { tagName, attribs };
}

function toLink({ href = "", title, "data-anchor": anchor }: Attributes): Tag {
  const shared: Attributes = { ...(title !== undefined && { title }), ...(anchor !== undefined && { id: anchor }) };
  if (INTERNAL_LINK.test(href)) return { tagName: "a", attribs: { href, ...shared } };
  if (!EXTERNAL_LINK.test(href)) return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href, rel: "noopener noreferrer nofollow ugc", ...shared } };
}

/** The checkbox of a task; no other input is allowed. */
function toCheckbox({ checked }: Attributes): Tag {
  const state: Attributes = checked === undefined ? { "aria-label": "To do" } : { checked: "", "aria-label": "Done" };
  return { tagName: "input", attribs: { type: "checkbox", disabled: "", ...state } };
}

function toImage({ src = "", alt = "", title, width }: Attributes, toFileUrl: RenderOptions["toFileUrl"]): Tag {
  if (EXTERNAL_LINK.test(src)) return { ...toLink({ href: src }), text: alt === "" ? src : alt };
  const target = decode(src.slice(0, (src + "?").search(/[?#]/)));
  if (!isImage(target)) return { tagName: "span", attribs: {}, text: alt };
  const attribs: Attributes = { src: toFileUrl(target), alt, loading: "lazy" };
  if (title !== undefined) attribs["title"] = title;
  if (width !== undefined && /^\d{1,4}$/.test(width)) attribs["width"] = width;
  return { tagName: "img", attribs };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
