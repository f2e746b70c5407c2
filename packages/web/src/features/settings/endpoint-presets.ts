/** An endpoint that many people use. */
export interface EndpointPreset {
  readonly id: string;
  readonly name: string;
  /** Empty for OpenAI's own. */
  readonly baseUrl: string;
  /** Where a key comes from; null if none is needed. */
  readonly keyUrl: string | null;
}

/** Endpoints that speak OpenAI's protocol, by their documented addresses. */
export const ENDPOINT_PRESETS: readonly EndpointPreset[] = [
  { id: "openai", name: "OpenAI", baseUrl: "", keyUrl: "https://platform.openai.com/api-keys" },
  {
    id: "anthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1/",
    keyUrl: "https://console.anthropic.com/settings/keys",
  },
  {
    id: "gemini",
    name: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
    keyUrl: "https://aistudio.google.com/apikey",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyUrl: "https://openrouter.ai/settings/keys",
  },
  { id: "ollama", name: "Ollama on the server", baseUrl: "http://localhost:11434/v1", keyUrl: null },
  { id: "lm-studio", name: "LM Studio on the server", baseUrl: "http://localhost:1234/v1", keyUrl: null },
];

/** Anything else. */
export const OTHER_ENDPOINT: EndpointPreset = {
  id: "other",
  name: "Other endpoint",
  baseUrl: "https://",
  keyUrl: null,
};
