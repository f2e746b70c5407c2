import { BLOCK_TAGS, TEXT_POLICY, type Piece } from "@workspace/markdown";
import DOMPurify from "dompurify";
import type { Document } from "../document.ts";
import { imageAddress, isElsewhere, plainTarget } from "../editor/note-context.ts";
import { resolveLink, resolveWikiLink, type LinkIndex } from "../links/wiki-links.ts";
import { markTags } from "./mark-tags.ts";
import { createQueryElement } from "../queries/query-element.ts";

/** An image embedded in the text itself. */
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;
const MAX_SHOWN_SOURCE = 200;
const MAX_LABEL = 80;
const BLOCKS = BLOCK_TAGS.join(",");

/** The context of a text: its path in the vault, and what can be done with it there. */
export interface RenderContext {
  readonly path: string;
  readonly links: LinkIndex<Document>;
  /** Whether its tasks can be ticked. */
  readonly isEditable: boolean;
  /** Whether what has the form of a tag is one. */
  readonly hasTags: boolean;
}

/**
 * A rendered piece of a note: sanitised, with images of the vault and links between notes. External images become links,
 * since the page only makes requests to its own server.
 */
export function toFragment({ html, continued }: Piece, context: RenderContext): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: [...TEXT_POLICY.tags],
    ALLOWED_ATTR: [...TEXT_POLICY.attributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|tel):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  });
  fragment.querySelectorAll("pre[data-language=query]").forEach(showQuery);
  markContinued(fragment, continued);
  fragment.querySelectorAll<HTMLElement>(BLOCKS).forEach(giveDirection);
  fragment.querySelectorAll("aside").forEach((callout) => callout.setAttribute("role", "note"));
  fragment.querySelectorAll("img").forEach((image) => showImage(image, context));
  fragment.querySelectorAll("a").forEach((link) => prepareLink(link, context));
  if (context.hasTags && html.includes("#")) markTags(fragment);
  fragment.querySelectorAll("table").forEach(makeScrollable);
  fragment.querySelectorAll<HTMLInputElement>("input[type=checkbox]").forEach((box) => prepareBox(box, context));
  return fragment;
}

function showQuery(block: Element): void {
  block.replaceWith(createQueryElement(block.textContent));
}

function markContinued(fragment: DocumentFragment, count: number): void {
  let element = fragment.firstElementChild;
  for (let left = count; left > 0 && element !== null; left -= 1) {
    element.classList.add("continued");
    element = element.firstElementChild;
  }
}

/** The direction of its text, unless what is around it has one. */
function giveDirection(block: HTMLElement): void {
  if (block.parentElement?.closest("[dir]") == null) block.dir = "auto";
}

function prepareBox(box: HTMLInputElement, { isEditable }: RenderContext): void {
  box.disabled = !isEditable || box.dataset["task"] === undefined;
  box.className = "checkbox";
  box.setAttribute("aria-label", box.parentElement?.textContent.trim().slice(0, MAX_LABEL) ?? "");
}

function showImage(image: HTMLImageElement, context: RenderContext): void {
  const source = image.getAttribute("src") ?? "";
  const url = imageAddress(plainTarget(source), context);
  image.loading = "lazy";
  if (url !== null) {
    image.addEventListener("error", () => image.replaceWith(missingImage(image.alt)));
    image.src = url;
  } else if (!INLINE_IMAGE.test(source)) image.replaceWith(imageFallback(source, image.alt));
}

function missingImage(label: string): HTMLElement {
  const note = document.createElement("span");
  note.className = "image-missing";
  note.textContent = `${label || "The image"} cannot be shown`;
  return note;
}

/** A link to an external image; the plain label of anything else that was given as an image. */
function imageFallback(source: string, label: string): HTMLElement {
  const isLink = /^https?:\/\//i.test(source);
  const words = document.createElement(isLink ? "a" : "span");
  if (isLink) words.setAttribute("href", source);
  words.textContent = label === "" && source.length <= MAX_SHOWN_SOURCE ? source : label;
  return words;
}

function prepareLink(link: HTMLAnchorElement, { path, links }: RenderContext): void {
  const { wiki, part = "" } = link.dataset;
  if (wiki === undefined && link.getAttribute("href")?.startsWith("#") === true) return;
  const resolved = wiki === undefined ? null : resolveWikiLink({ target: wiki, part }, path, links);
  const target = resolved?.target ?? wiki ?? plainTarget(link.getAttribute("href") ?? "");
  if (wiki === undefined && isElsewhere(target)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    return;
  }
  if (wiki !== undefined && link.textContent === wiki) link.textContent = target;
  const found = resolved?.file ?? resolveLink(target, path, links);
  link.dataset["link"] = target;
  link.href = found === null ? "#" : `/documents?doc=${found.id}`;
  if (found === null) {
    link.className = "is-new";
    link.title = `Create “${target}”`;
  }
}

function makeScrollable(table: HTMLTableElement): void {
  const frame = document.createElement("div");
  frame.className = table.classList.contains("continued") ? "table-frame continued" : "table-frame";
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", "Table");
  table.replaceWith(frame);
  frame.append(table);
}
