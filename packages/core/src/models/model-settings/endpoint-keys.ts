import { createOwnedSecrets } from "../../access/secrets/owned-secrets.ts";
import type { SecretService } from "../../access/secrets/secret.service.ts";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { API_KEY_SECRET_PREFIX } from "./model-settings.queries.ts";
import type { SetModelSettings, StoredEndpoint } from "./model-settings.schema.ts";

/** Who reads the keys, in the record of accesses. */
const READER = "server:models";

export interface EndpointKeysDeps extends Deps<"ids"> {
  readonly secrets: Pick<SecretService, "create" | "delete" | "useValue">;
}

/** The API keys of endpoints, each of which is a secret of its own, and never replaced: a new key is a new secret. */
export function createEndpointKeys({ ids, secrets }: EndpointKeysDeps) {
  const owned = createOwnedSecrets({ ids, secrets, prefix: API_KEY_SECRET_PREFIX, reader: READER });
  const store = (name: string, value: string, actor: string): Promise<string> =>
    owned.store(value, `API key of the model endpoint “${name}”`, actor);

  return {
    remove: owned.remove,
    /** Undefined if the secret was deleted. */
    read: owned.read,

    /**
     * Stores the keys that are given. Throws {@link InvalidInputError} if a stored key would be sent to another server; then
     * none of them is stored.
     */
    async storeGiven(
      given: SetModelSettings["endpoints"],
      before: readonly StoredEndpoint[],
      actor: string,
    ): Promise<readonly StoredEndpoint[]> {
      const kept = given.map(({ apiKey, ...endpoint }, index) => {
        const known = before.find(({ id }) => id === endpoint.id);
        if (apiKey !== undefined || known === undefined || known.secretKey === null) return null;
        if (hasSameOrigin(known, endpoint)) return known.secretKey;
        const path = `endpoints.${index}.apiKey`;
        throw InvalidInputError.at(path, "must be entered again, since the URL is another server's");
      });
      const stored: StoredEndpoint[] = [];
      for (const [index, { apiKey, ...endpoint }] of given.entries()) {
        const isNew = apiKey !== undefined && apiKey !== null;
        const secretKey = isNew ? await store(endpoint.name, apiKey, actor) : (kept[index] ?? null);
        stored.push({ ...endpoint, secretKey });
      }
      return stored;
    },
  };
}

type HasBaseUrl = Pick<StoredEndpoint, "baseUrl">;

/** Whether a key may be sent to the one as to the other. */
export function hasSameOrigin(one: HasBaseUrl, other: HasBaseUrl): boolean {
  const originOf = ({ baseUrl }: HasBaseUrl) => (baseUrl === null ? null : new URL(baseUrl).origin);
  return originOf(one) === originOf(other);
}

/** The secrets of the first endpoints that none of the others has. */
export function keysOnlyOf(endpoints: readonly StoredEndpoint[], others: readonly StoredEndpoint[]): readonly string[] {
  const kept = new Set(others.map(({ secretKey }) => secretKey));
  return endpoints.flatMap(({ secretKey }) => secretKey ?? []).filter((key) => !kept.has(key));
}
