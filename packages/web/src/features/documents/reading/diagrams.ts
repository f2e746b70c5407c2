import { atBase } from "../../../browser/base-path.ts";
import { isDiagramMessage, type Diagram, type DiagramRequest } from "../../../diagram/diagram-messages.ts";
import { createJobThread, type Helper, type HelperEvents } from "./job-thread.ts";

/** Longer texts are shown as they were written; drawing them may take long. */
const MAX_SOURCE = 8_000;
/** Drawing a diagram is given up after this time. */
const DEADLINE_MS = 5_000;
const MAX_KEPT = 100;

export type DiagramTheme = DiagramRequest["theme"];

/** Draws diagrams, one at a time. */
export interface Diagrams {
  /** A diagram that was drawn before; undefined if it was not. */
  known(source: string, theme: DiagramTheme): Diagram | null | undefined;
  /** Resolves to null if the text is no diagram, or is too complex. */
  draw(source: string, theme: DiagramTheme): Promise<Diagram | null>;
}

export const diagrams = createDiagrams();

/**
 * Mermaid needs a page to measure texts in. It gets one of its own, in a frame that cannot reach ours: whatever a text makes it
 * do, all that comes back is an image.
 */
function createDiagrams(): Diagrams {
  const thread = createJobThread(startFrame, DEADLINE_MS);
  const kept = new Map<string, Diagram | null>();

  async function drawNow(request: DiagramRequest): Promise<Diagram | null> {
    const diagram = await new Promise<Diagram | null>((resolve) => {
      const receive = (drawn: Diagram | null) => {
        resolve(drawn);
        return true;
      };
      thread.add({ request, receive, fail: () => resolve(null) });
    });
    keep(kept, keyOf(request.source, request.theme), diagram);
    return diagram;
  }

  return {
    known: (source, theme) => kept.get(keyOf(source, theme)),

    async draw(source, theme) {
      if (source.length > MAX_SOURCE) return null;
      const drawn = kept.get(keyOf(source, theme));
      return drawn === undefined ? drawNow({ source, theme }) : drawn;
    },
  };
}

function startFrame({ ready, result }: HelperEvents<Diagram | null>): Helper<DiagramRequest> {
  const frame = createFrame();
  const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== frame.contentWindow || !isDiagramMessage(data)) return;
    if (data === "ready") ready();
    else result(data.diagram);
  };
  addEventListener("message", onMessage);
  return {
    // The frame has no origin, so there is none to name.
    send: (request) => frame.contentWindow?.postMessage(request, "*"),
    end() {
      removeEventListener("message", onMessage);
      frame.remove();
    },
  };
}

function createFrame(): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = atBase("/diagram");
  frame.title = "Diagrams";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.className = "diagram-frame";
  document.body.append(frame);
  return frame;
}

function keep(kept: Map<string, Diagram | null>, key: string, diagram: Diagram | null): void {
  kept.set(key, diagram);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

function keyOf(source: string, theme: DiagramTheme): string {
  return `${theme}\n${source}`;
}
