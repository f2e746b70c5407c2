import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { toBaseUrl, toGivenKey, type EndpointDraft } from "./model-draft.ts";

export type ModelTestResult = Pick<Outputs["modelSettings"]["test"]["data"], "ok" | "message" | "models">;

interface TestedModel {
  readonly kind: "chat" | "embeddings";
  readonly model: string;
}

/** What came of trying out endpoints and models, by what was tried out. */
export interface ModelTests {
  /** Undefined if it was not tried out; null while that is in progress. */
  resultOf(key: string): ModelTestResult | null | undefined;
  /** The models that the endpoint has listed. */
  modelsOf(endpointId: string): readonly string[];
  /** Tries out a model, or without one, lists those of the endpoint. */
  run(key: string, endpoint: EndpointDraft, tested?: TestedModel): void;
}

export function useModelTests(): ModelTests {
  const client = useClient();
  const [results, setResults] = useState<Readonly<Record<string, ModelTestResult | null>>>({});
  const set = (key: string, result: ModelTestResult | null) => setResults((before) => ({ ...before, [key]: result }));

  const run = async (key: string, endpoint: EndpointDraft, tested?: TestedModel) => {
    set(key, null);
    try {
      const { id, baseUrl } = endpoint;
      const request = { endpoint: id, baseUrl: toBaseUrl(baseUrl), ...toGivenKey(endpoint), ...tested };
      set(key, (await client.api.modelSettings.test.mutate(request)).data);
    } catch (error) {
      set(key, { ok: false, message: toRequestError(error).message, models: null });
    }
  };
  return {
    resultOf: (key) => results[key],
    modelsOf: (endpointId) => results[endpointId]?.models ?? [],
    run: (key, endpoint, tested) => void run(key, endpoint, tested),
  };
}
