import type { Diagram } from "../../../diagram/diagram-messages.ts";
import type { DiagramTheme } from "./diagrams.ts";
import { makeScrollable } from "./figure-element.ts";

const DRAWN = 'figure[data-figure="mermaid"]';
const MAX_LABEL = 80;

export function currentTheme(): DiagramTheme {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

/** Calls back when the theme has changed. Returns a function that ends it. */
export function whenThemeChanges(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export function shownDiagrams(container: ParentNode): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(DRAWN)];
}

/** Shows a diagram in place of its text, or in place of the diagram that was drawn for another theme. */
export function fillDiagram(element: HTMLElement, source: string, diagram: Diagram | null): void {
  if (diagram === null) {
    element.dataset["shown"] = "source";
    element.title = "This diagram cannot be drawn";
    return;
  }
  const image = imageOf(source, diagram);
  const shown = element.querySelector("img");
  if (element.localName === "figure" && shown !== null) {
    shown.replaceWith(image);
    return;
  }
  const figure = document.createElement("figure");
  figure.dataset["figure"] = "mermaid";
  figure.dataset["shown"] = "figure";
  const frame = document.createElement("div");
  frame.className = "diagram";
  makeScrollable(frame, "Diagram");
  frame.append(image);
  figure.append(frame, sourceOf(source));
  element.replaceWith(figure);
}

function imageOf(source: string, { svg, width, height }: Diagram): HTMLImageElement {
  const image = document.createElement("img");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  image.width = width;
  image.height = height;
  image.alt = `Diagram: ${source.trim().split("\n", 1)[0]?.slice(0, MAX_LABEL) ?? ""}`;
  return image;
}

/** What the diagram was drawn from, for those who cannot see it, and to copy. */
function sourceOf(source: string): HTMLElement {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Source";
  const code = document.createElement("pre");
  code.append(document.createElement("code"));
  code.firstElementChild?.append(source);
  details.append(summary, code);
  return details;
}
