import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A text that takes longer is not worth a page; an ordinary one of half a megabyte takes about a second. */
const DEADLINE_MS = 3_000;
/** So many texts may wait for their turn. */
const MAX_WAITING = 32;
/** After so long without work the thread ends and gives its memory back. */
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 192;
/** In characters; an ordinary one of this length takes a tenth of a second. */
const LONGEST_SHORT_TEXT = 64 * 1024;

export interface RenderRequest {
  readonly text: string;
  /** The address of a file that the text shows, but for the file's path. */
  readonly fileUrl: string;
}

export interface RenderThreadOptions {
  /** The program that renders: `share-page-worker`, as JavaScript. */
  readonly workerUrl: URL;
  readonly deadlineMs?: number;
  readonly idleMs?: number;
}

/** What became of a text: its HTML, or why it has none. */
export type Rendering = { readonly html: string } | "too hard" | "too busy";

interface Job {
  readonly request: RenderRequest;
  readonly resolve: (rendering: Rendering) => void;
}

export interface RenderThread {
  /** Whether it runs at present. */
  readonly isRunning: boolean;
  /** Never rejects. */
  render(request: RenderRequest): Promise<Rendering>;
  /** Ends it; what waits is answered as too busy. */
  close(): Promise<void>;
}

/**
 * A thread for short texts and one for long ones, so that a short text never waits behind long ones, each of which may take
 * seconds.
 */
export function createRenderThreads(options: RenderThreadOptions): RenderThread {
  const [forShort, forLong] = [createRenderThread(options), createRenderThread(options)];
  return {
    get isRunning() {
      return forShort.isRunning || forLong.isRunning;
    },
    render: (request) => (request.text.length <= LONGEST_SHORT_TEXT ? forShort : forLong).render(request),
    async close() {
      await Promise.all([forShort.close(), forLong.close()]);
    },
  };
}

/**
 * Renders Markdown in a thread of its own, one text at a time, so that whatever is in a text keeps no request waiting but
 * those for such pages. The thread is started when it is first needed, ended with any text that takes too long, and ended
 * when nothing has been rendered for a while.
 */
export function createRenderThread(options: RenderThreadOptions): RenderThread {
  const { workerUrl, deadlineMs = DEADLINE_MS, idleMs = IDLE_MS } = options;
  const waiting: Job[] = [];
  let worker: Worker | undefined;
  let working: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function start(): Promise<Worker> {
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    started.unref();
    await once(started, "message");
    // What ends it between two texts concerns neither of them.
    started.on("error", () => (worker = undefined));
    return started;
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  async function render(request: RenderRequest): Promise<Rendering> {
    try {
      worker ??= await start();
      const answered = once(worker, "message", { signal: AbortSignal.timeout(deadlineMs) });
      worker.postMessage(request);
      const [html]: unknown[] = await answered;
      return typeof html === "string" ? { html } : "too hard";
    } catch {
      // It took too long or too much memory.
      await stop();
      return "too hard";
    }
  }

  async function work(): Promise<void> {
    clearTimeout(idle);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) job.resolve(await render(job.request));
    working = undefined;
    idle = setTimeout(() => void stop(), idleMs).unref();
  }

  return {
    get isRunning() {
      return worker !== undefined;
    },

    async render(request) {
      if (waiting.length >= MAX_WAITING) return "too busy";
      return new Promise((resolve) => {
        waiting.push({ request, resolve });
        working ??= work();
      });
    },

    async close() {
      for (const { resolve } of waiting.splice(0)) resolve("too busy");
      clearTimeout(idle);
      await stop();
    },
  };
}
