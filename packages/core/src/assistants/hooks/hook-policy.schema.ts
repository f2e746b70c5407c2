import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";

/** The rules that ship with the hooks CLI. A policy enables them by listing them in `use`. */
export type ShippedRuleId =
  | "force-push-main"
  | "delete-outside-project"
  | "write-outside-project"
  | "read-env-files"
  | "read-key-files"
  | "pipe-to-shell"
  | "unreadable-command";

const MAX_DOCUMENT_BYTES = 256 * 1024;

const policyDocument = z
  .record(z.string(), z.unknown())
  .refine(
    (document) => Buffer.byteLength(JSON.stringify(document)) <= MAX_DOCUMENT_BYTES,
    `must be at most ${MAX_DOCUMENT_BYTES} bytes of JSON`,
  );

export const setHookPolicyInput = z.object({
  document: policyDocument,
  expectedVersion: expectedVersion("the policy has"),
});
export type SetHookPolicy = z.infer<typeof setHookPolicyInput>;

export const hookPolicySchema = z
  .object({
    document: z.record(z.string(), z.unknown()),
    ...versionFields,
  })
  .meta({ id: "HookPolicy" });
export type HookPolicy = z.infer<typeof hookPolicySchema>;
