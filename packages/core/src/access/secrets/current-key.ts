import type { PoolClient } from "@workspace/db";
import { UnavailableError } from "../../platform/errors.ts";
import type { EncryptionKeys } from "./encryption-keys.ts";
import type { EncryptionKey } from "./secret-box.ts";
import { lockCurrentKeyId } from "./secret.queries.ts";

/** Throws {@link UnavailableError} if another process has rotated to a key that this one does not have. */
export async function lockCurrentKey(client: PoolClient, keys: EncryptionKeys): Promise<EncryptionKey> {
  const keyId = await lockCurrentKeyId(client);
  const key = keyId === null ? undefined : keys.find(keyId);
  if (key === undefined) throw missingKey();
  return key;
}

export function missingKey(cause?: unknown): UnavailableError {
  return new UnavailableError(
    "The secrets are encrypted with a key that this server does not have. Restart it with the new key.",
    { cause },
  );
}
