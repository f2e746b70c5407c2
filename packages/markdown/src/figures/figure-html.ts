import { escapeHtml } from "../escape-html.ts";

/** What is shown as more than its text, once the code for it has been loaded. */
export type FigureKind = "code" | "math" | "inline-math" | "mermaid";

export interface Figure {
  readonly kind: FigureKind;
  readonly source: string;
  /** The language of code, as it was written. */
  readonly language?: string | undefined;
}

/** The place of a figure in a rendered text: its source, as it is shown until it is replaced, or if it cannot be. */
export function figureHtml(element: "pre" | "code", { kind, source, language }: Figure): string {
  const named = language === undefined ? "" : ` data-language="${escapeHtml(language)}"`;
  const opening = `data-figure="${kind}"${named}>`;
  const text = escapeHtml(source);
  return element === "code" ? `<code ${opening}${text}</code>` : `<pre ${opening}<code>${text}\n</code></pre>\n`;
}

/** Elements that {@link figureHtml} makes. */
export const FIGURE_SELECTOR = "[data-figure]";

const FIGURE =
  /<(pre|code) data-figure="(code|math|inline-math|mermaid)"(?: data-language="([^"<>]*)")?>(?:<code>)?([^<]*)(?:<\/code>)?<\/\1>/g;

/** A figure in sanitised HTML, and where it is. */
export interface PlacedFigure extends Figure {
  readonly element: "pre" | "code";
  readonly from: number;
  readonly to: number;
}

/** The figures in HTML in which all text is escaped. */
export function readFigures(html: string): PlacedFigure[] {
  return [...html.matchAll(FIGURE)].flatMap(({ 0: whole, 1: name, 2: kind, 3: language, 4: text = "", index }) => {
    if (!isFigureKind(kind)) return [];
    const source = unescapeHtml(text).replace(/\n$/, "");
    const named = language === undefined ? {} : { language: unescapeHtml(language) };
    return [
      { element: name === "pre" ? "pre" : "code", kind, source, ...named, from: index, to: index + whole.length },
    ];
  });
}

export function isFigureKind(text: string | undefined): text is FigureKind {
  return text === "code" || text === "math" || text === "inline-math" || text === "mermaid";
}

function unescapeHtml(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
