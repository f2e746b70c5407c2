import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { byKeyInput } from "./secret.schema.ts";

const MAX_COMMAND_LENGTH = 500;
const MAX_FOLDER_LENGTH = 1000;
const MAX_WORDS = 4096;
const MAX_SECRETS = 20;

/** With single slashes, and none at the end. */
const folder = z
  .string()
  .max(MAX_FOLDER_LENGTH, `must be at most ${MAX_FOLDER_LENGTH} characters`)
  .regex(/^\/[^\0]*$/, "must be an absolute path")
  .refine((path) => !path.split("/").includes(".."), "must not contain ..")
  .transform((path) => `/${path.split("/").filter(Boolean).join("/")}`);

export const secretGrantSchema = z
  .object({
    id: z.string(),
    command: z.string().meta({ description: "The first words of a command that may use the secret" }),
    folder: z.string().meta({ description: "Where it may be run: in this folder or below it" }),
    createdAt: timestamp,
  })
  .meta({ id: "SecretGrant" });
export type SecretGrant = z.infer<typeof secretGrantSchema>;

export const listSecretGrantsInput = byKeyInput.extend(listInput.shape);
export type ListSecretGrants = z.infer<typeof listSecretGrantsInput>;

export const createSecretGrantInput = byKeyInput.extend({
  command: z
    .string()
    .max(MAX_COMMAND_LENGTH, `must be at most ${MAX_COMMAND_LENGTH} characters`)
    .transform((command) => command.trim().split(/\s+/).join(" "))
    .refine((command) => command !== "", "is required")
    .meta({ description: "The first words of the command, such as `npm publish`" }),
  folder: folder.meta({ description: "An absolute path; the command may also be run below it" }),
});
export type CreateSecretGrant = z.infer<typeof createSecretGrantInput>;

export const deleteSecretGrantInput = byKeyInput.extend({ id: z.uuid() });
export type DeleteSecretGrant = z.infer<typeof deleteSecretGrantInput>;

export const useSecretsInput = z.object({
  keys: z.array(z.string().min(1).max(255)).min(1).max(MAX_SECRETS),
  command: z
    .array(z.string())
    .min(1)
    .max(MAX_WORDS)
    .meta({ description: "The program and its arguments, as they will be run" }),
  folder: folder.meta({ description: "Where it will be run: an absolute path without links" }),
});
export type UseSecrets = z.infer<typeof useSecretsInput>;
