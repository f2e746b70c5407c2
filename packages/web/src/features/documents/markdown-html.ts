import DOMPurify from "dompurify";
import { Marked, type TokenizerAndRendererExtension } from "marked";
import type { Document } from "./document.ts";
import { imageAddress, isElsewhere, plainTarget } from "./editor/note-context.ts";
import { findWikiLinks, resolveLink, type LinkIndex } from "./wiki-links.ts";

const wikiLinks: TokenizerAndRendererExtension = {
  name: "wikiLink",
  level: "inline",
  start: (source) => source.match(/!?\[\[/)?.index,
  tokenizer: (source) => {
    const [link] = findWikiLinks(source.slice(0, source.indexOf("]]") + 2));
    if (link?.from !== 0) return undefined;
    return { type: "wikiLink", raw: source.slice(0, link.to) };
  },
  renderer: ({ raw }) => {
    const [link] = findWikiLinks(raw);
    if (link === undefined) return escapeHtml(raw);
    const { target, label, isEmbed } = link;
    return isEmbed
      ? `<img src="${encodeURI(target)}" alt="${escapeHtml(label ?? target)}">`
      : `<a data-wiki="${escapeHtml(target)}">${escapeHtml(label ?? target)}</a>`;
  },
};

/** An image that the text itself holds. */
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;
const MAX_SHOWN_SOURCE = 200;

const renderer = new Marked({ gfm: true, async: false, extensions: [wikiLinks] });

/** Where the text stands in the vault. */
interface Place {
  readonly path: string;
  readonly links: LinkIndex<Document>;
}

/**
 * A note as it is read: sanitised, with images of the vault and links between notes. Images from elsewhere become links,
 * since the page talks to nobody but its own server.
 */
export function renderNote(markdown: string, place: Place): DocumentFragment {
  const html = renderer.parse(markdown, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ["style", "form", "iframe", "video", "audio", "svg", "math", "template"],
    FORBID_ATTR: ["style", "class", "id", "srcset"],
    ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|tel):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  });
  fragment.querySelectorAll("img").forEach((image) => showImage(image, place));
  fragment.querySelectorAll("a").forEach((link) => prepareLink(link, place));
  fragment.querySelectorAll("table").forEach(makeScrollable);
  fragment.querySelectorAll<HTMLInputElement>("input[type=checkbox]").forEach((box, index) => {
    box.disabled = false;
    box.className = "checkbox";
    box.dataset["task"] = String(index);
    box.setAttribute("aria-label", box.parentElement?.textContent.trim().slice(0, 80) ?? "");
  });
  return fragment;
}

function showImage(image: HTMLImageElement, place: Place): void {
  const source = image.getAttribute("src") ?? "";
  const address = imageAddress(plainTarget(source), place);
  image.loading = "lazy";
  if (address !== null) image.src = address;
  else if (!INLINE_IMAGE.test(source)) image.replaceWith(insteadOfImage(source, image.alt));
}

/** A link to an image from elsewhere; the words alone of whatever else was named as one. */
function insteadOfImage(source: string, label: string): HTMLElement {
  const isLink = /^https?:\/\//i.test(source);
  const words = document.createElement(isLink ? "a" : "span");
  if (isLink) words.setAttribute("href", source);
  words.textContent = label === "" && source.length <= MAX_SHOWN_SOURCE ? source : label;
  return words;
}

function prepareLink(link: HTMLAnchorElement, { path, links }: Place): void {
  const wiki = link.dataset["wiki"];
  const target = wiki ?? plainTarget(link.getAttribute("href") ?? "");
  if (wiki === undefined && isElsewhere(target)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    return;
  }
  const found = resolveLink(target, path, links);
  link.dataset["link"] = target;
  link.href = found === null ? "#" : `/documents?doc=${found.id}`;
  if (found === null) {
    link.className = "is-new";
    link.title = `Create “${target}”`;
  }
}

function makeScrollable(table: HTMLTableElement): void {
  const frame = document.createElement("div");
  frame.className = "table";
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", "Table");
  table.replaceWith(frame);
  frame.append(table);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
