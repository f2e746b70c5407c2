import { type JsonStyle, indentationAt, render, renderInline } from "./json-style.ts";
import { type JsonNode, elementsOf, endOf, skipTrivia } from "./json-tree.ts";

export interface AddedElement {
  readonly text: string;
  /** The text between the brackets of an empty container, which is restored when our element is removed. */
  readonly emptyInner: string | undefined;
}

/** Appends a member to an object, in the document's own style. Nothing else in the text changes. */
export function addMember(text: string, node: JsonNode, key: string, value: unknown, style: JsonStyle): AddedElement {
  return addElement(text, node, style, (indentation, isInline) => {
    const rendered = isInline ? renderInline(value, style) : render(value, style, indentation);
    return `${JSON.stringify(key)}:${style.colonGap}${rendered}`;
  });
}

/** Appends an item to an array: after all existing ones, because some assistants trust hooks by their position. */
export function addItem(text: string, node: JsonNode, value: unknown, style: JsonStyle): AddedElement {
  return addElement(text, node, style, (indentation, isInline) =>
    isInline ? renderInline(value, style) : render(value, style, indentation),
  );
}

function addElement(
  text: string,
  node: JsonNode,
  style: JsonStyle,
  write: (indentation: string, isInline: boolean) => string,
): AddedElement {
  const last = elementsOf(node).at(-1);
  if (last === undefined) return addToEmpty(text, node, style, write);
  const isInline =
    style.indent === undefined || !hasLineBreak(text.slice(node.offset, elementsOf(node)[0]?.offset ?? endOf(node)));
  const indentation = indentationAt(text, last.offset);
  const gap = isInline ? style.commaGap : `${style.lineEnd}${indentation}`;
  const element = gap + write(indentation, isInline);
  const comma = skipTrivia(text, endOf(last));
  if (text.charAt(comma) === ",") {
    // The list ends with a comma, and continues to.
    const at = endOfComments(text, comma + 1, endOf(node) - 1);
    return { text: `${text.slice(0, at)}${element},${text.slice(at)}`, emptyInner: undefined };
  }
  const at = endOfComments(text, endOf(last), endOf(node) - 1);
  return {
    text: `${text.slice(0, endOf(last))},${text.slice(endOf(last), at)}${element}${text.slice(at)}`,
    emptyInner: undefined,
  };
}

function addToEmpty(
  text: string,
  node: JsonNode,
  style: JsonStyle,
  write: (indentation: string, isInline: boolean) => string,
): AddedElement {
  const innerStart = node.offset + 1;
  const innerEnd = endOf(node) - 1;
  const emptyInner = text.slice(innerStart, innerEnd);
  const comments = emptyInner.trimEnd();
  const outer = indentationAt(text, node.offset);
  const inner =
    style.indent === undefined
      ? comments + write("", true)
      : `${comments}${style.lineEnd}${outer}${style.indent}${write(outer + style.indent, false)}${style.lineEnd}${outer}`;
  return { text: text.slice(0, innerStart) + inner + text.slice(innerEnd), emptyInner };
}

/** The end of the comments between an element and the closing bracket; the element's end if there are none. */
function endOfComments(text: string, from: number, close: number): number {
  const trivia = text.slice(from, Math.min(close, skipTrivia(text, from)));
  return from + trivia.trimEnd().length;
}

/**
 * Removes one element: the exact inverse of adding it last, and natural anywhere else. `emptyInner` is what is left between
 * the brackets if it was the only one.
 */
export function removeElement(text: string, node: JsonNode, index: number, emptyInner: string): string {
  const elements = elementsOf(node);
  const element = elements[index];
  if (element === undefined) return text;
  if (elements.length === 1) return text.slice(0, node.offset + 1) + emptyInner + text.slice(endOf(node) - 1);
  const previous = elements[index - 1];
  const commaAfter = skipTrivia(text, endOf(element));
  const hasCommaAfter = text.charAt(commaAfter) === ",";
  const start = previous === undefined ? node.offset + 1 : endOfTrivia(text, endOf(previous), element.offset);
  if (hasCommaAfter) return text.slice(0, start) + text.slice(endOf(element), commaAfter) + text.slice(commaAfter + 1);
  if (previous === undefined) return text;
  // It was the last one: the comma before it is removed too.
  const commaBefore = skipTrivia(text, endOf(previous));
  return text.slice(0, commaBefore) + text.slice(commaBefore + 1, start) + text.slice(endOf(element));
}

/** Where the whitespace before an element starts: after the preceding comma, and after the comments that follow that. */
function endOfTrivia(text: string, previousEnd: number, elementStart: number): number {
  const comma = skipTrivia(text, previousEnd);
  const between = text.slice(comma + 1, elementStart);
  return comma + 1 + between.trimEnd().length;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
