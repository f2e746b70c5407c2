import { type JsonArrayNode, type JsonDialect, type JsonNode, type JsonObjectNode, skipTrivia } from "./json-tree.ts";
import { type JsonStyle, indentationAt, render, renderInline } from "./json-style.ts";

export interface AddedElement {
  readonly text: string;
  /** What stood between the brackets of a container that had no element: it is put back when ours is taken out. */
  readonly emptyInner: string | undefined;
}

type Container = JsonArrayNode | JsonObjectNode;

/** Appends a member to an object, in the document's own style. Nothing else of the text changes. */
export function addMember(
  text: string,
  node: JsonObjectNode,
  key: string,
  value: unknown,
  style: JsonStyle,
  dialect: JsonDialect,
): AddedElement {
  return addElement(text, node, style, dialect, (indentation, isInline) => {
    const rendered = isInline ? renderInline(value, style) : render(value, style, indentation);
    return `${JSON.stringify(key)}:${style.colonGap}${rendered}`;
  });
}

/** Appends an item to an array: after all that are there, because some assistants trust hooks by their position. */
export function addItem(
  text: string,
  node: JsonArrayNode,
  value: unknown,
  style: JsonStyle,
  dialect: JsonDialect,
): AddedElement {
  return addElement(text, node, style, dialect, (indentation, isInline) =>
    isInline ? renderInline(value, style) : render(value, style, indentation),
  );
}

function addElement(
  text: string,
  node: Container,
  style: JsonStyle,
  dialect: JsonDialect,
  write: (indentation: string, isInline: boolean) => string,
): AddedElement {
  const last = elementsOf(node).at(-1);
  if (last === undefined) return addToEmpty(text, node, style, write);
  const isInline =
    style.indent === undefined || !hasLineBreak(text.slice(node.start, elementsOf(node)[0]?.start ?? node.end));
  const indentation = indentationAt(text, last.start);
  const gap = isInline ? style.commaGap : `${style.lineEnd}${indentation}`;
  const element = gap + write(indentation, isInline);
  const comma = skipTrivia(text, last.end, dialect);
  if (text.charAt(comma) === ",") {
    // The list ends with a comma, and keeps to that.
    const at = endOfComments(text, comma + 1, node.end - 1, dialect);
    return { text: `${text.slice(0, at)}${element},${text.slice(at)}`, emptyInner: undefined };
  }
  const at = endOfComments(text, last.end, node.end - 1, dialect);
  return {
    text: `${text.slice(0, last.end)},${text.slice(last.end, at)}${element}${text.slice(at)}`,
    emptyInner: undefined,
  };
}

function addToEmpty(
  text: string,
  node: Container,
  style: JsonStyle,
  write: (indentation: string, isInline: boolean) => string,
): AddedElement {
  const innerStart = node.start + 1;
  const innerEnd = node.end - 1;
  const emptyInner = text.slice(innerStart, innerEnd);
  const comments = emptyInner.trimEnd();
  const outer = indentationAt(text, node.start);
  const inner =
    style.indent === undefined
      ? comments + write("", true)
      : `${comments}${style.lineEnd}${outer}${style.indent}${write(outer + style.indent, false)}${style.lineEnd}${outer}`;
  return { text: text.slice(0, innerStart) + inner + text.slice(innerEnd), emptyInner };
}

/** The end of the comments that stand between an element and the closing bracket; the element's end without any. */
function endOfComments(text: string, from: number, close: number, dialect: JsonDialect): number {
  if (dialect === "json") return from;
  const trivia = text.slice(from, Math.min(close, skipTrivia(text, from, dialect)));
  return from + trivia.trimEnd().length;
}

/**
 * Takes one element out: the exact inverse of adding it last, and the natural thing anywhere else. `emptyInner` is what
 * is left between the brackets when it was the only one.
 */
export function removeElement(
  text: string,
  node: Container,
  index: number,
  emptyInner: string,
  dialect: JsonDialect,
): string {
  const elements = elementsOf(node);
  const element = elements[index];
  if (element === undefined) return text;
  if (elements.length === 1) return text.slice(0, node.start + 1) + emptyInner + text.slice(node.end - 1);
  const previous = elements[index - 1];
  const commaAfter = skipTrivia(text, element.end, dialect);
  const hasCommaAfter = text.charAt(commaAfter) === ",";
  const start = previous === undefined ? node.start + 1 : endOfTrivia(text, previous.end, element.start, dialect);
  if (hasCommaAfter) return text.slice(0, start) + text.slice(element.end, commaAfter) + text.slice(commaAfter + 1);
  if (previous === undefined) return text;
  // It was the last one: the comma before it goes too.
  const commaBefore = skipTrivia(text, previous.end, dialect);
  return text.slice(0, commaBefore) + text.slice(commaBefore + 1, start) + text.slice(element.end);
}

/** Where the blanks before an element begin: after the comma before it, and after the comments that follow that. */
function endOfTrivia(text: string, previousEnd: number, elementStart: number, dialect: JsonDialect): number {
  const comma = skipTrivia(text, previousEnd, dialect);
  const between = text.slice(comma + 1, elementStart);
  return comma + 1 + between.trimEnd().length;
}

export function elementsOf(node: Container): readonly { readonly start: number; readonly end: number }[] {
  return node.kind === "array" ? node.items : node.members;
}

export function isContainer(node: JsonNode | undefined): node is Container {
  return node !== undefined && node.kind !== "scalar";
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
