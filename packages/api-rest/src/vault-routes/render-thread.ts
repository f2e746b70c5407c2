import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

/** Rendering a text is given up after this time; an ordinary one of half a megabyte takes about a second. */
const DEADLINE_MS = 3_000;
/** How many texts may be queued. */
const MAX_WAITING = 32;
/** After this time without work, the thread is stopped to free its memory. */
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 192;
/** In characters; an ordinary one of this length takes a tenth of a second. */
const LONGEST_SHORT_TEXT = 64 * 1024;

export interface RenderRequest {
  readonly text: string;
  /** The URL of a file that the text embeds, without the file's path at the end, and below the base path. */
  readonly fileUrl: string;
  /** The path below which the server is; by default the root of its host. */
  readonly basePath?: string;
}

/** A page that Notion has exported as HTML, which becomes Markdown. */
export interface ConvertRequest {
  readonly notionHtml: string;
}

export interface RenderThreadOptions {
  /** The script of the thread: `share-page-worker`, as JavaScript. */
  readonly workerUrl: URL;
  readonly deadlineMs?: number;
  readonly idleMs?: number;
}

/** The outcome: the HTML, or the Markdown of a page that was converted, or why there is none. */
export type Rendering = { readonly html: string } | "too hard" | "too busy";

export interface RenderThread {
  /** Whether the thread is currently running. */
  readonly isRunning: boolean;
  /** Never rejects. */
  render(request: RenderRequest | ConvertRequest): Promise<Rendering>;
  /** Stops the thread; queued texts are "too busy". */
  close(): Promise<void>;
}

/**
 * One thread for short texts and one for long texts, so that short texts never wait for long ones, each of which may take
 * seconds.
 */
export function createRenderThreads(options: RenderThreadOptions): RenderThread {
  const [forShort, forLong] = [createRenderThread(options), createRenderThread(options)];
  return {
    get isRunning() {
      return forShort.isRunning || forLong.isRunning;
    },
    render: (request) => (isShort(request) ? forShort : forLong).render(request),
    async close() {
      await Promise.all([forShort.close(), forLong.close()]);
    },
  };
}

function isShort(request: RenderRequest | ConvertRequest): boolean {
  return "text" in request && request.text.length <= LONGEST_SHORT_TEXT;
}

/**
 * Renders Markdown in a thread of its own, one text at a time, so that no text can delay any requests but those for shared pages.
 * The thread is started on first use, and stopped if a text takes too long or nothing has been rendered for a while.
 */
export function createRenderThread(options: RenderThreadOptions): RenderThread {
  const { workerUrl, deadlineMs = DEADLINE_MS, idleMs = IDLE_MS } = options;
  const inTurn = pLimit({ concurrency: 1, rejectOnClear: true });
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function start(): Promise<Worker> {
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    started.unref();
    await once(started, "message");
    // A crash between two texts affects neither of them.
    started.on("error", () => (worker = undefined));
    return started;
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  }

  async function render(request: RenderRequest | ConvertRequest): Promise<Rendering> {
    clearTimeout(idle);
    try {
      worker ??= await start();
      const responded = once(worker, "message", { signal: AbortSignal.timeout(deadlineMs) });
      worker.postMessage(request);
      const [html]: unknown[] = await responded;
      return typeof html === "string" ? { html } : "too hard";
    } catch {
      // It took too long or needed too much memory.
      await stop();
      return "too hard";
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref();
    }
  }

  return {
    get isRunning() {
      return worker !== undefined;
    },

    async render(request) {
      if (inTurn.pendingCount >= MAX_WAITING) return "too busy";
      // Only texts that are still queued when the thread is closed are rejected.
      return inTurn(render, request).catch(() => "too busy");
    },

    async close() {
      inTurn.clearQueue();
      clearTimeout(idle);
      await stop();
    },
  };
}
