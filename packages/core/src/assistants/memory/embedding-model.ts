import type { PoolClient } from "@workspace/db";

/** Why there are no vectors. */
export const EMBEDDING_PROBLEMS = ["unavailable", "refused", "wrong dimensions", "no budget", "slow"] as const;
export type EmbeddingProblem = (typeof EMBEDDING_PROBLEMS)[number];

/** The embedding model gave no vectors. */
export class EmbeddingError extends Error {
  override readonly name = "EmbeddingError";
  readonly problem: EmbeddingProblem;
  /** Whether the endpoint may accept other texts. */
  readonly isAboutTexts: boolean;
  /** How long the endpoint asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;

  constructor(
    problem: EmbeddingProblem,
    options: { cause: unknown; isAboutTexts?: boolean; retryAfterMs?: number | null },
  ) {
    super(`The embedding model gave no vectors: ${problem}.`, { cause: options.cause });
    this.problem = problem;
    this.isAboutTexts = options.isAboutTexts ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** What a log line says of a failure: the reason of one that is to be expected, otherwise the whole error. */
export function toLogFields(error: unknown): object {
  if (!(error instanceof EmbeddingError)) return { err: error };
  const { problem, cause } = error;
  return { problem, reason: cause instanceof Error ? cause.message : undefined, code: innermostCode(cause) };
}

/** Such as ECONNREFUSED, which says why an endpoint is unreachable. */
function innermostCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return innermostCode(error.cause) ?? code;
}

export interface EmbeddingRequest {
  /** At least one. */
  readonly texts: readonly string[];
  /** What the texts are, for the usage record. */
  readonly purpose: "memories" | "searches";
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The vectors of texts, in their order. */
export interface Embeddings {
  /** Vectors of different spaces cannot be compared. */
  readonly space: string;
  readonly vectors: readonly Float32Array[];
}

/** The embedding model as memory needs it. */
export interface EmbeddingModel {
  /**
   * Gives similar texts similar vectors, and stores what `save` stores of them together with what they have cost, or neither;
   * `save` may be called again where that failed. Throws {@link EmbeddingError}, and the signal's reason if it aborts.
   */
  embed(
    request: EmbeddingRequest,
    save?: (client: PoolClient, embeddings: Embeddings) => Promise<void>,
  ): Promise<Embeddings>;
}
