import { notePieces, type Figure, type Piece } from "@workspace/markdown";
import type { RenderedFigure } from "@workspace/markdown/figures";

/** What the worker is asked for: to render a text, or figures, or to convert HTML to Markdown. */
export type RenderRequest =
  { readonly text: string } | { readonly figures: readonly Figure[] } | { readonly html: string };

/** What the worker posts: that it is ready, the next pieces of a text, a result, or that it is too complex for it. */
export type WorkerMessage =
  | "ready"
  | "too complex"
  | { readonly pieces: readonly Piece[]; readonly isLast: boolean }
  | { readonly figures: readonly RenderedFigure[]; readonly isLast: true }
  | { readonly markdown: string; readonly isLast: true };

/** The first message should arrive soon; the others should be few. */
const FIRST_CHARACTERS = 16_000;
const OTHER_CHARACTERS = 200_000;

/** What is not rendered within this time, and what is beyond this length, is shown as it was written. */
const BUDGET_MS = 2_000;
const MAX_RENDERED = 1024 * 1024;

function* renderMessages(text: string): Generator<WorkerMessage> {
  const end = performance.now() + BUDGET_MS;
  const limits = { isOver: () => performance.now() > end, maxCharacters: MAX_RENDERED };
  let pieces: Piece[] = [];
  let [characters, limit] = [0, FIRST_CHARACTERS];
  for (const piece of notePieces(text, limits)) {
    pieces.push(piece);
    characters += piece.html.length;
    if (characters < limit) continue;
    yield { pieces, isLast: false };
    [pieces, characters, limit] = [[], 0, OTHER_CHARACTERS];
  }
  yield { pieces, isLast: true };
}

/** The code for figures, and for each language, is loaded when the first of them is to be rendered. */
async function renderFigures(figures: readonly Figure[]): Promise<WorkerMessage> {
  const { renderFigure } = await import("@workspace/markdown/figures");
  const rendered: RenderedFigure[] = [];
  for (const figure of figures) rendered.push(await renderFigure(figure));
  return { figures: rendered, isLast: true };
}

async function convertHtml(html: string): Promise<WorkerMessage> {
  const { htmlToMarkdown } = await import("@workspace/markdown/from-html");
  return { markdown: htmlToMarkdown(html), isLast: true };
}

async function answer(request: RenderRequest): Promise<void> {
  try {
    if ("figures" in request) postMessage(await renderFigures(request.figures));
    else if ("html" in request) postMessage(await convertHtml(request.html));
    else for (const message of renderMessages(request.text)) postMessage(message);
  } catch {
    postMessage("too complex" satisfies WorkerMessage);
  }
}

addEventListener("message", ({ data }: MessageEvent<RenderRequest>) => void answer(data));
// Loading all this has taken a while; the time limit of a text starts now.
postMessage("ready" satisfies WorkerMessage);
