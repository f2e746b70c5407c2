import mermaid from "mermaid";
import type { Diagram, DiagramRequest } from "./diagram-messages.ts";

/** A text may not raise these; drawing takes more than linear time. */
const MAX_TEXT = 8_000;
const MAX_EDGES = 150;

let drawn = 0;

/** Draws a diagram; null if the text is none. */
export async function drawDiagram({ source, theme }: DiagramRequest): Promise<Diagram | null> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: theme === "dark" ? "dark" : "default",
    fontFamily: "system-ui, sans-serif",
    // Labels in HTML are not shown in images by all browsers.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: MAX_TEXT,
    maxEdges: MAX_EDGES,
    suppressErrorRendering: true,
  });
  drawn += 1;
  try {
    const { svg } = await mermaid.render(`diagram-${drawn}`, source);
    return toImage(svg);
  } catch {
    return null;
  } finally {
    document.getElementById(`ddiagram-${drawn}`)?.remove();
  }
}

/** The drawing with its own size, which Mermaid leaves to the page around it. */
function toImage(svg: string): Diagram | null {
  const root = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  const [, , width = 0, height = 0] =
    root
      ?.getAttribute("viewBox")
      ?.split(/[\s,]+/)
      .map(Number) ?? [];
  if (root === null || !(width > 0 && height > 0)) return null;
  root.style.maxWidth = "";
  root.setAttribute("width", `${Math.ceil(width)}`);
  root.setAttribute("height", `${Math.ceil(height)}`);
  return { svg: new XMLSerializer().serializeToString(root), width: Math.ceil(width), height: Math.ceil(height) };
}
