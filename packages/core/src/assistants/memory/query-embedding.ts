import type { Logger } from "../../platform/logger.ts";
import { EmbeddingError, toLogFields, type EmbeddingModel, type EmbeddingProblem } from "./embedding-model.ts";
import { toSignature } from "./embedding-signature.ts";

/** A longer query is cut, because what comes first says most. */
const MAX_CHARACTERS = 2_000;
/** How long a response is useful: the next search for the same may come later. */
const CALL_TIMEOUT_MS = 10_000;
const MAX_CACHED = 500;
/** After a failure, and twice as long after each further one, no search waits for the model. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 10 * 60_000;

/** How long a search waits for the model, and how long a prompt, which itself does not wait for long. */
export const SEARCH_WAIT_MS = 600;
export const PROMPT_WAIT_MS = 200;

/** A query as stored vectors are compared with it. */
export interface QueryEmbedding {
  readonly space: string;
  readonly signature: string;
}

export interface QueryEmbeddings {
  /** Null if the model does not respond in time, or did not lately. Never throws. */
  find(query: string, waitMs: number): Promise<QueryEmbedding | null>;
}

/** For a workspace without an embedding model. */
export const NO_QUERY_EMBEDDINGS: QueryEmbeddings = { find: async () => null };

/** A time in which those do without the model that would wait for it no longer than this. */
interface Pause {
  readonly problem: EmbeddingProblem;
  readonly waitMs: number;
  readonly untilMs: number;
}

/** Asks the model for vectors of queries, in such a way that one that fails or is slow does not delay every search. */
export function createQueryEmbeddings(
  { model, logger }: { readonly model: EmbeddingModel; readonly logger: Logger },
  signal: AbortSignal,
): QueryEmbeddings & { readonly problem: EmbeddingProblem | null } {
  const cached = new Map<string, Promise<QueryEmbedding | null>>();
  let pause: Pause | null = null;
  let failures = 0;

  function problemWithin(waitMs: number): EmbeddingProblem | null {
    const isPaused = pause !== null && waitMs <= pause.waitMs && performance.now() < pause.untilMs;
    return isPaused ? (pause?.problem ?? null) : null;
  }

  function noteFailure(problem: EmbeddingProblem, waitMs: number): void {
    const durationMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
    pause = { problem, waitMs, untilMs: performance.now() + durationMs };
    failures += 1;
  }

  async function ask(text: string): Promise<QueryEmbedding | null> {
    try {
      const { space, vectors } = await model.embed({
        texts: [text],
        purpose: "searches",
        timeoutMs: CALL_TIMEOUT_MS,
        signal,
      });
      const [vector] = vectors;
      return vector === undefined ? null : { space, signature: toSignature(vector) };
    } catch (error) {
      cached.delete(text);
      if (signal.aborted) return null;
      logger.warn(toLogFields(error), "a search did without vectors");
      // A text that is refused says nothing about others.
      if (!(error instanceof EmbeddingError && error.isAboutTexts))
        noteFailure(error instanceof EmbeddingError ? error.problem : "unavailable", Infinity);
      return null;
    }
  }

  function remember(text: string, pending: Promise<QueryEmbedding | null>): void {
    // The last one asked for is the last one forgotten.
    cached.delete(text);
    cached.set(text, pending);
    for (const oldest of cached.keys()) {
      if (cached.size <= MAX_CACHED) break;
      cached.delete(oldest);
    }
  }

  return {
    get problem() {
      return problemWithin(SEARCH_WAIT_MS);
    },

    async find(query, waitMs) {
      const text = query.slice(0, MAX_CHARACTERS).toWellFormed().trim();
      const isPaused = problemWithin(waitMs) !== null;
      const known = cached.get(text);
      if (text === "" || (known === undefined && isPaused)) return null;
      const pending = known ?? ask(text);
      remember(text, pending);
      const found = await within(pending, isPaused ? 0 : waitMs);
      if (found === "late" && !isPaused) noteFailure("slow", waitMs);
      if (found === "late" || found === null) return null;
      failures = 0;
      return found;
    },
  };
}

async function within<Value>(pending: Promise<Value>, waitMs: number): Promise<Value | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), waitMs);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
