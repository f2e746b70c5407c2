import * as z from "zod";
import { ModelError } from "./model-error.ts";
import { loadOpenAiClient, type EndpointAccess } from "./openai-client.ts";

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_MODELS = 1_000;
const MAX_NAME_LENGTH = 200;

const listOfModels = z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data);

/** The names of the models that an endpoint offers, sorted. Throws {@link ModelError}, and the signal's reason if it aborts. */
export async function listModels(access: EndpointAccess, signal: AbortSignal): Promise<readonly string[]> {
  const { client, toModelError } = await loadOpenAiClient(access, { maxBytes: MAX_RESPONSE_BYTES, of: "response" });
  try {
    // The library takes any page of a web site for an empty list.
    const models: readonly unknown[] = listOfModels.parse(
      await (await client.models.list({ signal }).asResponse()).json(),
    );
    const names = models.flatMap((model) =>
      typeof model === "object" && model !== null && "id" in model && typeof model.id === "string" ? [model.id] : [],
    );
    return names
      .filter((name) => name.length <= MAX_NAME_LENGTH)
      .slice(0, MAX_MODELS)
      .toSorted();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelError ? error : toModelError(error);
  }
}
