import type { Element, ElementContent, Root, RootContent } from "hast";
import { groupWordLists, styleOf } from "./word-lists.ts";

const DROPPED = new Set("script style template noscript head title meta link object embed iframe svg math".split(" "));
const SAFE_LINK = /^(?:https?:|mailto:|tel:)/i;
const SAFE_IMAGE = /^https?:/i;
const BLOCK = new Set("p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre div".split(" "));

/** Prepares HTML of a clipboard: what programs write around the text goes, and their styles become elements. */
export function cleanHtml(tree: Root): void {
  tree.children = groupWordLists(cleanAll(tree.children));
}

function cleanAll(nodes: readonly RootContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === "text") return [node];
    return node.type === "element" ? clean(node) : [];
  });
}

function clean(element: Element): ElementContent[] {
  const { tagName, properties } = element;
  if (DROPPED.has(tagName) || tagName.includes(":")) return tagName.includes(":") ? cleanAll(element.children) : [];
  const style = styleOf(properties);
  // The number or bullet that Word writes as text.
  if (/mso-list:\s*ignore/.test(style)) return [];
  element.children = groupWordLists(cleanAll(element.children));
  if (tagName === "a") return isSafe(properties["href"], SAFE_LINK) ? [element] : element.children;
  if (tagName === "img") return isSafe(properties["src"], SAFE_IMAGE) ? [element] : textOf(properties["alt"]);
  if (tagName === "td" || tagName === "th") return [withSeparatedBlocks(element)];
  if (tagName === "span" || tagName === "font") return emphasised(element.children, style);
  // Google Docs puts everything into one that says that it is not bold.
  const isPlain = (tagName === "b" || tagName === "strong") && /font-weight:\s*(?:normal|[1-4]00)/.test(style);
  return isPlain || isAroundBlocks(element) ? element.children : [element];
}

function isSafe(address: unknown, pattern: RegExp): boolean {
  return typeof address === "string" && pattern.test(address);
}

function textOf(text: unknown): ElementContent[] {
  return typeof text === "string" && text !== "" ? [{ type: "text", value: text }] : [];
}

/** Emphasis around blocks has no meaning in Markdown. */
function isAroundBlocks({ tagName, children }: Element): boolean {
  if (!/^(?:b|strong|i|em|u|s|del)$/.test(tagName)) return false;
  return children.some((child) => child.type === "element" && BLOCK.has(child.tagName));
}

function emphasised(children: ElementContent[], style: string): ElementContent[] {
  if (children.every((child) => child.type === "text" && child.value.trim() === "")) return children;
  let result = children;
  const wrap = (tagName: string) => {
    result = [{ type: "element", tagName, properties: {}, children: result }];
  };
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) wrap("strong");
  if (/font-style:\s*italic/.test(style)) wrap("em");
  if (/text-decoration[a-z-]*:[^;]*line-through/.test(style)) wrap("del");
  return result;
}

/** A cell is one line: what was in paragraphs of their own is separated by a space. */
function withSeparatedBlocks(cell: Element): Element {
  const children = cell.children.flatMap((child, index): ElementContent[] => {
    if (child.type !== "element" || !/^(?:p|div)$/.test(child.tagName)) return [child];
    return index > 0 ? [{ type: "text", value: " " }, ...child.children] : child.children;
  });
  return { ...cell, children };
}
