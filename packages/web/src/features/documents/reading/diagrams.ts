import { isDiagramMessage, type Diagram, type DiagramRequest } from "../../../diagram/diagram-messages.ts";

/** Longer texts are shown as they were written; drawing them may take long. */
const MAX_SOURCE = 8_000;
/** Drawing a diagram is given up after this time. */
const DEADLINE_MS = 5_000;
/** For loading the code that draws, even over a slow connection. */
const LOAD_DEADLINE_MS = 20_000;
/** After this long without work, the frame is removed to free its memory. */
const IDLE_MS = 60_000;
const MAX_KEPT = 100;

export type DiagramTheme = DiagramRequest["theme"];

interface Job {
  readonly source: string;
  readonly theme: DiagramTheme;
  readonly finish: (diagram: Diagram | null) => void;
}

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
  const waiting: Job[] = [];
  const kept = new Map<string, Diagram | null>();
  let frame: HTMLIFrameElement | null = null;
  let isReady = false;
  let running: Job | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    removeEventListener("message", onMessage);
    frame?.remove();
    frame = null;
    isReady = false;
  }

  function finish(diagram: Diagram | null): void {
    const job = running;
    running = null;
    if (job !== null) {
      keep(kept, keyOf(job.source, job.theme), diagram);
      job.finish(diagram);
    }
    next();
  }

  function next(): void {
    if (running !== null) return;
    running = waiting.shift() ?? null;
    clearTimeout(timer);
    if (running === null) {
      timer = setTimeout(stop, IDLE_MS);
      return;
    }
    frame ??= start();
    if (isReady) begin(frame, running);
    else timer = setTimeout(abandon, LOAD_DEADLINE_MS);
  }

  function begin(started: HTMLIFrameElement, { source, theme }: Job): void {
    clearTimeout(timer);
    timer = setTimeout(abandon, DEADLINE_MS);
    // The frame has no origin, so there is none to name.
    started.contentWindow?.postMessage({ source, theme } satisfies DiagramRequest, "*");
  }

  function abandon(): void {
    stop();
    finish(null);
  }

  function start(): HTMLIFrameElement {
    addEventListener("message", onMessage);
    return createFrame();
  }

  function onMessage({ source, data }: MessageEvent<unknown>): void {
    if (frame === null || source !== frame.contentWindow || !isDiagramMessage(data)) return;
    if (data !== "ready") finish(data.diagram);
    else {
      isReady = true;
      if (running !== null) begin(frame, running);
    }
  }

  return {
    known: (source, theme) => kept.get(keyOf(source, theme)),

    async draw(source, theme) {
      if (source.length > MAX_SOURCE) return null;
      const drawn = kept.get(keyOf(source, theme));
      if (drawn !== undefined) return drawn;
      return new Promise((resolve) => {
        waiting.push({ source, theme, finish: resolve });
        next();
      });
    },
  };
}

function createFrame(): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "/diagram";
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
