import { isQuick, notePieces, sourcePieces, type Piece } from "@workspace/markdown";
import { yieldToBrowser } from "../../../browser/yield-to-browser.ts";
import { createFigureView } from "./figure-view.ts";
import { followAnchor } from "./follow-anchor.ts";
import { markdownThread, RenderError } from "./markdown-thread.ts";
import type { RenderContext } from "./note-fragment.ts";
import { createNoteParts } from "./note-parts.ts";

/** Of longer texts, only the beginning is shown. */
const MAX_SHOWN = 4 * 1024 * 1024;
/** Of a text longer than this, only what is visible is laid out. */
const LONG = 64 * 1024;
const SLICE_MS = 8;

/** How a text is shown: rendered as far as possible, as plain text, or only its beginning. */
export type Shown = "rendered" | "too complex" | "truncated";

export interface NoteViewOptions {
  /** Called when the whole text is shown. */
  readonly onShown?: (shown: Shown) => void;
  /** Called when part of the text has been added or removed. */
  readonly onSlice?: () => void;
}

export interface NoteView {
  /** Shows another text, or the same one in another context. A short one is shown synchronously. */
  show(text: string, context: RenderContext): void;
  close(): void;
}

interface Content {
  readonly text: string;
  readonly context: RenderContext;
}

/** The result of rendering a text. */
interface Rendered {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly shown: Shown;
}

/** A rendering in progress. */
interface Run extends Content {
  readonly controller: AbortController;
}

/**
 * Renders texts for reading, in slices of a few milliseconds: whatever a text contains, the page stays responsive. Parts
 * that have not changed from one text to the next are kept.
 */
export function createNoteView(container: HTMLElement, { onShown, onSlice }: NoteViewOptions = {}): NoteView {
  const figures = createFigureView(container, () => onSlice?.());
  const parts = createNoteParts(container, figures);
  let latest: Content | null = null;
  let lastRendered: Rendered | null = null;
  let run: Run | null = null;
  markdownThread.prepare();
  container.addEventListener("click", followAnchor);

  function stop(): void {
    run?.controller.abort();
    run = null;
  }

  function finish(count: number, shown: Shown): void {
    parts.truncate(count);
    container.removeAttribute("aria-busy");
    onSlice?.();
    onShown?.(shown);
  }

  function showSync({ text, context }: Content): void {
    const { pieces, shown } = renderSync(text);
    container.classList.remove("is-long");
    pieces.forEach((piece, index) => parts.put(index, piece, context));
    finish(pieces.length, shown);
  }

  async function fill({ text, context, controller: { signal } }: Run, batches: Batches): Promise<Piece[]> {
    const pieces: Piece[] = [];
    const isLong = text.length > LONG;
    let end = performance.now() + SLICE_MS;
    for await (const batch of batches) {
      for (const piece of batch) {
        if (performance.now() > end) {
          onSlice?.();
          await yieldToBrowser();
          end = performance.now() + SLICE_MS;
        }
        if (signal.aborted) return [];
        container.classList.toggle("is-long", isLong);
        const part = parts.put(pieces.length, piece, context);
        if (part !== null) forceLayout(part, isLong);
        pieces.push(piece);
      }
    }
    return pieces;
  }

  async function render(current: Run): Promise<Rendered> {
    const { text, controller } = current;
    if (lastRendered?.text === text) return { ...lastRendered, pieces: await fill(current, [lastRendered.pieces]) };
    const beginning = text.slice(0, MAX_SHOWN);
    const isTruncated = text.length > MAX_SHOWN;
    try {
      const pieces = await fill(current, markdownThread.render(beginning, controller.signal));
      return { text, pieces, shown: isTruncated ? "truncated" : "rendered" };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      const pieces = await fill(current, [sourcePieces(beginning)]);
      return { text, pieces, shown: isTruncated ? "truncated" : "too complex" };
    }
  }

  async function showInSlices(current: Run): Promise<void> {
    const rendered = await render(current);
    if (current.controller.signal.aborted) return;
    lastRendered = rendered;
    run = null;
    if (latest !== null && (latest.text !== current.text || latest.context !== current.context)) begin(latest);
    else finish(rendered.pieces.length, rendered.shown);
  }

  function begin(content: Content): void {
    run = { ...content, controller: new AbortController() };
    container.setAttribute("aria-busy", "true");
    void showInSlices(run);
  }

  return {
    show(text, context) {
      latest = { text, context };
      if (isQuick(text)) {
        stop();
        showSync(latest);
        return;
      }
      // A streamed text may grow while it is rendered: the current version is shown first, the rest after it.
      if (run !== null && text.startsWith(run.text)) return;
      stop();
      begin(latest);
    },
    close() {
      stop();
      figures.close();
      container.removeEventListener("click", followAnchor);
    },
  };
}

type Batches = Iterable<Iterable<Piece>> | AsyncIterable<Iterable<Piece>>;

function renderSync(text: string): Rendered {
  try {
    return { text, pieces: [...notePieces(text)], shown: "rendered" };
  } catch {
    return { text, pieces: [...sourcePieces(text)], shown: "too complex" };
  }
}

/** Forces layout, which may take longer than creating the part, while its slice is timed. */
function forceLayout(part: HTMLElement, isLong: boolean): void {
  const height = part.offsetHeight;
  if (!isLong) return;
  // From now on it is skipped while out of view, and keeps its current height.
  part.style.containIntrinsicBlockSize = `auto ${height}px`;
  part.classList.add("is-measured");
}
