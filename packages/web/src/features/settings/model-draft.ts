import type { Inputs, Outputs } from "../../api/api.ts";
import type { EndpointPreset } from "./endpoint-presets.ts";

export type ModelSettings = Outputs["modelSettings"]["get"]["data"];
type SetModelSettings = Inputs["modelSettings"]["set"];

/** What models are used for, apart from vectors. */
export const PURPOSES = ["chat", "agents", "extraction"] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface EndpointDraft {
  readonly id: string;
  readonly name: string;
  /** Empty for OpenAI's own. */
  readonly baseUrl: string;
  /** Whether the server has a key for it. */
  readonly hasKey: boolean;
  /** What was typed; empty to keep what is stored. */
  readonly apiKey: string;
  /** Whether the stored key is to be removed. */
  readonly dropsKey: boolean;
}

export interface ChoiceDraft {
  readonly endpoint: string;
  readonly model: string;
  readonly maxOutputTokens: string;
}

export interface EmbeddingsDraft {
  readonly endpoint: string;
  readonly model: string;
  readonly dimensions: string;
}

export interface PriceDraft {
  readonly model: string;
  readonly input: string;
  readonly cachedInput: string;
  readonly output: string;
}

/** The form while it is edited. Numbers are texts. */
export interface ModelDraft {
  readonly endpoints: readonly EndpointDraft[];
  readonly choices: Readonly<Record<Purpose, ChoiceDraft | null>>;
  readonly embeddings: EmbeddingsDraft | null;
  readonly prices: readonly PriceDraft[];
  readonly dailyBudgetUsd: string;
}

const DEFAULT_OUTPUT_TOKENS = "4096";

export function toDraft(settings: ModelSettings): ModelDraft {
  const toChoice = (choice: ModelSettings["chat"]): ChoiceDraft | null =>
    choice === null ? null : { ...choice, maxOutputTokens: String(choice.maxOutputTokens) };
  const { embeddings } = settings;
  return {
    endpoints: settings.endpoints.map(({ baseUrl, ...endpoint }) => ({
      ...endpoint,
      baseUrl: baseUrl ?? "",
      apiKey: "",
      dropsKey: false,
    })),
    choices: {
      chat: toChoice(settings.chat),
      agents: toChoice(settings.agents),
      extraction: toChoice(settings.extraction),
    },
    embeddings: embeddings === null ? null : { ...embeddings, dimensions: toText(embeddings.dimensions) },
    prices: settings.prices.map(({ model, input, cachedInput, output }) => ({
      model,
      input: toText(input),
      cachedInput: toText(cachedInput),
      output: toText(output),
    })),
    dailyBudgetUsd: toText(settings.dailyBudgetUsd),
  };
}

/** What is sent. Numbers that are none are sent as such, and the server says which. */
export function toDocument(draft: ModelDraft, expectedVersion: number): SetModelSettings {
  const toChoice = (choice: ChoiceDraft | null) =>
    choice === null ? null : { ...choice, maxOutputTokens: Number(choice.maxOutputTokens) };
  const { chat, agents, extraction } = draft.choices;
  const { embeddings } = draft;
  return {
    expectedVersion,
    endpoints: draft.endpoints.map((endpoint) => ({
      id: endpoint.id,
      name: endpoint.name,
      baseUrl: toBaseUrl(endpoint.baseUrl),
      ...toGivenKey(endpoint),
    })),
    chat: toChoice(chat),
    agents: toChoice(agents),
    extraction: toChoice(extraction),
    embeddings: embeddings === null ? null : { ...embeddings, dimensions: toNumber(embeddings.dimensions) },
    prices: draft.prices.map(({ model, input, cachedInput, output }) => ({
      model,
      input: Number(input),
      cachedInput: toNumber(cachedInput),
      output: Number(output),
    })),
    dailyBudgetUsd: toNumber(draft.dailyBudgetUsd),
  };
}

export function toBaseUrl(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

/** The key to be sent: none to keep the stored one, null to remove it. */
export function toGivenKey({ apiKey, dropsKey }: EndpointDraft): { apiKey?: string | null } {
  if (apiKey.trim() !== "") return { apiKey: apiKey.trim() };
  return dropsKey ? { apiKey: null } : {};
}

/** Adds an endpoint. The first one serves the chat, whose model is still to be entered. */
export function withEndpoint(draft: ModelDraft, { id, name, baseUrl }: EndpointPreset): ModelDraft {
  const endpoint = { id: freeId(draft.endpoints, id), name, baseUrl, hasKey: false, apiKey: "", dropsKey: false };
  const endpoints = [...draft.endpoints, endpoint];
  const chat = draft.choices.chat ?? newChoice(endpoint.id);
  return { ...draft, endpoints, choices: { ...draft.choices, chat } };
}

/** Removes an endpoint, and the choices of its models. */
export function withoutEndpoint(draft: ModelDraft, id: string): ModelDraft {
  const keep = (choice: ChoiceDraft | null) => (choice?.endpoint === id ? null : choice);
  const { chat, agents, extraction } = draft.choices;
  return {
    ...draft,
    endpoints: draft.endpoints.filter((endpoint) => endpoint.id !== id),
    choices: { chat: keep(chat), agents: keep(agents), extraction: keep(extraction) },
    embeddings: draft.embeddings?.endpoint === id ? null : draft.embeddings,
  };
}

export function newChoice(endpoint: string): ChoiceDraft {
  return { endpoint, model: "", maxOutputTokens: DEFAULT_OUTPUT_TOKENS };
}

function freeId(endpoints: readonly EndpointDraft[], wanted: string): string {
  const taken = new Set(endpoints.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(id)) return id;
  }
}

function toText(number: number | null): string {
  return number === null ? "" : String(number);
}

function toNumber(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
