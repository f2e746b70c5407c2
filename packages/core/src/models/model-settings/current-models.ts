import { fromUsd } from "../../platform/money.ts";
import type { EmbeddingSettings } from "../gateway/embedding-endpoint.ts";
import type { ModelSettings } from "../gateway/model-endpoint.ts";
import type { ChoosableEndpoint, CurrentModels, ModelConfig } from "../gateway/model-source.ts";
import { createPriceTable, parsePriceTable, type PriceTable } from "../usage/token-price.ts";
import type { EnvironmentModels } from "./environment-models.ts";
import type { ModelSettingsDocument, StoredEndpoint } from "./model-settings.schema.ts";

/** Sent where no key is configured, because the client library requires one. */
export const NO_API_KEY = "none";

/** What is stored, with the keys. */
export interface OpenedModelSettings {
  readonly document: ModelSettingsDocument;
  /** By the endpoint's id. Null if the endpoint has none; undefined if it was deleted. */
  readonly apiKeys: ReadonlyMap<string, string | null | undefined>;
}

/** The models to be used: those of the environment, and of what is stored for all that it leaves open. */
export function toCurrentModels(environment: EnvironmentModels, stored: OpenedModelSettings | null): CurrentModels {
  const chat = toChatModel(environment, stored);
  const ownModel = (purpose: "agents" | "extraction"): ModelConfig => {
    const chosen = stored?.document[purpose] ?? null;
    const isFixed = stored === null || chosen === null || "settings" in environment.model;
    return isFixed ? chat : toModel(environment, stored, chosen);
  };
  const { dailyBudgetUsd: storedBudget = null } = stored?.document ?? {};
  const dailyBudgetUsd = environment.dailyBudgetUsd ?? storedBudget;
  return {
    models: { chat, agents: ownModel("agents"), extraction: ownModel("extraction") },
    endpoints: toEndpoints(environment, stored, chat),
    embeddings: environment.embeddings ?? toEmbeddings(stored),
    prices: createPriceTable(new Map([...toPrices(stored), ...environment.prices])),
    dailyLimit: dailyBudgetUsd === null ? null : fromUsd(dailyBudgetUsd),
  };
}

function toChatModel(environment: EnvironmentModels, stored: OpenedModelSettings | null): ModelConfig {
  if ("settings" in environment.model) return { settings: environment.model.settings };
  const chosen = stored?.document.chat ?? null;
  if (stored !== null && chosen !== null) return toModel(environment, stored, chosen);
  const variables = environment.model.missing.join(" and ");
  return {
    problem: `No model is configured. Choose one in the dashboard's settings, or set ${variables} and restart the server.`,
  };
}

function toModel(
  { silenceTimeoutMs }: EnvironmentModels,
  stored: OpenedModelSettings,
  { endpoint: id, model, maxOutputTokens }: NonNullable<ModelSettingsDocument["chat"]>,
): ModelConfig {
  const found = findEndpoint(stored, id);
  if ("problem" in found) return found;
  const settings: ModelSettings = { ...found, model, maxOutputTokens, silenceTimeoutMs };
  return { settings };
}

/** So many configurations of models that somebody has chosen are kept at a time. */
const MAX_CHOSEN = 100;
const DEFAULT_OUTPUT_TOKENS = 4_096;

function toEndpoints(
  { model: ofEnvironment, silenceTimeoutMs }: EnvironmentModels,
  stored: OpenedModelSettings | null,
  chat: ModelConfig,
): ChoosableEndpoint[] {
  const maxOutputTokens = "settings" in chat ? chat.settings.maxOutputTokens : DEFAULT_OUTPUT_TOKENS;
  const toEndpoint = (entry: Omit<ChoosableEndpoint, "configOf">): ChoosableEndpoint => {
    const { access } = entry;
    const chosen = new Map<string, ModelConfig>();
    const configOf = (model: string): ModelConfig => {
      if ("problem" in access) return access;
      if (chosen.size >= MAX_CHOSEN) chosen.clear();
      const config = chosen.get(model) ?? { settings: { ...access, model, maxOutputTokens, silenceTimeoutMs } };
      chosen.set(model, config);
      return config;
    };
    return { ...entry, configOf };
  };
  const endpoints: ChoosableEndpoint[] = [];
  if ("settings" in ofEnvironment) {
    const { apiKey, baseUrl, model } = ofEnvironment.settings;
    const name = baseUrl === null ? "OpenAI" : new URL(baseUrl).host;
    endpoints.push(toEndpoint({ id: null, name, namedModels: [model], access: { apiKey, baseUrl } }));
  }
  if (stored === null) return endpoints;
  const { endpoints: known, chat: forChat, agents, extraction } = stored.document;
  for (const { id, name } of known) {
    const named = [forChat, agents, extraction].flatMap((chosen) => (chosen?.endpoint === id ? [chosen.model] : []));
    endpoints.push(toEndpoint({ id, name, namedModels: named, access: findEndpoint(stored, id) }));
  }
  return endpoints;
}

function toEmbeddings(stored: OpenedModelSettings | null): EmbeddingSettings | null {
  const chosen = stored?.document.embeddings ?? null;
  if (stored === null || chosen === null) return null;
  const found = findEndpoint(stored, chosen.endpoint);
  // Its endpoint refuses the request, and so health says that memories get no vectors.
  const access = "problem" in found ? { baseUrl: found.baseUrl, apiKey: NO_API_KEY } : found;
  return { ...access, model: chosen.model, dimensions: chosen.dimensions };
}

type FoundEndpoint = Pick<StoredEndpoint, "baseUrl"> & ({ readonly apiKey: string } | { readonly problem: string });

function findEndpoint({ document, apiKeys }: OpenedModelSettings, id: string): FoundEndpoint {
  const endpoint = document.endpoints.find((candidate) => candidate.id === id);
  const apiKey = apiKeys.get(id);
  if (endpoint === undefined || apiKey === undefined) {
    const name = endpoint?.name ?? id;
    const problem = `No model is configured: the API key of “${name}” was deleted. Enter it again in the dashboard's settings.`;
    return { baseUrl: endpoint?.baseUrl ?? null, problem };
  }
  return { baseUrl: endpoint.baseUrl, apiKey: apiKey ?? NO_API_KEY };
}

function toPrices(stored: OpenedModelSettings | null): PriceTable {
  const rows = stored?.document.prices ?? [];
  return new Map(
    rows.flatMap(({ model, input, cachedInput, output }) => {
      const price = { input, output, ...(cachedInput !== null && { cachedInput }) };
      return [...parsePriceTable({ price }).values()].map((parsed) => [model, parsed] as const);
    }),
  );
}
