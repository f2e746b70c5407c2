import type { Figure, Piece } from "@workspace/markdown";
import type { RenderedFigure } from "@workspace/markdown/figures";
import type { RenderRequest, WorkerMessage } from "./markdown-worker.ts";

/** The same limit as for a shared page. */
const DEADLINE_MS = 3_000;
/** For loading and starting the renderer, even over a slow connection. */
const LOAD_DEADLINE_MS = 20_000;
/** After this long without work, the worker is terminated to free its memory. */
const IDLE_MS = 60_000;

/** Rendering takes too long or needs too much memory, or the renderer could not be loaded. */
export class RenderError extends Error {}

type Result = Exclude<WorkerMessage, "ready" | "too complex">;

interface Job {
  readonly request: RenderRequest;
  readonly receive: (result: Result) => void;
  readonly fail: () => void;
}

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

export const markdownThread = createMarkdownThread(
  () => new Worker(new URL("markdown-worker.ts", import.meta.url), { type: "module" }),
);

function createMarkdownThread(startWorker: () => Worker): MarkdownThread {
  const waiting: Job[] = [];
  const cancelled = new WeakSet<Job>();
  let worker: Worker | null = null;
  let isReady = false;
  let running: Job | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    isReady = false;
  }

  /** Terminates the worker together with its current text. */
  function abandon(): void {
    const job = running;
    running = null;
    stop();
    job?.fail();
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
    worker ??= start();
    if (isReady) begin(worker, running);
    else timer = setTimeout(abandon, LOAD_DEADLINE_MS);
  }

  function begin(started: Worker, { request }: Job): void {
    clearTimeout(timer);
    timer = setTimeout(abandon, DEADLINE_MS);
    started.postMessage(request);
  }

  function start(): Worker {
    const started = startWorker();
    started.addEventListener("error", () => started === worker && abandon());
    started.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      if (started === worker) onMessage(started, data);
    });
    return started;
  }

  function onMessage(started: Worker, message: WorkerMessage): void {
    if (message === "ready") {
      isReady = true;
      if (running !== null) begin(started, running);
      return;
    }
    const job = running;
    if (message === "too complex" || message.isLast) running = null;
    if (message === "too complex") job?.fail();
    else job?.receive(message);
    next();
  }

  function enqueue(job: Job): void {
    waiting.push(job);
    if (running !== null && cancelled.has(running)) abandon();
    else next();
  }

  function cancel(job: Job): void {
    cancelled.add(job);
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
    if (job === running && waiting.length > 0) abandon();
  }

  return {
    prepare() {
      worker ??= start();
      if (running === null) next();
    },

    render: (text, signal) => renderJob({ enqueue, cancel }, text, signal),

    async renderFigures(figures) {
      const result = await resultOf(enqueue, { figures });
      return "figures" in result ? result.figures : [];
    },

    async convertHtml(html) {
      const result = await resultOf(enqueue, { html });
      return "markdown" in result ? result.markdown : "";
    },
  };
}

/** The result of what has only one. */
function resultOf(enqueue: (job: Job) => void, request: RenderRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    enqueue({ request, receive: resolve, fail: () => reject(new RenderError("It could not be done in time.")) });
  });
}

interface JobQueue {
  enqueue(job: Job): void;
  cancel(job: Job): void;
}

/** Yields the pieces of a text while a job renders it. */
async function* renderJob({ enqueue, cancel }: JobQueue, text: string, signal: AbortSignal) {
  const batches = createQueue<readonly Piece[]>();
  const job: Job = {
    request: { text },
    receive: (result) => batches.put("pieces" in result ? result.pieces : [], result.isLast),
    fail: () => batches.fail(new RenderError("The text could not be rendered in time.")),
  };
  const onAbort = () => {
    cancel(job);
    batches.fail(new RenderError("Rendering was cancelled."));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  enqueue(job);
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
