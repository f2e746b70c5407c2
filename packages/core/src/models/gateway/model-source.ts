import type { NanoUsd } from "../../platform/money.ts";
import type { PriceTable } from "../usage/token-price.ts";
import type { EmbeddingSettings } from "./embedding-endpoint.ts";
import type { ModelSettings } from "./model-endpoint.ts";

/** What the workspace uses models for. Each may have a model of its own. */
export const MODEL_PURPOSES = ["chat", "agents", "extraction"] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/** The configured model, or why there is none, as a sentence for a person. */
export type ModelConfig = { readonly settings: ModelSettings } | { readonly problem: string };

/** The models as they are configured now. */
export interface CurrentModels {
  readonly models: Readonly<Record<ModelPurpose, ModelConfig>>;
  /** Null if memories are searched by their words only. */
  readonly embeddings: EmbeddingSettings | null;
  readonly prices: PriceTable;
  /** What the whole workspace may spend per day; null for no limit. */
  readonly dailyLimit: NanoUsd | null;
}

/** Knows the current models, which may change while the server runs. */
export interface ModelSource {
  /** Returns the same object, with the same parts, until something has changed. */
  read(): Promise<CurrentModels>;
}
