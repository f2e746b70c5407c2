import type { EmbeddingSettings } from "../gateway/embedding-endpoint.ts";
import type { ModelSettings } from "../gateway/model-endpoint.ts";
import type { PriceTable } from "../usage/token-price.ts";

/** The models that the server's environment determines. They have precedence over what is chosen in the dashboard. */
export interface EnvironmentModels {
  /** The model for everything, or the names of the variables that are missing for one. */
  readonly model: { readonly settings: ModelSettings } | { readonly missing: readonly string[] };
  readonly embeddings: EmbeddingSettings | null;
  /** Prices that replace others; empty if there are none. */
  readonly prices: PriceTable;
  readonly dailyBudgetUsd: number | null;
  /** How long any model's endpoint may be silent, before or during its answer. */
  readonly silenceTimeoutMs: number;
}
