import type { Figure, Piece } from "@workspace/markdown";
import type { RenderedFigure } from "@workspace/markdown/figures";
import { createJobThread, type Helper, type HelperEvents, type Job, type JobThread } from "./job-thread.ts";
import type { RenderRequest, WorkerMessage } from "./markdown-worker.ts";

/** Longer than the worker takes before it leaves the rest of a text as it was written. The same limit as for a shared page. */
const DEADLINE_MS = 3_000;
/** Rendering takes too long or needs too much memory, or the renderer could not be loaded. */
export class RenderError extends Error {}

type WorkerResult = Exclude<WorkerMessage, "ready">;
type Result = Exclude<WorkerResult, "too complex">;
type RenderThread = JobThread<RenderRequest, WorkerResult>;

/** Renders Markdown in a worker, one text at a time, whatever the text contains. */
export interface MarkdownThread {
  /** Starts the worker if it is not running, in anticipation of a text. */
  prepare(): void;
  /**
   * Yields the text's pieces as they are rendered. Throws {@link RenderError}. If the signal is aborted, the text is
   * abandoned; if another text is waiting, the worker is restarted for it.
   */
  render(text: string, signal: AbortSignal): AsyncGenerator<readonly Piece[]>;
  /** Renders code and formulas, all within the time for one text. Throws {@link RenderError}. */
  renderFigures(figures: readonly Figure[]): Promise<readonly RenderedFigure[]>;
  /** Converts HTML, such as that of a clipboard, to Markdown. Throws {@link RenderError}. */
  convertHtml(html: string): Promise<string>;
}

export const markdownThread = createMarkdownThread();

function createMarkdownThread(): MarkdownThread {
  const thread: RenderThread = createJobThread(startWorker, DEADLINE_MS);
  return {
    prepare: () => thread.prepare(),

    render: (text, signal) => renderJob(thread, text, signal),

    async renderFigures(figures) {
      const result = await resultOf(thread, { figures });
      return "figures" in result ? result.figures : [];
    },

    async convertHtml(html) {
      const result = await resultOf(thread, { html });
      return "markdown" in result ? result.markdown : "";
    },
  };
}

function startWorker({ ready, result, failed }: HelperEvents<WorkerResult>): Helper<RenderRequest> {
  const worker = new Worker(new URL("markdown-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("error", failed);
  worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data === "ready") ready();
    else result(data);
  });
  return { send: (request) => worker.postMessage(request), end: () => worker.terminate() };
}

/** A job whose results are handed on, unless it is too complex. */
function jobFor(
  request: RenderRequest,
  { receive, fail }: { receive(result: Result): void; fail(): void },
): Job<RenderRequest, WorkerResult> {
  return {
    request,
    receive(result) {
      if (result === "too complex") fail();
      else receive(result);
      return result === "too complex" || result.isLast;
    },
    fail,
  };
}

/** The result of what has only one. */
function resultOf(thread: RenderThread, request: RenderRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new RenderError("It could not be done in time."));
    thread.add(jobFor(request, { receive: resolve, fail }));
  });
}

/** Yields the pieces of a text while a job renders it. */
async function* renderJob(thread: RenderThread, text: string, signal: AbortSignal) {
  const batches = createQueue<readonly Piece[]>();
  const job = jobFor(
    { text },
    {
      receive: (result) => batches.put("pieces" in result ? result.pieces : [], result.isLast),
      fail: () => batches.fail(new RenderError("The text could not be rendered in time.")),
    },
  );
  const onAbort = () => {
    thread.cancel(job);
    batches.fail(new RenderError("Rendering was cancelled."));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  thread.add(job);
  try {
    yield* batches.read();
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Values that are pushed one after the other and read as they arrive. */
function createQueue<Value>() {
  const values: { value: Value; isLast: boolean }[] = [];
  let failure: Error | null = null;
  let wake = () => {};
  return {
    put(value: Value, isLast: boolean): void {
      values.push({ value, isLast });
      wake();
    },
    fail(error: Error): void {
      failure = error;
      wake();
    },
    async *read(): AsyncGenerator<Value> {
      for (;;) {
        const next = values.shift();
        if (next !== undefined) {
          yield next.value;
          if (next.isLast) return;
        } else if (failure !== null) {
          throw failure;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    },
  };
}
