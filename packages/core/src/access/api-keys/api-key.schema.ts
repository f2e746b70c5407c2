import * as z from "zod";
import { instantInput } from "../../platform/instant.ts";
import { API_KEY_SCOPES } from "../../platform/resources.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const name = z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters");
const scopes = z.array(z.enum(API_KEY_SCOPES)).min(1, "must name at least one scope").max(100);

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(API_KEY_SCOPES)),
    folder: z
      .string()
      .nullable()
      .meta({ description: "The folder of the vault to which its access to documents is limited; null for all of it" }),
    hint: z.string().meta({ description: "The last characters of the key" }),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to the minute" }),
    creator: z.object({ id: z.string(), name: z.string() }),
    createdAt: timestamp,
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const createApiKeyInput = z.object({
  name,
  scopes,
  folder: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(4_000, "must be at most 4,000 characters")
    .nullish()
    .meta({ description: "The folder of the vault to which its access to documents is limited; by default all of it" }),
  expiresAt: instantInput.nullish(),
});
export type CreateApiKey = z.infer<typeof createApiKeyInput>;

/** The only response that contains a key. */
export const createdApiKeySchema = apiKeySchema
  .pick({ id: true, name: true, scopes: true, folder: true, hint: true, expiresAt: true, createdAt: true })
  .extend({ key: z.string().meta({ description: "The key itself, shown only once" }) })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

export const revokedApiKeySchema = apiKeySchema.pick({ id: true, name: true });
export type RevokedApiKey = z.infer<typeof revokedApiKeySchema>;
