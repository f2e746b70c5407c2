import type { SecretService } from "../../access/secrets/secret.service.ts";
import type { Deps } from "../../platform/deps.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import { setVersionedSetting } from "../../platform/versioned-setting.queries.ts";
import type { CurrentModels, ModelSource } from "../gateway/model-source.ts";
import { toCurrentModels, type OpenedModelSettings } from "./current-models.ts";
import { createEndpointKeys, hasSameOrigin, keysOnlyOf } from "./endpoint-keys.ts";
import type { EnvironmentModels } from "./environment-models.ts";
import { MODEL_SETTINGS_KEY, selectModelSettings } from "./model-settings.queries.ts";
import type {
  ModelSettingsDocument,
  ModelSettingsView,
  SetModelSettings,
  StoredEndpoint,
} from "./model-settings.schema.ts";

const NONE: ModelSettingsDocument & { readonly version: number } = {
  endpoints: [],
  chat: null,
  agents: null,
  extraction: null,
  embeddings: null,
  prices: [],
  dailyBudgetUsd: null,
  version: 0,
};

export interface ModelSettingsServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly environment: EnvironmentModels;
  readonly secrets: Pick<SecretService, "create" | "delete" | "useValue">;
}

export type ModelSettingsService = ReturnType<typeof createModelSettingsService>;

/** Which models the workspace uses, with what they cost and may cost. A change is in effect from the next call of a model. */
export function createModelSettingsService(deps: ModelSettingsServiceDeps) {
  const { db, clock, events, environment } = deps;
  const keys = createEndpointKeys(deps);
  const ofEnvironment = toCurrentModels(environment, null);
  let last: { readonly revision: string; readonly current: CurrentModels } | undefined;

  async function open(document: ModelSettingsDocument): Promise<OpenedModelSettings> {
    const readKey = async ({ id, secretKey }: StoredEndpoint) =>
      [id, secretKey === null ? null : await keys.read(secretKey)] as const;
    return { document, apiKeys: new Map(await Promise.all(document.endpoints.map(readKey))) };
  }

  const source: ModelSource = {
    async read() {
      const stored = await selectModelSettings(db.pool);
      if (stored === null) return ofEnvironment;
      const { revision, value } = stored;
      if (last?.revision !== revision) last = { revision, current: toCurrentModels(environment, await open(value)) };
      return last.current;
    },
  };

  async function readStored(): Promise<{ value: typeof NONE; updatedAt: string | null }> {
    return (await selectModelSettings(db.pool)) ?? { value: NONE, updatedAt: null };
  }

  async function store(document: ModelSettingsDocument, before: typeof NONE): Promise<ModelSettingsView> {
    const options = { expectedVersion: before.version, now: clock.now() };
    const stored = await setVersionedSetting(db.pool, MODEL_SETTINGS_KEY, document, options);
    if (stored === null) throw changedMeanwhile();
    events.publish({ resource: "usage", action: "edit", resourceId: "models", resourceName: "Model settings" });
    return toView(environment, stored.value, stored.updatedAt);
  }

  return {
    source,

    async get(): Promise<ModelSettingsView> {
      const { value, updatedAt } = await readStored();
      return toView(environment, value, updatedAt);
    },

    /** The key of a stored endpoint, to be sent to this URL; null if there is none, or the URL is another server's. */
    async findKey(endpointId: string, baseUrl: string | null): Promise<string | null> {
      const { value } = await readStored();
      const known = value.endpoints.find(({ id }) => id === endpointId);
      if (known === undefined || known.secretKey === null || !hasSameOrigin(known, { baseUrl })) return null;
      return (await keys.read(known.secretKey)) ?? null;
    },

    /**
     * Replaces the settings. Throws {@link PreconditionFailedError} if they have been changed, since the expected version or
     * meanwhile, and {@link InvalidInputError} if a stored key would be sent to another server.
     */
    async set(
      { expectedVersion, endpoints: given, ...choices }: SetModelSettings,
      userId: string,
    ): Promise<ModelSettingsView> {
      const actor = `user:${userId}`;
      const { value: before } = await readStored();
      if (expectedVersion !== undefined && expectedVersion !== before.version) throw changedMeanwhile();
      const endpoints = await keys.storeGiven(given, before.endpoints, actor);
      try {
        const view = await store({ ...choices, endpoints }, before);
        await keys.remove(keysOnlyOf(before.endpoints, endpoints), actor);
        return view;
      } catch (error) {
        // If they were stored after all, they name the new keys.
        const { value: now } = await readStored();
        await keys.remove(keysOnlyOf(endpoints, [...before.endpoints, ...now.endpoints]), actor);
        throw error;
      }
    },
  };
}

function changedMeanwhile(): PreconditionFailedError {
  return new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
}

function toView(
  environment: EnvironmentModels,
  { endpoints, ...document }: typeof NONE,
  updatedAt: string | null,
): ModelSettingsView {
  return {
    ...document,
    endpoints: endpoints.map(({ secretKey, ...endpoint }) => ({ ...endpoint, hasKey: secretKey !== null })),
    environment: {
      model: "settings" in environment.model ? environment.model.settings.model : null,
      embeddingModel: environment.embeddings?.model ?? null,
      pricedModels: [...environment.prices.keys()],
      dailyBudgetUsd: environment.dailyBudgetUsd,
    },
    updatedAt,
  };
}
