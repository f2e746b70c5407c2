import { escapeHtml } from "../escape-html.ts";
import { colourCode, type CodePart } from "./code.ts";
import type { Figure } from "./figure-html.ts";
import { renderMath } from "./math.ts";

/** A figure, rendered: code in colours, a formula as MathML; null if it is shown as it was written. */
export type RenderedFigure = { readonly parts: readonly CodePart[] } | { readonly mathml: string } | null;

/** Renders code and formulas. Diagrams need a page of their own. */
export async function renderFigure({ kind, source, language = "" }: Figure): Promise<RenderedFigure> {
  switch (kind) {
    case "code": {
      const parts = await colourCode(source, language);
      return parts === null ? null : { parts };
    }
    case "math":
    case "inline-math": {
      const mathml = renderMath(source, kind === "math");
      return mathml === null ? null : { mathml };
    }
    case "mermaid":
      return null;
  }
}

/** Code in colours as HTML. */
export function codePartsHtml(parts: readonly CodePart[]): string {
  return parts
    .map(([text, classes]) =>
      classes === "" ? escapeHtml(text) : `<span class="${escapeHtml(classes)}">${escapeHtml(text)}</span>`,
    )
    .join("");
}

export type { CodePart } from "./code.ts";
