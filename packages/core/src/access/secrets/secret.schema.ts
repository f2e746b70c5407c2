import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

export const SECRET_KEY_PATTERN = /^[A-Z][A-Z0-9_]*$/;
const MAX_VALUE_BYTES = 64 * 1024;

const key = z
  .string()
  .min(1, "is required")
  .max(255, "must be at most 255 characters")
  .regex(SECRET_KEY_PATTERN, "must start with a letter and hold only A-Z, 0-9 and _");
const value = z
  .string()
  .min(1, "is required")
  .refine((text) => Buffer.byteLength(text) <= MAX_VALUE_BYTES, `must be at most ${MAX_VALUE_BYTES} bytes`);
const description = z.string().max(1000, "must be at most 1,000 characters");

export const secretSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    description: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Secret" });
export type Secret = z.infer<typeof secretSchema>;

export const createSecretInput = z.object({ key, value, description: description.nullish() });
export type CreateSecret = z.infer<typeof createSecretInput>;

/** An invalid key cannot exist, so it is simply not found; only a missing key is an invalid input. */
export const byKeyInput = z.object({ key: z.string().min(1, "is required") });

export const updateSecretInput = byKeyInput.extend({ value: value.optional(), description: description.nullish() });
export type UpdateSecret = z.infer<typeof updateSecretInput>;

export const revealedSecretSchema = z.object({ key: z.string(), value: z.string() }).meta({ id: "RevealedSecret" });
export type RevealedSecret = z.infer<typeof revealedSecretSchema>;

export const SECRET_ACTIONS = ["create", "reveal", "use", "update", "delete", "rotate"] as const;

export const listSecretAccessesInput = byKeyInput.extend({
  limit: z.number().int().min(1).max(1000).default(100),
  cursor: cursorInput,
});
export type ListSecretAccesses = z.infer<typeof listSecretAccessesInput>;

export const secretAccessSchema = z
  .object({
    id: z.string(),
    action: z.enum(SECRET_ACTIONS),
    actor: z.string().meta({ description: "Such as user:<id>, agent_run:<id> or command:<command> in <folder>" }),
    createdAt: timestamp,
  })
  .meta({ id: "SecretAccess" });
export type SecretAccess = z.infer<typeof secretAccessSchema>;

export const secretRotationSchema = z.object({
  rotated: z.number().int().meta({ description: "How many secrets were re-encrypted" }),
  keyId: z.string().meta({ description: "The id of the current encryption key" }),
});
export type SecretRotation = z.infer<typeof secretRotationSchema>;
