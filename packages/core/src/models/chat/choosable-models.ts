import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import { listModels } from "../gateway/list-models.ts";
import type { ChoosableEndpoint, ModelSource } from "../gateway/model-source.ts";
import type { ChoosableModels } from "./conversation.schema.ts";

const TIMEOUT_MS = 5_000;
const KEPT_MS = 5 * 60_000;
const MAX_MODELS = 1_000;
/** Models that endpoints list beside those that hold conversations. */
const OTHER_MODELS = /embed|whisper|tts|dall-e|image|moderation|audio|realtime|transcribe|sora|davinci|babbage|rerank/i;

type Listed = { readonly models: readonly string[] } | { readonly problem: string };

/** Lists the models that can be chosen for a conversation: those of the settings, and those that their endpoints offer. */
export function createChoosableModels({ source, clock }: Deps<"clock"> & { readonly source: ModelSource }) {
  const known = new WeakMap<ChoosableEndpoint, { readonly atMs: number; readonly listed: Promise<Listed> }>();

  function list(endpoint: ChoosableEndpoint): Promise<Listed> {
    const nowMs = clock.now().getTime();
    const before = known.get(endpoint);
    if (before !== undefined && nowMs - before.atMs < KEPT_MS) return before.listed;
    const listed = listNow(endpoint).then((result) => {
      // What failed is tried again by the next call.
      if ("problem" in result) known.delete(endpoint);
      return result;
    });
    known.set(endpoint, { atMs: nowMs, listed });
    return listed;
  }

  return async function listChoosableModels(): Promise<ChoosableModels> {
    const { models, endpoints, prices } = await source.read();
    const toEntry = async (endpoint: ChoosableEndpoint) => {
      const listed = await list(endpoint);
      const offered = "problem" in listed ? [] : listed.models.filter((name) => !OTHER_MODELS.test(name));
      const names = [...new Set([...endpoint.namedModels, ...offered])].toSorted().slice(0, MAX_MODELS);
      return {
        endpoint: endpoint.id,
        name: endpoint.name,
        models: names.map((model) => ({ model, isPriceKnown: prices.has(model) })),
        problem: "problem" in listed ? listed.problem : null,
      };
    };
    return {
      default: "settings" in models.chat ? models.chat.settings.model : null,
      endpoints: await Promise.all(endpoints.map(toEntry)),
    };
  };
}

async function listNow({ access }: ChoosableEndpoint): Promise<Listed> {
  if ("problem" in access) return access;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return { models: await listModels(access, signal) };
  } catch (error) {
    if (signal.aborted) return { problem: `It did not list its models within ${TIMEOUT_MS / 1000} seconds.` };
    if (error instanceof DomainError) return { problem: error.message };
    throw error;
  }
}
