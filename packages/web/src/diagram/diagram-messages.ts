/** What a page asks the frame that draws diagrams for. */
export interface DiagramRequest {
  readonly source: string;
  readonly theme: "light" | "dark";
}

/** A drawn diagram: an image of this size. */
export interface Diagram {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** What the frame posts: that it is ready, or a diagram, which is null if there is none. */
export type DiagramMessage = "ready" | { readonly diagram: Diagram | null };

const MAX_SVG = 2_000_000;
const MAX_SIZE = 20_000;

/** Whether a message of a frame, which may say anything, is one of these. */
export function isDiagramMessage(message: unknown): message is DiagramMessage {
  if (message === "ready") return true;
  if (typeof message !== "object" || message === null || !("diagram" in message)) return false;
  return message.diagram === null || isDiagram(message.diagram);
}

function isDiagram(value: unknown): value is Diagram {
  if (typeof value !== "object" || value === null) return false;
  if (!("svg" in value && "width" in value && "height" in value)) return false;
  return typeof value.svg === "string" && value.svg.length <= MAX_SVG && isSize(value.width) && isSize(value.height);
}

function isSize(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value <= MAX_SIZE;
}
