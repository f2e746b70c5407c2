import type { NanoUsd } from "../../platform/money.ts";
import type { PriceTable } from "../usage/token-price.ts";
import type { EmbeddingSettings } from "./embedding-endpoint.ts";
import type { ModelSettings } from "./model-endpoint.ts";
import type { EndpointAccess } from "./openai-client.ts";

/** What the workspace uses models for. Each may have a model of its own. */
export const MODEL_PURPOSES = ["chat", "agents", "extraction"] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/** The configured model, or why there is none, as a sentence for a person. */
export type ModelConfig = { readonly settings: ModelSettings } | { readonly problem: string };

/** A model that was chosen instead of that of the settings. */
export interface ModelChoice {
  /** The id of an endpoint in the settings; null for that of the environment. */
  readonly endpoint: string | null;
  readonly model: string;
}

/** An endpoint whose models can be chosen. */
export interface ChoosableEndpoint {
  /** Null for that of the environment. */
  readonly id: string | null;
  readonly name: string;
  /** The models that the settings name there. */
  readonly namedModels: readonly string[];
  /** How it is accessed, or why it cannot be. */
  readonly access: EndpointAccess | { readonly problem: string };
  /** The configuration of one of its models: the same object for the same name. */
  configOf(model: string): ModelConfig;
}

/** The models as they are configured now. */
export interface CurrentModels {
  readonly models: Readonly<Record<ModelPurpose, ModelConfig>>;
  /** The endpoints whose models can be chosen for a conversation. */
  readonly endpoints: readonly ChoosableEndpoint[];
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
