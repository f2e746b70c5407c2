import { expect, test } from "vitest";
import { ENDPOINT_PRESETS } from "./endpoint-presets.ts";
import { newChoice, toDocument, toDraft, withEndpoint, withoutEndpoint, type ModelSettings } from "./model-draft.ts";

const [OPENAI] = ENDPOINT_PRESETS;
const STORED: ModelSettings = {
  endpoints: [{ id: "a", name: "A", baseUrl: null, hasKey: true }],
  chat: { endpoint: "a", model: "m", maxOutputTokens: 100 },
  agents: null,
  extraction: null,
  embeddings: { endpoint: "a", model: "v", dimensions: null },
  prices: [{ model: "m", input: 0.25, cachedInput: null, output: 2 }],
  dailyBudgetUsd: 1.5,
  environment: { model: null, embeddingModel: null, pricedModels: [], dailyBudgetUsd: null },
  version: 3,
  updatedAt: null,
};

test("what is not changed is sent as it was, without a key", () => {
  const { environment: _environment, updatedAt: _updatedAt, version, ...document } = STORED;
  const endpoints = [{ id: "a", name: "A", baseUrl: null }];
  expect(toDocument(toDraft(STORED), version)).toEqual({ ...document, endpoints, expectedVersion: 3 });
});

test("a key is sent if it was typed, and null if it is to be removed", () => {
  const draft = toDraft(STORED);
  const withKey = (change: object) =>
    toDocument({ ...draft, endpoints: draft.endpoints.map((endpoint) => ({ ...endpoint, ...change })) }, 3)
      .endpoints[0];
  expect(withKey({ apiKey: " sk-1 " })).toMatchObject({ apiKey: "sk-1" });
  expect(withKey({ dropsKey: true })).toMatchObject({ apiKey: null });
});

test("endpoints get ids of their own, and the first one serves the chat", () => {
  const empty = toDraft({ ...STORED, endpoints: [], chat: null, embeddings: null });
  if (OPENAI === undefined) throw new Error("There is no preset.");
  const draft = withEndpoint(withEndpoint(empty, OPENAI), OPENAI);
  expect(draft.endpoints.map(({ id }) => id)).toEqual(["openai", "openai-2"]);
  expect(draft.choices.chat).toEqual(newChoice("openai"));
});

test("with an endpoint go the choices of its models", () => {
  expect(withoutEndpoint(toDraft(STORED), "a")).toMatchObject({
    endpoints: [],
    choices: { chat: null, agents: null, extraction: null },
    embeddings: null,
  });
});
