import { FIGURE_SELECTOR, isFigureKind, MATH_POLICY, type Figure } from "@workspace/markdown";
import type { RenderedFigure } from "@workspace/markdown/figures";
import DOMPurify from "dompurify";

/** How many parts of code are inserted and laid out in one step. */
const PARTS_AT_A_TIME = 800;

/** The places of figures in a part of a text that have not been filled yet. */
export function emptyFigures(part: ParentNode): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>(`${FIGURE_SELECTOR}:not([data-shown])`)];
}

/** The figure that an element is the place of. */
export function readFigure(element: HTMLElement): Figure | null {
  const { figure: kind, language } = element.dataset;
  if (!isFigureKind(kind)) return null;
  const source = (element.querySelector("code") ?? element).textContent.replace(/\n$/, "");
  return { kind, source, ...(language !== undefined && { language }) };
}

/**
 * Shows a rendered figure in its place, code in steps, and returns the element it is in; the source stays there if it could not
 * be rendered.
 */
export function* fillFigure(element: HTMLElement, rendered: RenderedFigure): Generator<void, HTMLElement> {
  const isMath = element.dataset["figure"] !== "code";
  element.dataset["shown"] = rendered === null ? "source" : "figure";
  if (rendered === null) {
    if (isMath) element.title = "This formula cannot be read";
    return element;
  }
  if ("parts" in rendered) {
    yield* fillCode(element.querySelector("code") ?? element, rendered.parts);
    return element;
  }
  const frame = document.createElement(element.localName === "pre" ? "div" : "span");
  Object.assign(frame.dataset, element.dataset);
  frame.append(formulaOf(rendered).cloneNode(true));
  element.replaceWith(frame);
  return frame;
}

type CodeParts = Extract<RenderedFigure, { readonly parts: unknown }>["parts"];

/** Formulas are sanitised once, however often they occur. */
const formulas = new WeakMap<object, DocumentFragment>();

function formulaOf(rendered: { readonly mathml: string }): DocumentFragment {
  const known = formulas.get(rendered);
  if (known !== undefined) return known;
  const formula = DOMPurify.sanitize(rendered.mathml, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: [...MATH_POLICY.tags],
    ALLOWED_ATTR: [...MATH_POLICY.attributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
  formulas.set(rendered, formula);
  return formula;
}

/** Shows code in colours. Parts that are already shown stay, and between the steps, what follows is plain text. */
function* fillCode(code: HTMLElement, parts: CodeParts): Generator<void> {
  let count = 0;
  for (const node of code.childNodes) {
    const part = parts[count];
    if (part === undefined || !isPart(node, part)) break;
    count += 1;
  }
  while (code.childNodes.length > count) code.lastChild?.remove();
  const rest = document.createTextNode(textOf(parts.slice(count)));
  code.append(rest);
  for (let index = count; index < parts.length; index += PARTS_AT_A_TIME) {
    if (index > count) yield;
    const next = parts.slice(index, index + PARTS_AT_A_TIME);
    rest.deleteData(0, textOf(next).length);
    rest.before(...next.map(([text, classes]) => partOfCode(text, classes)));
  }
  rest.remove();
}

function isPart(node: Node, [text, classes]: CodeParts[number]): boolean {
  return node.textContent === text && (node instanceof Element ? node.className : "") === classes;
}

function textOf(parts: CodeParts): string {
  return parts.map(([text]) => text).join("");
}

function partOfCode(text: string, classes: string): Node {
  if (classes === "") return document.createTextNode(text);
  const part = document.createElement("span");
  part.className = classes;
  part.textContent = text;
  return part;
}

/** What may be wider than the text scrolls by itself, with the keyboard, too. */
export function makeScrollable(element: HTMLElement, label: string): void {
  element.tabIndex = 0;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
}
