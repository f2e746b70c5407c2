import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";

const MAX_ENDPOINTS = 20;
const MAX_PRICES = 500;
const MAX_OUTPUT_TOKENS = 1_000_000;
const DEFAULT_OUTPUT_TOKENS = 4_096;

const endpointId = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, "must hold 1 to 40 of a-z, 0-9 and -")
  .meta({ description: "Names the endpoint within these settings; chosen by whoever adds it" });
const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(500, "must be at most 500 characters")
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "must not contain a user name or password")
  .regex(/^[^?#]*$/, "must contain no query and no fragment")
  .nullable()
  .meta({ description: "Of an endpoint that speaks OpenAI's protocol, with the version; null means OpenAI's own" });
const apiKey = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(4_000, "must be at most 4,000 characters")
  .regex(/^[\x21-\x7e]+$/, "must hold visible ASCII characters only")
  .nullish()
  .meta({
    description:
      "Stored as a secret. Without it, the stored key stays as long as the endpoint keeps its origin; null removes it",
  });
const modelName = z.string().trim().min(1, "is required").max(200, "must be at most 200 characters");
const price = z.number().nonnegative("must not be negative").max(1_000_000).multipleOf(0.000001);

const namedEndpoint = z.object({
  id: endpointId,
  name: z.string().trim().min(1, "is required").max(100, "must be at most 100 characters"),
  baseUrl,
});

const chosenModel = z.object({
  endpoint: endpointId,
  model: modelName,
  maxOutputTokens: z
    .number()
    .int()
    .min(1)
    .max(MAX_OUTPUT_TOKENS)
    .default(DEFAULT_OUTPUT_TOKENS)
    .meta({ description: "The maximum length of an answer, which is part of the worst-case cost of a call" }),
});

const chosenEmbeddings = z.object({
  endpoint: endpointId,
  model: modelName,
  dimensions: z
    .number()
    .int()
    .min(2)
    .max(65_536)
    .nullable()
    .default(null)
    .meta({ description: "How many numbers a vector has; null for as many as the model gives" }),
});

const listedPrice = z
  .object({ model: modelName, input: price, cachedInput: price.nullable().default(null), output: price })
  .meta({ description: "US dollars per million tokens" });

const choices = {
  chat: chosenModel
    .nullable()
    .meta({ description: "The model of chat, and of agents and extraction without their own" }),
  agents: chosenModel.nullable(),
  extraction: chosenModel.nullable().meta({ description: "The model that finds memories in transcripts" }),
  embeddings: chosenEmbeddings.nullable().meta({ description: "Null: memories are searched by their words only" }),
  prices: z
    .array(listedPrice)
    .max(MAX_PRICES, `must hold at most ${MAX_PRICES} prices`)
    .refine((rows) => new Set(rows.map(({ model }) => model)).size === rows.length, "must name each model once"),
  dailyBudgetUsd: z
    .number()
    .nonnegative("must not be negative")
    .max(1_000_000)
    .nullable()
    .meta({ description: "What the whole workspace may spend per day; null for no limit" }),
};

export const setModelSettingsInput = z
  .object({
    expectedVersion: expectedVersion("the settings have"),
    endpoints: z
      .array(namedEndpoint.extend({ apiKey }))
      .max(MAX_ENDPOINTS, `must hold at most ${MAX_ENDPOINTS} endpoints`)
      .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, "must have different ids"),
    ...choices,
  })
  .superRefine((given, context) => {
    const known = new Set(given.endpoints.map(({ id }) => id));
    for (const purpose of ["chat", "agents", "extraction", "embeddings"] as const) {
      const chosen = given[purpose];
      if (chosen !== null && !known.has(chosen.endpoint))
        context.addIssue({ code: "custom", path: [purpose, "endpoint"], message: "must be one of the endpoints" });
    }
  });
export type SetModelSettings = z.infer<typeof setModelSettingsInput>;

/** What is stored. The values of the keys are secrets. */
export type ModelSettingsDocument = Omit<SetModelSettings, "expectedVersion" | "endpoints"> & {
  readonly endpoints: readonly StoredEndpoint[];
};

export interface StoredEndpoint extends z.infer<typeof namedEndpoint> {
  /** The secret that holds the API key; null if there is none. */
  readonly secretKey: string | null;
}

/** What the environment decides, whatever is stored. */
const environment = z.object({
  model: z.string().nullable().meta({ description: "OPENAI_MODEL, which is used for everything" }),
  embeddingModel: z.string().nullable().meta({ description: "EMBEDDINGS_MODEL" }),
  pricedModels: z.array(z.string()).meta({ description: "The models whose prices MODEL_PRICES sets" }),
  dailyBudgetUsd: z.number().nullable().meta({ description: "DAILY_BUDGET_USD" }),
});

export const modelSettingsSchema = z
  .object({
    endpoints: z.array(namedEndpoint.extend({ hasKey: z.boolean() })),
    ...choices,
    environment,
    ...versionFields,
  })
  .meta({ id: "ModelSettings" });
export type ModelSettingsView = z.infer<typeof modelSettingsSchema>;

export const testModelInput = z.object({
  endpoint: endpointId
    .optional()
    .meta({ description: "A stored endpoint, whose key is used if its origin is the same" }),
  baseUrl,
  apiKey,
  kind: z.enum(["chat", "embeddings"]).default("chat"),
  model: modelName.optional().meta({ description: "Without it, the endpoint's models are only listed" }),
});
export type TestModel = z.infer<typeof testModelInput>;

export const modelTestSchema = z
  .object({
    ok: z.boolean(),
    message: z.string().meta({ description: "What happened, for a person" }),
    durationMs: z.number().int(),
    models: z
      .array(z.string())
      .nullable()
      .meta({ description: "The models that the endpoint lists; null if it does not list any" }),
  })
  .meta({ id: "ModelTest" });
export type ModelTest = z.infer<typeof modelTestSchema>;
