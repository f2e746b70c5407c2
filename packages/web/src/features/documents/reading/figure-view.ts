import type { RenderedFigure } from "@workspace/markdown/figures";
import { yieldToBrowser } from "../../../browser/yield-to-browser.ts";
import { currentTheme, fillDiagram, shownDiagrams, whenThemeChanges } from "./diagram-element.ts";
import { diagrams } from "./diagrams.ts";
import { createFigureCache } from "./figure-cache.ts";
import { emptyFigures, fillFigure, makeScrollable, readFigure } from "./figure-element.ts";
import { markdownThread, RenderError } from "./markdown-thread.ts";

/** What is this far from being in sight is rendered. */
const MARGIN = "600px";
/** How many figures, and how many characters of them, are rendered together. */
const BATCH = 20;
const BATCH_CHARACTERS = 16_000;
const SLICE_MS = 8;
/** Of a part with more figures, none is filled in before it is in sight, since filling them takes longer than a slice. */
const MAX_PREFILLED = 20;

const cache = createFigureCache();

/** Renders the code, formulas and diagrams of a text when they come into sight. */
export interface FigureView {
  /** Fills in what was rendered before, so that nothing flickers when a text changes. To be called before it is inserted. */
  prefill(part: HTMLElement): void;
  /** Has the rest rendered, once the part is inserted. */
  show(part: HTMLElement): void;
  close(): void;
}

export function createFigureView(container: HTMLElement, onChange: () => void): FigureView {
  const waiting = new Set<HTMLElement>();
  let isRunning = false;
  let isClosed = false;
  const observer = new IntersectionObserver(onSight, { rootMargin: MARGIN });
  let stopFollowing: (() => void) | null = null;

  function onSight(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      observer.unobserve(target);
      for (const element of emptyFigures(target)) {
        if (element.dataset["figure"] === "mermaid") void draw(element);
        else waiting.add(element);
      }
    }
    if (!isRunning) void run();
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0 && !isClosed) await renderBatch(takeBatch(waiting));
    isRunning = false;
  }

  async function renderBatch(elements: readonly HTMLElement[]): Promise<void> {
    const figures = elements.flatMap((element) => {
      const figure = readFigure(element);
      return figure === null ? [] : [{ element, figure }];
    });
    const unknown = figures.map(({ figure }) => figure).filter((figure) => cache.get(figure) === undefined);
    const rendered = unknown.length === 0 ? [] : await renderAll(unknown);
    unknown.forEach((figure, index) => cache.set(figure, rendered[index] ?? null));
    let end = performance.now() + SLICE_MS;
    for (const { element, figure } of figures) {
      const filling = fill(element, cache.get(figure) ?? null);
      while (!isClosed && filling.next().done !== true) {
        if (performance.now() < end) continue;
        onChange();
        await yieldToBrowser();
        end = performance.now() + SLICE_MS;
      }
      if (isClosed) return;
    }
    onChange();
  }

  async function draw(element: HTMLElement): Promise<void> {
    const figure = readFigure(element);
    if (figure === null) return;
    stopFollowing ??= whenThemeChanges(() => {
      for (const shown of shownDiagrams(container)) void draw(shown);
    });
    const diagram = await diagrams.draw(figure.source, currentTheme());
    if (isClosed || !element.isConnected) return;
    fillDiagram(element, figure.source, diagram);
    onChange();
  }

  return {
    prefill(part) {
      const elements = emptyFigures(part);
      if (elements.length > MAX_PREFILLED) return;
      const end = performance.now() + SLICE_MS;
      for (const element of elements) {
        const figure = readFigure(element);
        if (figure === null) continue;
        if (figure.kind === "mermaid") {
          const known = diagrams.known(figure.source, currentTheme());
          if (known !== undefined) fillDiagram(element, figure.source, known);
          continue;
        }
        const known = cache.get(figure);
        const beginning = known === undefined ? cache.beginningOf(figure) : null;
        if (known === undefined && beginning === null) continue;
        const filling = fillFigure(element, known ?? beginning);
        let isComplete = filling.next().done;
        while (isComplete !== true && performance.now() < end) isComplete = filling.next().done;
        // What is still to be rendered is shown in colours as far as it was the last time.
        if (known === undefined || isComplete !== true) delete element.dataset["shown"];
      }
    },
    // Not each figure: browsers check all that is observed in every frame.
    show(part) {
      if (emptyFigures(part).length > 0) observer.observe(part);
    },
    close() {
      isClosed = true;
      observer.disconnect();
      stopFollowing?.();
    },
  };
}

function takeBatch(waiting: Set<HTMLElement>): HTMLElement[] {
  const batch: HTMLElement[] = [];
  let characters = 0;
  for (const element of waiting) {
    if (batch.length >= BATCH || (batch.length > 0 && characters > BATCH_CHARACTERS)) break;
    waiting.delete(element);
    if (!element.isConnected) continue;
    batch.push(element);
    characters += element.textContent.length;
  }
  return batch;
}

/** Figures that cannot be rendered in time are shown as they were written. */
async function renderAll(figures: Parameters<typeof markdownThread.renderFigures>[0]) {
  try {
    return await markdownThread.renderFigures(figures);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return [];
  }
}

/** Fills in a figure in steps. Code is laid out in each, which may take longer than inserting it, while its slice is timed. */
function* fill(element: HTMLElement, rendered: RenderedFigure): Generator<void> {
  const filling = fillFigure(element, rendered);
  let step = filling.next();
  for (; step.done !== true; step = filling.next()) {
    void element.offsetHeight;
    yield;
  }
  const shown = step.value;
  if (shown.localName === "pre") void shown.offsetHeight;
  if (shown.localName === "div" && shown.scrollWidth > shown.clientWidth) makeScrollable(shown, "Formula");
  yield;
}
